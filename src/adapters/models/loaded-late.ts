import { isPawlError } from "#core";
import type { ModelClient } from "#runtime";
import { failed, failureWithoutAnswer } from "./shared/network-failure.ts";

/** A client whose code is loaded with its first request: what a program does not use costs its start nothing. */
export function loadedLate(load: () => Promise<ModelClient>): ModelClient {
  let loading: Promise<ModelClient> | null = null;
  return {
    async *stream(request, options) {
      loading ??= load();
      let client: ModelClient;
      try {
        client = await loading;
      } catch (error) {
        // Settings of the machine that no client can be made with: the next request looks again.
        loading = null;
        const kind = isPawlError(error) ? "invalid_request" : "internal";
        const what = error instanceof Error ? error.message : String(error);
        return yield failed(failureWithoutAnswer(kind, what));
      }
      yield* client.stream(request, options);
    },
  };
}

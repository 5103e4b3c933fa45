import { isPawlError } from "#core";
import type { ModelChunk, ModelClient } from "#runtime";
import { failed, failureWithoutAnswer } from "./shared/network-failure.ts";

/** A client whose code is loaded with its first request: what a program does not use costs its start nothing. */
export function loadedLate(load: () => Promise<ModelClient>): ModelClient {
  let loading: Promise<ModelClient> | null = null;
  let client: ModelClient | null = null;

  async function* streamLate(
    ...args: Parameters<ModelClient["stream"]>
  ): AsyncGenerator<ModelChunk> {
    loading ??= load();
    try {
      client = await loading;
    } catch (error) {
      // Settings of the machine that no client can be made with: the next request looks again.
      loading = null;
      const kind = isPawlError(error) ? "invalid_request" : "internal";
      const what = error instanceof Error ? error.message : String(error);
      return yield failed(failureWithoutAnswer(kind, what));
    }
    yield* client.stream(...args);
  }

  return {
    prepare: (request) => client?.prepare?.(request),
    stream: (...args) => client?.stream(...args) ?? streamLate(...args),
  };
}

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { retryDelayMs } from "#core";
import { scriptedClient, fakeClock } from "#testing";
import { ask } from "../adapters/models/asking.ts";
import { fixturesFolder, readJson } from "./fixtures.ts";

const folder = fixturesFolder();
const skip = folder === null ? "no outside fixtures (set PAWL_FIXTURES)" : false;

interface HttpCase {
  readonly id: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly expect: {
    readonly class: string;
    readonly retryable: boolean;
    readonly retryAfterMs?: number;
  };
}

interface OverflowCase {
  readonly provider: string;
  readonly status: number;
  readonly message: string;
  readonly expect: string;
}

const read = <T>(name: string): readonly T[] =>
  folder === null ? [] : (readJson(join(folder, "errors", name)) as { cases: readonly T[] }).cases;

/** The failure that becomes of an HTTP answer. */
async function failureOf(status: number, headers: Readonly<Record<string, string>>, body: unknown) {
  const fault = { type: "status", status, headers, body } as const;
  const client = scriptedClient({ ref: "scripted/x", turns: [{ fault }], clock: fakeClock() });
  const last = await ask(client);
  assert.ok(last.type === "failure");
  return last.failure;
}

/** Ours for theirs. */
const names: Readonly<Record<string, string>> = { quota: "billing" };

describe("HTTP errors from the field", { skip }, () => {
  for (const { id, status, headers, body, expect } of read<HttpCase>("http.json")) {
    test(`${id} is ${expect.class}`, async () => {
      const failure = await failureOf(status, headers ?? {}, body);
      assert.equal(failure.class, names[expect.class] ?? expect.class, failure.message);
      if (expect.retryAfterMs !== undefined)
        assert.equal(failure.retryAfterMs, expect.retryAfterMs);
      // A call the model wrote wrongly is asked for anew by the loop, not by sending the same again.
      if (failure.class === "bad_tool_call") return;
      assert.equal(
        retryDelayMs(failure, { attempt: 1, waitedMs: 0 }, 0) !== null,
        expect.retryable,
      );
    });
  }
  for (const { provider, status, message, expect } of read<OverflowCase>("context-overflow.json")) {
    test(`${provider} ${status} "${message.slice(0, 60)}" is ${expect}`, async () => {
      assert.equal((await failureOf(status, {}, { error: { message } })).class, expect);
    });
  }
});

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTick, setTimeout as sleep } from "node:timers/promises";
import { PawlError, type JsonObject } from "#core";
import type { Clock } from "#runtime";
import { objectOf, parseJson, stringOf } from "../shared/json-read.ts";
import { anthropicWire } from "./anthropic-wire.ts";
import { chatWire } from "./chat-wire.ts";
import { geminiWire } from "./gemini-wire.ts";
import { planOf, type Plan } from "./plan.ts";
import { responsesWire } from "./responses-wire.ts";
import { parseScript, type Script, type ScriptedTurn } from "./script.ts";
import { turnsOf } from "./turns.ts";
import type { ScriptedWire } from "./wire.ts";

export interface ScriptedServerOptions {
  /** The turns, or a script as its file holds it. */
  readonly turns: readonly ScriptedTurn[] | Pick<Script, "turns" | "tools">;
  /** Default: any free port. */
  readonly port?: number;
  /**
   * `strict` (default): a request the real API would refuse is refused. `lenient`: it is only written down. `light`: bodies
   * are neither read nor kept and the turns are given out in order, for measurements.
   */
  readonly checks?: "strict" | "lenient" | "light";
  /** For pauses that are part of a fault. Default: real time. */
  readonly clock?: Pick<Clock, "sleep">;
}

export interface RecordedRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came; empty under `light`. */
  readonly bodyText: string;
  readonly body: JsonObject;
  /** Which turn answered; null when the request was refused. */
  readonly turn: number | null;
  /** What the real API would have said against it. */
  readonly problems: readonly string[];
}

export interface ScriptedServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`: the base URL for an Anthropic client; with `/v1` behind it for a Chat client. */
  readonly url: string;
  /** In the order they came; grows while the server runs. */
  readonly requests: readonly RecordedRequest[];
  /** Ends open connections too. Idempotent. */
  close(): Promise<void>;
}

/**
 * A server on this machine that answers from a script, in the wire of the path that is asked. Which turn answers is the
 * number of assistant messages in the request, so a client that was killed goes on at the right turn.
 * @throws PawlError `script_invalid`, `port_in_use`
 */
export async function startScriptedServer(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const script = parseScript(options.turns, "given");
  const turnAt = turnsOf(script);
  const checks = options.checks ?? "strict";
  const requests: RecordedRequest[] = [];
  const closing = new AbortController();
  let count = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bodyText = await textOf(request, checks === "light" ? "drop" : "keep");
    const body = objectOf(parseJson(bodyText).value) ?? {};
    const seen = { ...headOf(request), bodyText, body };
    const wire = wires.find(({ paths }) => paths.test(seen.path));
    const refuse = (status: number, problems: readonly string[]): void => {
      requests.push({ ...seen, turn: null, problems });
      const body = (wire ?? anthropicWire).errorBody(status, problems[0] ?? "refused");
      respond(response, { status, body });
    };
    if (seen.method === "GET" && seen.path.endsWith("/models")) {
      requests.push({ ...seen, turn: null, problems: [] });
      return respond(response, { status: 200, body: listOfModels });
    }
    if (seen.method !== "POST" || wire === undefined) {
      return refuse(404, [`${seen.method} ${seen.path} is not served here`]);
    }
    const problems =
      checks === "light" ? [] : [...toolProblems(script, body), ...wire.requestProblems(body)];
    if (checks === "strict" && problems.length > 0) return refuse(400, problems);
    const index = checks === "light" ? count : wire.repliesIn(body);
    count += 1;
    requests.push({ ...seen, turn: index, problems });
    const { turn, faults } = turnAt(index);
    const model = stringOf(body["model"]) ?? "scripted";
    await perform(planOf(turn, { wire, index, model, faults }), response);
  }

  async function perform(plan: Plan, response: ServerResponse): Promise<void> {
    if (plan.type === "refuse") return respond(response, plan);
    response.socket?.setNoDelay(true);
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "request-id": `req_scripted_${count}`,
      ...(plan.isGzip ? { "content-encoding": "gzip" } : {}),
    });
    response.flushHeaders();
    if (plan.lateMs > 0) await pause(plan.lateMs);
    for (const piece of plan.pieces) {
      if (plan.pauseMs > 0) await pause(plan.pauseMs);
      if (response.destroyed || closing.signal.aborted) return;
      if (!response.write(piece)) await drained(response);
    }
    await endAs(plan.end, response);
  }

  function pause(ms: number): Promise<void> {
    return (options.clock ?? realTime).sleep(ms, closing.signal);
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    handle(request, response).catch(() => response.destroy()); // the client sees a cut, as from any server
  });
  const port = await listening(server, options.port ?? 0);

  async function close(): Promise<void> {
    closing.abort();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** In the words of Ollama. */
const toolProblems = ({ tools }: Script, body: JsonObject): readonly string[] =>
  tools === "text" && body["tools"] !== undefined
    ? [`${stringOf(body["model"]) ?? "the model"} does not support tools`]
    : [];

/** What those who look around are told: there is one model, whatever it is called. */
const listOfModels = JSON.stringify({
  object: "list",
  data: [{ id: "scripted", object: "model" }],
});

const wires: readonly ScriptedWire[] = [anthropicWire, chatWire, responsesWire, geminiWire];

const realTime: Pick<Clock, "sleep"> = {
  // An aborted pause is over: what follows looks at the signal itself.
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
};

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const message = `Port ${port} of 127.0.0.1 cannot be used for the scripted model. Choose another one, or none for any free one.`;
      reject(new PawlError("port_in_use", message, { cause }));
    });
    server.listen(port, "127.0.0.1", () => {
      const address = server.address() as AddressInfo; // a listening TCP server always has one
      resolve(address.port);
    });
  });
}

function headOf(
  request: IncomingMessage,
): Pick<RecordedRequest, "at" | "method" | "path" | "headers"> {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return {
    at: Date.now(),
    method: request.method ?? "",
    path: (request.url ?? "").replace(/\?.*$/, ""),
    headers: Object.fromEntries(headers),
  };
}

async function textOf(request: IncomingMessage, what: "keep" | "drop"): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of request) {
    if (what === "keep") parts.push(part as Uint8Array); // a request without encoding gives bytes
  }
  return Buffer.concat(parts).toString("utf8");
}

function respond(
  response: ServerResponse,
  answer: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
  },
): void {
  response.writeHead(answer.status, answer.headers ?? { "content-type": "application/json" });
  response.end(answer.body);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once("drain", resolve);
    response.once("close", resolve);
  });
}

async function endAs(
  end: Extract<Plan, { type: "stream" }>["end"],
  response: ServerResponse,
): Promise<void> {
  if (end === "end") {
    response.end();
    return;
  }
  // What was written leaves the program only after this turn of the event loop.
  await nextTick();
  await nextTick();
  if (end === "cut") response.socket?.end();
  if (end === "reset") response.socket?.resetAndDestroy();
}

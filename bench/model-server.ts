import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** One request as the server saw it; times in milliseconds of the server's own clock. */
interface Exchange {
  /** Its head had come. */
  readonly beganMs: number;
  /** Its body had come. */
  readonly wholeMs: number;
  readonly bodyBytes: number;
  /** The last byte of the reply was given to the socket. */
  readonly repliedMs: number;
}

interface Conversation {
  /** Base URL for an Anthropic client. */
  readonly baseUrl: string;
  /** In the order they came; grows while a subject runs. */
  readonly exchanges: readonly Exchange[];
}

export interface ModelServer extends AsyncDisposable {
  /** `reply` gives the whole stream of a turn, counted from 0. */
  converse(reply: (turn: number) => string): Conversation;
}

/**
 * A model on this machine that costs the same at every turn: bodies are counted, not read, and each reply leaves in one
 * write. What a subject does between two requests is all that differs.
 */
export async function startModelServer(): Promise<ModelServer> {
  const talks: { readonly reply: (turn: number) => string; readonly exchanges: Exchange[] }[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const beganMs = performance.now();
    const talk = talks[Number(/^\/(\d+)\//.exec(request.url ?? "")?.[1])];
    if (talk === undefined) return void response.writeHead(404).end();
    const bodyBytes = await countBytes(request);
    const wholeMs = performance.now();
    const reply = Buffer.from(talk.reply(talk.exchanges.length));
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    const repliedMs = performance.now();
    response.end(reply);
    talk.exchanges.push({ beganMs, wholeMs, bodyBytes, repliedMs });
  }

  const server = createServer({ keepAliveTimeout: 60_000, noDelay: true }, (request, response) => {
    answer(request, response).catch(() => response.destroy()); // the subject sees a cut and says so
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  return {
    converse(reply) {
      const exchanges: Exchange[] = [];
      talks.push({ reply, exchanges });
      return { baseUrl: `http://127.0.0.1:${port}/${talks.length - 1}`, exchanges };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function countBytes(request: IncomingMessage): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => resolve(bytes));
    request.on("error", reject);
  });
}

import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import assert from "node:assert/strict";

/** A server on loopback, as a page's host. */
export interface Web extends AsyncDisposable {
  /** `127.0.0.1:4711` */
  readonly host: string;
  readonly port: number;
  url(path: string): string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
}

export async function web(answer: RequestListener): Promise<Web> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const { port } = address;
  const host = `127.0.0.1:${port}`;
  return {
    host,
    port,
    asked,
    url: (path) => `http://${host}${path}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** `node serve-script.ts FILE [--port N]`: serves a script and prints the base URL. Does nothing when imported. */
import { parseArgs } from "node:util";
import { isPawlError } from "#core";
import { readScript, startScriptedServer } from "#adapters/models/scripted";

async function serve(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: "string" } },
  });
  const [file] = positionals;
  const port = Number(values.port ?? 0);
  if (file === undefined || !Number.isInteger(port)) {
    throw new Error("Usage: node serve-script.ts FILE [--port N]");
  }
  const server = await startScriptedServer({ turns: readScript(file), port });
  process.stdout.write(`${server.url}\n`);
}

if (import.meta.main) {
  serve().catch((error: unknown) => {
    const isExpected = isPawlError(error) || error instanceof Error;
    process.stderr.write(`${isExpected ? error.message : String(error)}\n`);
    process.exitCode = 2;
  });
}

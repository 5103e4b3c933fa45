/** A small agent: starts the runs of its argument and ends when all have ended. */
import { type RunSpec, startRun } from "#adapters/exec";

// The tests beside it wrote it.
const specs = JSON.parse(process.argv[2] ?? "[]") as RunSpec[];
const { signal } = new AbortController();
await Promise.all(specs.map((spec) => startRun(spec, { signal })));

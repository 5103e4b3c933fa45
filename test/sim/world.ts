import { text, type CallId, type Json, type Stamped } from "#core";
import type { AnyTool, Journal, ModelChunk, Tool, ToolContext } from "#runtime";
import { call, end, failure, memory, ok, type Turn } from "../runtime/rig.ts";

/** Numbers from a seed: mulberry32, public domain by its author. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A process that can be killed at any step: afterwards nothing it had begun goes on. */
export class Life {
  #left: number;
  readonly over: Promise<never>;
  #end: (reason: Error) => void;

  constructor(steps: number) {
    this.#left = steps;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.over = promise;
    this.#end = reject;
  }

  /** One step; the one that kills never resolves, and neither does any after it. */
  async step(): Promise<void> {
    this.#left -= 1;
    if (this.#left === 0) this.#end(new Error("killed"));
    if (this.#left <= 0) await new Promise(() => undefined);
  }
}

/** What outlives a process: the journal, and how often each call's effect really happened. */
export class World {
  readonly happened: Map<CallId, number> = new Map();
  /** Turns whose reply has failed once. */
  readonly failed: Set<number> = new Set();
  facts: Stamped[] = [];
  readonly blobs: Journal;

  constructor(blobs: Journal) {
    this.blobs = blobs;
  }

  apply(id: CallId): void {
    this.happened.set(id, (this.happened.get(id) ?? 0) + 1);
  }
}

export const newWorld = async (): Promise<World> => new World(await memory());

/** The world's journal as one process sees it: a kill may come before, inside or after each write. */
export async function openJournal(world: World, life: Life): Promise<Journal> {
  const journal = await memory();
  if (world.facts.length > 0) await journal.append(world.facts);
  return new Proxy(journal, {
    get: (target, key) => {
      if (key === "append") {
        return async (facts: readonly Stamped[]) => {
          await life.step();
          // A batch is one write: the disk may hold any number of its lines when the machine stops.
          for (const fact of facts) {
            world.facts.push(fact);
            await life.step();
          }
          return target.append(facts);
        };
      }
      if (key === "putBlob" || key === "getBlob") return world.blobs[key].bind(world.blobs);
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

export function tools(world: World, life: Life): readonly AnyTool[] {
  const make = (name: string, access: "read" | "write" | "exec"): AnyTool => {
    const probes = access !== "read";
    const made: Tool = {
      name,
      description: `${name} for simulations`,
      inputSchema: { type: "object" },
      parse: (input) => input,
      recovery: probes ? "probe" : "rerun",
      timeoutMs: () => 120_000,
      need: () => ({ access, resources: [access === "exec" ? "cmd" : "/w/file"] }),
      run: async (_input, context: ToolContext<Json>) => {
        await life.step();
        if (probes) world.apply(context.call);
        await life.step();
        return ok(`${name} ${context.call}`);
      },
      ...(probes
        ? {
            plan: async () => {
              await life.step();
              return { planned: true };
            },
            probe: async (_intent: Json, env: { readonly call: CallId }) => {
              await life.step();
              const done = (world.happened.get(env.call) ?? 0) > 0;
              return done
                ? { verdict: "happened" as const, evidence: "seen", end: ok(`${name} ${env.call}`) }
                : { verdict: "did_not_happen" as const, evidence: "not seen", end: null };
            },
          }
        : {}),
    };
    return made as AnyTool; // its input is what its own `parse` gives
  };
  return [make("read", "read"), make("write", "write"), make("bash", "exec")];
}

/** A script from a seed: the reply depends on the conversation alone, as a deterministic model's would. */
export function script(world: World, seed: number, turns: number): (life: Life) => Turn {
  return (life) =>
    async function* (request): AsyncGenerator<ModelChunk> {
      const done = request.messages.filter((message) => message.role === "assistant").length;
      const next = random(seed * 1000 + done);
      await life.step();
      if (done >= turns) {
        yield end([text("all done")], "end_turn");
        return;
      }
      const wanted = Array.from({ length: 1 + Math.floor(next() * 4) }, (_, index) =>
        call(["read", "read", "write", "bash"][Math.floor(next() * 4)] ?? "read", { index }),
      );
      for (const [index, block] of wanted.entries()) {
        await life.step();
        yield { type: "block", index, block };
      }
      await life.step();
      // Now and then the server fails, once for a turn.
      if (next() < 0.2 && !world.failed.has(done)) {
        world.failed.add(done);
        yield failure("server", wanted);
        return;
      }
      yield end(wanted, "tool_use");
    };
}

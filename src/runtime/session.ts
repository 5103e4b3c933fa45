import {
  admit,
  isRefusal,
  PawlError,
  sameJson,
  type Agent,
  type Command,
  type Fact,
  type Hash,
  type Json,
  type Refusal,
  type State,
} from "#core";
import type { AgentParts, Found, Session, SessionParts } from "./api.ts";
import { Driver } from "./driver.ts";
import { Feed } from "./feed.ts";
import { withDamageNote } from "./damage-note.ts";
import { spill } from "./long-text.ts";
import { holdsImage, takeImages } from "./take-images.ts";
import type { Journal } from "./ports.ts";
import { lookInto, lostFacts } from "./recover.ts";
import { toolbox, type Toolbox } from "./toolbox.ts";

/**
 * Starts a session on its journal: folds it, records what died with the last process and what has changed since,
 * then goes on with whatever is owed. An empty journal makes a new session; one that starts with another session's
 * entries becomes a fork of it.
 */
export async function startSession(parts: SessionParts): Promise<Session> {
  const { journal } = parts;
  const found = parts.found ?? (await lookInto(journal));
  const folded = found.state;
  let driver: Driver | null = null;
  const tools = toolbox(parts.tools, {
    cwd: parts.cwd,
    roots: parts.roots,
    runsDir: parts.runsDir,
    putBlob: (bytes) => journal.putBlob(bytes),
    getBlob: (hash) => journal.getBlob(hash),
    doc: (name) => docOf(driver?.state ?? folded, name),
    clock: parts.clock,
  });
  const agent = await describeAgent(parts.agent, tools, journal);
  const feed = new Feed(() => driver?.state ?? folded);
  driver = new Driver({ session: parts, tools, feed, state: folded });
  propose(driver, await openingFacts(parts, found, agent));
  await driver.synced();
  return new OpenSession(parts, { driver, feed, found: folded.seq === 0 ? null : found });
}

const docOf = ({ docs }: State, name: string): Json | undefined =>
  Object.hasOwn(docs, name) ? docs[name] : undefined;

/** All at once: between two of them nothing may begin, least of all with a model that is being changed. */
function propose(driver: Driver, facts: readonly Fact[]): void {
  const refused = driver.proposeAll(facts);
  if (refused !== null) throw driver.failure ?? new PawlError("illegal_fact", refused);
}

/** What must be on record before anything else happens. */
async function openingFacts(
  parts: SessionParts,
  found: Found,
  agent: Agent,
): Promise<readonly Fact[]> {
  const { state } = found;
  const { journal, program, cwd, gitHead, parent = null } = parts;
  if (state.seq === 0) {
    const { rules } = state;
    return [
      {
        type: "session.started",
        rules,
        sessionId: journal.id,
        parent,
        cwd,
        agent,
        program,
        gitHead,
      },
    ];
  }
  const changed = differences(state.agent, agent);
  const changes: readonly Fact[] =
    changed === null ? [] : [{ type: "agent.changed", agent: changed }];
  if (state.sessionId !== journal.id) {
    const from = { sessionId: state.sessionId, seq: state.seq };
    return [{ type: "session.forked", sessionId: journal.id, from, cwd }, ...changes];
  }
  const partial = await spill(await parts.spool.take(), (bytes) => journal.putBlob(bytes));
  const resumed: Fact = { type: "session.resumed", program, cwd, gitHead };
  return [resumed, ...changes, ...safeStop(found), ...lostFacts(state, partial)];
}

/** After damage the state is older than the world: what it calls owed may have been done, so it is stopped. */
function safeStop({ state, refused }: Found): readonly Fact[] {
  if (refused === 0) return [];
  const facts = admit(state, { type: "interrupt", now: true });
  return isRefusal(facts) ? [] : facts;
}

async function describeAgent(parts: AgentParts, tools: Toolbox, journal: Journal): Promise<Agent> {
  const put = (value: unknown): Promise<Hash> =>
    journal.putBlob(new TextEncoder().encode(JSON.stringify(value)));
  const { sections: texts, ...described } = parts;
  const [toolsHash, ...sectionHashes] = await Promise.all([put(tools.specs), ...texts.map(put)]);
  const sections = Object.fromEntries(
    texts.flatMap((section, index) => {
      const hash = sectionHashes[index];
      return hash === undefined ? [] : [[section.name, hash]];
    }),
  );
  return { ...described, tools: toolsHash, sections };
}

function differences(old: Agent, now: Agent): Partial<Agent> | null {
  const changed = Object.fromEntries(
    Object.entries(now).filter(([key, value]) => !sameJson(Reflect.get(old, key), value)),
  );
  return Object.keys(changed).length === 0 ? null : changed;
}

class OpenSession implements Session {
  readonly id: Session["id"];
  readonly found: Found | null;
  readonly #parts: SessionParts;
  readonly #driver: Driver;
  readonly #feed: Feed;
  #closed: Promise<void> | null = null;

  constructor(
    parts: SessionParts,
    made: { readonly driver: Driver; readonly feed: Feed; readonly found: Found | null },
  ) {
    this.id = parts.journal.id;
    this.#parts = parts;
    this.#driver = made.driver;
    this.#feed = made.feed;
    this.found = made.found;
  }

  get state(): State {
    return this.#driver.state;
  }

  async send(command: Command): Promise<{ readonly seq: number } | Refusal> {
    const { journal, takeImage } = this.#parts;
    const taken =
      takeImage !== undefined && command.type === "prompt" && holdsImage(command.blocks)
        ? { ...command, blocks: await takeImages(command.blocks, takeImage) }
        : command;
    const whole = await spill(taken, (bytes) => journal.putBlob(bytes));
    const admitted = admit(this.#driver.head, whole);
    if (isRefusal(admitted)) return admitted;
    const facts = withDamageNote(admitted, this.#driver.head, journal.damage);
    propose(this.#driver, facts);
    const { seq } = this.#driver.head;
    await this.#driver.synced();
    return { seq };
  }

  feed(): ReturnType<Session["feed"]> {
    return this.#feed.read();
  }

  settled(): ReturnType<Session["settled"]> {
    return this.#driver.settled();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    try {
      await this.#driver.close();
    } finally {
      this.#feed.close();
      await this.#parts.spool.close();
      await this.#parts.journal.close();
    }
  }
}

import {
  isPawlError,
  sameJson,
  modelInUse,
  visible,
  type Call,
  type CallId,
  type Hash,
  type JsonObject,
  type LongText,
  type Message,
  type State,
} from "#core";
import type { Section, ToolSpec } from "./ports.ts";
import type { ModelRequest } from "./ports.ts";
import { whole, wholeOrNotes } from "./long-text.ts";
import { unusable, type Prepared, type Toolbox } from "./toolbox.ts";

type GetBlob = (hash: Hash) => Promise<Uint8Array>;

/** Reads what a state only names: sections and tools of the system prompt, long texts, prepared calls. */
export interface Agenda {
  request(state: State, options: { readonly tools: boolean }): Promise<ModelRequest>;
  prepared(call: Pick<Call, "id" | "tool" | "input">): Promise<Prepared>;
  /** Keeps what was prepared when the call arrived, whole. */
  remember(call: CallId, prepared: Prepared): void;
  /** What the user is to be told of the requests since the last time, once each. */
  notices(): readonly string[];
  forget(): void;
}

export function agenda(getBlob: GetBlob, tools: Toolbox): Agenda {
  const lost = new Set<Hash>();
  const untold: Hash[] = [];
  const onLost = (blob: Hash): void => {
    if (!lost.has(blob)) untold.push(blob);
    lost.add(blob);
  };
  const reader = requestReader(getBlob, onLost);
  const known = new Map<CallId, Prepared>();
  return {
    request: reader,
    remember: (call, prepared) => known.set(call, prepared),
    forget: () => known.clear(),
    notices: () => untold.splice(0).map(lostNotice),
    async prepared(call) {
      const found = known.get(call.id);
      if (found !== undefined) return found;
      const input: JsonObject | null = await whole(call.input, getBlob).catch(nothingIfLost);
      if (input === null) return unusable("Its arguments are missing or damaged on disk.");
      const prepared = tools.prepare({ call: call.id, tool: call.tool, input });
      known.set(call.id, prepared);
      return prepared;
    },
  };
}

const lostNotice = (blob: Hash): string =>
  `Part of the conversation is missing or damaged on disk (blob ${blob}): the model gets a note in its place.`;

function nothingIfLost(error: unknown): null {
  if (isPawlError(error, "blob_missing")) return null;
  throw error;
}

type ReadRequest = (state: State, options: { readonly tools: boolean }) => Promise<ModelRequest>;

/**
 * The exact request of a state: a pure function of the state and the blobs it names; a note stands for a text or an
 * image that is missing or damaged. A message that was sent
 * before is the same object again, so that adapters can keep its serialised form.
 */
export function requestReader(
  getBlob: GetBlob,
  onLost: (blob: Hash) => void = () => {},
): ReadRequest {
  const blobs = new Map<Hash, unknown>();
  let last: {
    readonly cut: State["cut"];
    readonly withheld: State["withheld"] | null;
    readonly seen: readonly Message[];
    readonly restored: readonly Message[];
  } = { cut: null, withheld: null, seen: [], restored: [] };
  const parsed = async (hash: Hash): Promise<unknown> => {
    const found = blobs.get(hash);
    if (found !== undefined) return found;
    const value: unknown = JSON.parse(new TextDecoder().decode(await getBlob(hash)));
    blobs.set(hash, value);
    return value;
  };
  /** Only what came since the last request is looked at: the conversation grows at its end. */
  const restoredMessages = async (state: State): Promise<readonly Message[]> => {
    const seen = visible(state);
    const known = last.seen.length;
    const isSameView = last.cut === state.cut && last.withheld === state.withheld;
    const grown = isSameView && known > 0 && seen[known - 1] === last.seen[known - 1];
    const fresh = await Promise.all(
      seen.slice(grown ? known : 0).map((message) => wholeOrNotes(message, getBlob, onLost)),
    );
    // `concat` copies a long list three times as fast as spreading it.
    const restored = grown ? last.restored.concat(fresh) : fresh;
    last = { cut: state.cut, withheld: state.withheld, seen, restored };
    return restored;
  };
  let lastSchema: { readonly text: LongText; readonly schema: JsonObject } | null = null;
  /** The same object for as long as it holds. It was checked where it came in. */
  const schemaOf = async ({ prompt }: State): Promise<JsonObject | null> => {
    const { answerSchema } = prompt;
    if (answerSchema === null) return null;
    if (lastSchema === null || !sameJson(lastSchema.text, answerSchema)) {
      const written = await whole(answerSchema, getBlob).catch(nothingIfLost);
      if (typeof written !== "string") return null;
      const schema: JsonObject = JSON.parse(written);
      lastSchema = { text: answerSchema, schema };
    }
    return lastSchema.schema;
  };
  return async (state, options) => {
    const { agent } = state;
    const { model, maxOutputTokens } = modelInUse(state);
    const sections = await Promise.all(Object.values(agent.sections).map(parsed));
    return {
      model,
      system: sections as readonly Section[], // our own blobs, checked by their hash
      tools: (await parsed(agent.tools)) as readonly ToolSpec[], // likewise
      toolChoice: options.tools ? "auto" : "none",
      messages: await restoredMessages(state),
      maxOutputTokens,
      thinking: agent.thinking,
      answerSchema: await schemaOf(state),
    };
  };
}

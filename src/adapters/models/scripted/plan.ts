import { constants, gzipSync } from "node:zlib";
import type { Fault, Place } from "./fault.ts";
import { framesOfStream, type Frame } from "./frames.ts";
import type { ScriptedTurn } from "./script.ts";
import type { ScriptedWire, TurnPlace } from "./wire.ts";

/** An answer, decided to the last byte before it is sent. */
export type Plan =
  | {
      readonly type: "refuse";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | {
      readonly type: "stream";
      readonly isGzip: boolean;
      readonly pieces: readonly Uint8Array[];
      /** Before the first piece. */
      readonly lateMs: number;
      /** Before each piece. */
      readonly pauseMs: number;
      readonly end: "end" | "cut" | "reset" | "stall";
    };

/** The answer of a turn under its faults. */
export function planOf(
  turn: ScriptedTurn,
  where: TurnPlace & { readonly wire: ScriptedWire; readonly faults: readonly Fault[] },
): Plan {
  const { faults, wire } = where;
  const status = faultOf(faults, "status");
  if (status !== undefined) return refusal(status, wire);
  const whole = turn.sse === undefined ? wire.framesOf(turn, where) : framesOfStream(turn.sse);
  const isCrlf = faultOf(faults, "crlf") !== undefined;
  const isGzip = faultOf(faults, "gzip") !== undefined;
  const { frames, end } = brokenOff(isCrlf ? whole.map(withCrlf) : whole, where);
  const bytes = Buffer.concat(frames.map((frame) => frame.bytes));
  const isWhole = end === "end";
  const sent = isGzip
    ? gzipSync(bytes, isWhole ? {} : { finishFlush: constants.Z_SYNC_FLUSH })
    : bytes;
  return {
    type: "stream",
    isGzip,
    pieces: cutAt(sent, cutsOf(sent, { frames: isGzip ? [] : frames, faults })),
    lateMs: faultOf(faults, "late")?.ms ?? 0,
    pauseMs: faultOf(faults, "slow")?.ms ?? 0,
    end,
  };
}

function faultOf<T extends Fault["type"]>(
  faults: readonly Fault[],
  type: T,
): (Fault & { readonly type: T }) | undefined {
  return faults.find((fault): fault is Fault & { readonly type: T } => fault.type === type);
}

function refusal(
  { status, headers, body }: Extract<Fault, { type: "status" }>,
  wire: ScriptedWire,
): Plan {
  const said = typeof body === "string" ? body : JSON.stringify(body);
  return {
    type: "refuse",
    status,
    headers: { "content-type": "application/json", ...headers },
    body: said ?? wire.errorBody(status, "The script asked for this error."),
  };
}

function withCrlf(frame: Frame): Frame {
  const text = frame.bytes.toString("latin1").replaceAll("\n", "\r\n");
  return { ...frame, bytes: Buffer.from(text, "latin1") };
}

/** The frames that are sent, the last one perhaps in part, and how they end. */
function brokenOff(
  frames: readonly Frame[],
  { wire, faults }: { readonly wire: ScriptedWire; readonly faults: readonly Fault[] },
): { readonly frames: readonly Frame[]; readonly end: "end" | "cut" | "reset" | "stall" } {
  const error = faultOf(faults, "error");
  if (error !== undefined) {
    const { error: type = "overloaded_error", message = "Overloaded" } = error;
    return {
      frames: [...wholeFramesUpTo(frames, error), wire.errorFrame(type, message)],
      end: "end",
    };
  }
  const fault = faultOf(faults, "cut") ?? faultOf(faults, "reset") ?? faultOf(faults, "stall");
  if (fault === undefined) return { frames, end: "end" };
  return { frames: framesUpTo(frames, offsetOf(frames, fault)), end: fault.type };
}

function framesUpTo(frames: readonly Frame[], offset: number): readonly Frame[] {
  const kept: Frame[] = [];
  let left = offset;
  for (const frame of frames) {
    if (left <= 0) break;
    kept.push({ ...frame, bytes: frame.bytes.subarray(0, left) });
    left -= frame.bytes.length;
  }
  return kept;
}

/** An error event stands between events, never inside one. */
function wholeFramesUpTo(frames: readonly Frame[], place: Place): readonly Frame[] {
  const offset = offsetOf(frames, place);
  let sum = 0;
  return frames.filter((frame) => (sum += frame.bytes.length) <= offset);
}

function offsetOf(frames: readonly Frame[], place: Place): number {
  if (place.bytes !== undefined) return place.bytes;
  if (place.events !== undefined) return lengthOf(frames.slice(0, place.events));
  if (place.call !== undefined) {
    const first = frames.findIndex((frame) => frame.call === place.call);
    const last = frames.findLastIndex((frame) => frame.call === place.call);
    if (first >= 0) {
      const before = lengthOf(frames.slice(0, first));
      return before + Math.floor(lengthOf(frames.slice(first, last + 1)) / 2);
    }
  }
  return Math.floor(lengthOf(frames) / 2);
}

const lengthOf = (frames: readonly Frame[]): number =>
  frames.reduce((sum, frame) => sum + frame.bytes.length, 0);

/** Where the bytes are cut into pieces: as the faults say, else after each event. */
function cutsOf(
  bytes: Uint8Array,
  how: { readonly frames: readonly Frame[]; readonly faults: readonly Fault[] },
): readonly number[] {
  const splits = faultOf(how.faults, "splits");
  if (splits !== undefined) return splits.at;
  const every = faultOf(how.faults, "pieces")?.bytes;
  if (every !== undefined) {
    const step = Math.max(1, Math.floor(every));
    return Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) => index * step);
  }
  let end = 0;
  return how.frames.map((frame) => (end += frame.bytes.length));
}

function cutAt(bytes: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const inside = cuts.filter((cut) => cut > 0 && cut < bytes.length).toSorted((a, b) => a - b);
  const edges = [0, ...inside, bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

import { setImmediate as nextTurn } from "node:timers/promises";
import type { FakeClock, Fault } from "#testing";
import { checkCut, checkWhole, type Check } from "./judge.ts";
import type { Recording } from "./recording.ts";

/** One answer of a wire, and what may become of it. */
export interface Run {
  /** The transform, by the id the fixtures give it. */
  readonly transform: string;
  readonly title: string;
  readonly sse: Buffer;
  readonly fault: readonly Fault[];
  readonly check: Check;
  /** Moves the clock while the answer is awaited. */
  readonly meanwhile?: (clock: FakeClock) => Promise<void>;
}

/** Transforms that must not change anything. */
export function sameRuns(recording: Recording): readonly Run[] {
  const { sse } = recording;
  const text = sse.toString("latin1");
  const first = { seen: null };
  const bytes = (changed: string): Buffer => Buffer.from(changed, "latin1");
  const run = (transform: string, changes: Partial<Run>): Run => ({
    transform,
    title: transform,
    sse,
    fault: [],
    check: checkWhole(recording, transform, first),
    ...changes,
  });
  const late: Fault = { type: "late", ms: 20_000 };
  const cutAt = (transform: string, at: number): Run =>
    run(transform, { title: `${transform} at ${at}`, fault: [{ type: "splits", at: [at] }] });
  return [
    run("whole", { fault: [{ type: "splits", at: [] }] }),
    run("whole", { title: "one write an event" }),
    run("bytes-1", { fault: [{ type: "pieces", bytes: 1 }] }),
    run("bytes-7", { fault: [{ type: "pieces", bytes: 7 }] }),
    ...insideCharacters(sse).map((at) => cutAt("split-inside-character", at)),
    ...insideLineEnds(text).map((at) => cutAt("split-inside-line-end", at)),
    ...(text.includes("\r") ? [] : [run("crlf", { fault: [{ type: "crlf" }] })]),
    run("comments", { sse: bytes(text.replaceAll(/(\r?\n)\1/g, "$&: keep-alive$1$1")) }),
    run("no-space-after-colon", { sse: bytes(text.replaceAll(/^(data|event): /gm, "$1:")) }),
    run("bom", { sse: Buffer.concat([Buffer.from("\uFEFF"), sse]) }),
    run("gzip", { fault: [{ type: "gzip" }, { type: "pieces", bytes: 100 }] }),
    run("slow-start", { fault: [late], meanwhile: waitAndAdvance(20_000) }),
  ];
}

const insideCharacters = (sse: Buffer): readonly number[] =>
  [...sse.keys()].filter((at) => ((sse[at] ?? 0) & 0xc0) === 0x80).slice(0, 64);

const insideLineEnds = (text: string): readonly number[] =>
  [...text.matchAll(/\r\n/g)].map((match) => match.index + 1).slice(0, 64);

const waitAndAdvance =
  (ms: number): NonNullable<Run["meanwhile"]> =>
  async (clock) => {
    while (clock.sleeping < 2) await nextTurn();
    await clock.advance(ms);
  };

/** Transforms that break the stream. */
export function brokenRuns(recording: Recording): readonly Run[] {
  const { sse, name } = recording;
  const events = sse.toString("latin1").split(/(?<=\r\n\r\n|\n\n)/);
  const half = Math.floor(sse.length / 2);
  return [
    ...cutsOf(events.length).map((index): Run => {
      const title = `${name} cut at event ${index}`;
      const check = checkCut(recording, events.slice(0, index).join(""), title);
      return {
        transform: "cut-at-event",
        title,
        sse,
        fault: [{ type: "cut", events: index }],
        check,
      };
    }),
    {
      transform: "reset-at-byte",
      title: "reset-at-byte",
      sse,
      fault: [{ type: "reset", bytes: half }],
      check: checkCut(recording, sse.subarray(0, half).toString("latin1"), `${name} reset`),
    },
  ];
}

/** After every event; after every fourth in the middle of the few very long streams, which are of one kind there. */
const cutsOf = (events: number): readonly number[] =>
  Array.from({ length: events }, (_, index) => index).filter(
    (index) => index < 50 || index > events - 20 || index % 4 === 0,
  );

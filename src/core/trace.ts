/** One thing that was seen when it was found out what became of a call: data, for faces in any language. */
export type Trace =
  | {
      readonly type:
        | "refused_before"
        | "not_begun"
        | "still_runs"
        | "end_recorded"
        | "rebooted"
        | "supervisor_gone";
    }
  | {
      readonly type: "file";
      readonly path: string;
      /** `gone`, `unreadable`, `other`: neither what it was before the call nor what the call was to write. */
      readonly now: "written" | "deleted" | "old" | "absent" | "gone" | "unreadable" | "other";
    };

/** The same as sentences, for the model, the journal and programs. */
export const evidenceOf = (traces: readonly Trace[]): string => traces.map(sentenceOf).join(" ");

const neither = "neither what it was before the call nor what the call was to write";

const ofFiles: Readonly<Record<Extract<Trace, { type: "file" }>["now"], string>> = {
  written: "has exactly the content the call was to write",
  deleted: "is gone, as the call wanted",
  old: "still has its old content",
  absent: "does not exist",
  gone: `is gone: ${neither}`,
  unreadable: `cannot be read: ${neither}`,
  other: `has other content: ${neither}`,
};

const ofRuns: Readonly<Record<Exclude<Trace["type"], "file">, string>> = {
  refused_before: "The call was refused before it ran.",
  not_begun: "The command had not begun, and its run was forbidden.",
  still_runs: "The command still runs.",
  end_recorded: "Its run folder holds how it ended.",
  rebooted: "The machine was started anew since, so its traces may be lost.",
  supervisor_gone: "It had begun, and its supervisor was killed before it could record the end.",
};

const sentenceOf = (trace: Trace): string =>
  trace.type === "file" ? `${trace.path} ${ofFiles[trace.now]}.` : ofRuns[trace.type];

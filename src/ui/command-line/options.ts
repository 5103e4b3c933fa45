import type { Words } from "#i18n";

type OptionGroup = "run" | "session" | "permission" | "limits" | "place" | "face";

export interface OptionRow {
  /** As commander takes them. */
  readonly flags: string;
  readonly word: keyof Words["options"];
  readonly group: OptionGroup;
  /** May be given several times. */
  readonly repeats?: true;
  /** Stands in `--help`, and exits 2: this version does not have it. */
  readonly later?: true;
}

/** Every option of the contract (section 1), in the order of `--help`. */
export const optionRows: readonly OptionRow[] = [
  { flags: "-p, --print", word: "print", group: "run" },
  { flags: "--output-format <format>", word: "outputFormat", group: "run" },
  { flags: "--input-format <format>", word: "inputFormat", group: "run" },
  { flags: "--include-signals", word: "includeSignals", group: "run" },
  { flags: "--json-schema <file>", word: "jsonSchema", group: "run" },
  { flags: "-m, --model <provider/model>", word: "model", group: "run" },
  { flags: "--thinking <level>", word: "thinking", group: "run" },
  { flags: "--base-url <url>", word: "baseUrl", group: "run" },
  { flags: "--fallback-model <model>", word: "fallbackModel", group: "run" },
  { flags: "-c, --continue", word: "continue", group: "session" },
  { flags: "-r, --resume [id]", word: "resume", group: "session" },
  { flags: "--fork <id@seq>", word: "fork", group: "session" },
  { flags: "--dir <dir>", word: "dir", group: "session", later: true },
  { flags: "--permission-mode <mode>", word: "permissionMode", group: "permission" },
  { flags: "--allow <rule>", word: "allow", group: "permission", repeats: true },
  { flags: "--ask <rule>", word: "ask", group: "permission", repeats: true },
  { flags: "--deny <rule>", word: "deny", group: "permission", repeats: true },
  { flags: "--sandbox <how>", word: "sandbox", group: "permission" },
  { flags: "--network <which>", word: "network", group: "permission", later: true },
  { flags: "--add-dir <dir>", word: "addDir", group: "permission", repeats: true },
  { flags: "--on-ask <what>", word: "onAsk", group: "permission" },
  { flags: "--max-turns <n>", word: "maxTurns", group: "limits" },
  { flags: "--max-cost <usd>", word: "maxCost", group: "limits" },
  { flags: "--max-tokens <n>", word: "maxTokens", group: "limits" },
  { flags: "--max-tool-calls <n>", word: "maxToolCalls", group: "limits" },
  { flags: "--max-time <duration>", word: "maxTime", group: "limits" },
  { flags: "--cwd <dir>", word: "cwd", group: "place" },
  { flags: "--worktree [name]", word: "worktree", group: "place" },
  { flags: "--config <file>", word: "config", group: "place" },
  { flags: "--no-project-config", word: "noProjectConfig", group: "place" },
  { flags: "--lang <lang>", word: "lang", group: "face" },
  { flags: "-q, --quiet", word: "quiet", group: "face" },
  { flags: "-v, --verbose", word: "verbose", group: "face" },
  { flags: "--no-color", word: "noColor", group: "face" },
  { flags: "--version", word: "version", group: "face" },
  { flags: "-h, --help", word: "help", group: "face" },
];

export interface CommandRow {
  readonly name: keyof Words["commands"];
  /** Its arguments, for `--help`. */
  readonly usage: string;
  /** Options of its own. */
  readonly options?: readonly OptionRow[];
  readonly later?: true;
}

const json: OptionRow = { flags: "--json", word: "json", group: "face" };
const offline: OptionRow = { flags: "--offline", word: "offline", group: "run" };

/** Every command of the contract (section 1). */
export const commandRows: readonly CommandRow[] = [
  {
    name: "sessions",
    usage: "[list|rm ID…|prune [DAYS]]",
    options: [json, { flags: "--all", word: "all", group: "session" }],
  },
  {
    name: "show",
    usage: "ID[@A..B]",
    options: [json, { flags: "--messages", word: "messages", group: "session" }],
  },
  { name: "config", usage: "", options: [json] },
  { name: "models", usage: "[PROVIDER…]", options: [json, offline] },
  { name: "doctor", usage: "", options: [json, offline] },
  { name: "init", usage: "" },
  { name: "completion", usage: "bash|zsh|fish" },
  { name: "demo", usage: "" },
  { name: "replay", usage: "ID", later: true },
  { name: "undo", usage: "[ID]", later: true },
  { name: "redo", usage: "", later: true },
  { name: "blame", usage: "FILE[:LINE]", later: true },
  { name: "why", usage: "CALL", later: true },
  { name: "audit", usage: "", later: true },
  { name: "verify", usage: "ID", later: true },
  { name: "policy", usage: "check|suggest|test", later: true },
  { name: "export", usage: "ID", later: true },
  { name: "import", usage: "FILE", later: true },
  { name: "bundle", usage: "ID", later: true },
  { name: "mcp", usage: "", later: true },
  { name: "inspect", usage: "", later: true },
  { name: "acp", usage: "", later: true },
  { name: "farm", usage: "", later: true },
];

/** How an option takes its value: decides where the first word that is no option stands. */
export function valueOf(row: OptionRow): "none" | "optional" | "required" {
  if (row.flags.includes("<")) return "required";
  return row.flags.includes("[") ? "optional" : "none";
}

/** `-m, --model <provider/model>` → `-m`, `--model`. */
export const namesOf = (row: OptionRow): readonly string[] =>
  row.flags.match(/(?<=^|\s)--?[\w-]+/g) ?? [];

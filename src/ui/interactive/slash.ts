import { type Mode, type ThinkingLevel, thinkingLevels } from "#core";
import { modes } from "#app/config";

/** A line that starts with a slash. */
export type Slash =
  | { readonly type: "help" | "exit" | "cost" | "sessions" | "clear" | "continue" | "compact" }
  | { readonly type: "model"; readonly model: string | null }
  | { readonly type: "mode"; readonly mode: Mode | null }
  | {
      readonly type: "thinking";
      readonly level: ThinkingLevel | null;
      readonly written: string | null;
    }
  | { readonly type: "resume"; readonly id: string | null }
  | { readonly type: "unknown"; readonly name: string };

const plain = ["help", "exit", "cost", "sessions", "clear", "continue", "compact"] as const;

/** Reads a command of the interactive face; null when the line is a prompt. */
export function slashIn(line: string): Slash | null {
  const [, name, rest = ""] = /^\/([a-z]+)(?:\s+(\S.*))?$/.exec(line.trim()) ?? [];
  // A path such as /etc/hosts is text for the model.
  if (name === undefined) return null;
  const value = rest.trim() === "" ? null : rest.trim();
  const known = plain.find((one) => one === name) ?? (name === "quit" ? "exit" : undefined);
  if (known !== undefined) return { type: known };
  if (name === "model") return { type: "model", model: value };
  if (name === "resume") return { type: "resume", id: value };
  if (name === "thinking") {
    const level = thinkingLevels.find((one) => one === value) ?? null;
    return { type: "thinking", level, written: value };
  }
  if (name !== "mode") return { type: "unknown", name };
  return { type: "mode", mode: modes.find((mode) => mode === value && mode !== "auto") ?? null };
}

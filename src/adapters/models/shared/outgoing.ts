import { PawlError, type JsonObject, type LongText, type Opaque } from "#core";
import type { ModelRequest, Section, ToolSpec } from "#runtime";
import { isJsonObject } from "./json-read.ts";

/** What every wire does to the parts of a request. */

/** `anthropic/claude-x` → `claude-x`. */
export function modelName(ref: string): string {
  return ref.slice(ref.indexOf("/") + 1);
}

/** What stays the same comes first; parts without a word are left out. */
export function saidSections(sections: readonly Section[]): readonly Section[] {
  const said = sections.filter((section) => section.text.trim() !== "");
  return [...said.filter((section) => section.stable), ...said.filter(({ stable }) => !stable)];
}

/** In the order of their names, whatever order they were registered in: the prefix stays the same. */
export function orderedTools({ tools }: ModelRequest): readonly ToolSpec[] {
  return tools.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** A model may make up a name the API then refuses in its own history. */
export function sendableToolName(name: string, longest: number): string {
  const allowed = name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, longest);
  return allowed === "" ? "unnamed" : allowed;
}

/** Opaque data as fields, when this provider is its owner. */
export function ownData(opaque: Opaque | undefined, provider: string): JsonObject {
  return opaque?.provider === provider && isJsonObject(opaque.data) ? opaque.data : {};
}

/** @throws PawlError `blob_in_request` */
export function wholeText(text: LongText): string {
  if (typeof text === "string") return text;
  throw new PawlError(
    "blob_in_request",
    `A model request holds a reference to blob ${text.blob} where its text belongs. Requests are built whole: read the blob first.`,
  );
}

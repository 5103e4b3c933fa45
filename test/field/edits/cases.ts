import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "#core";
import { readJson } from "../fixtures.ts";

/** A call, or a change by somebody else. */
interface Step {
  readonly [name: string]: string;
}

/** One case; its form is said in the README of the fixtures. */
export interface Case {
  readonly id: string;
  readonly path?: string;
  readonly before?: string | null;
  readonly beforeBase64?: string;
  readonly edit?: JsonObject;
  readonly edits?: readonly JsonObject[];
  readonly patch?: string;
  readonly call?: Step;
  readonly steps?: readonly Step[];
  readonly tree?: Readonly<Record<string, string>>;
  readonly treeBase64?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly outside?: Readonly<Record<string, string>>;
  readonly mode?: Readonly<Record<string, string>>;
  readonly expect?: {
    readonly ok: boolean;
    readonly error?: string;
    readonly after?: string;
    readonly afterBase64?: string;
    readonly tree?: Readonly<Record<string, string>>;
    readonly links?: Readonly<Record<string, string>>;
    readonly mode?: Readonly<Record<string, string>>;
    /** Of several edits, the index of the one that fails. */
    readonly failedEdit?: number;
  };
  readonly after?: string;
  /** An error, or `applied` or `overwritten`, that counts as right too. */
  readonly alsoAccept?: string;
}

export interface CaseFile {
  readonly name: string;
  readonly cases: readonly Case[];
}

/** All `*.json` of a folder that hold cases. */
export function caseFiles(folder: string): readonly CaseFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.toSorted().flatMap((name) => {
    const file = readJson(join(folder, name));
    const cases: unknown = Reflect.get(Object(file), "cases");
    return Array.isArray(cases) ? [{ name, cases }] : [];
  });
}

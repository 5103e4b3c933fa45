/** Which layer may import which. The order of the design: ui → app → adapters → runtime → core. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  runtime: ["core"],
  adapters: ["runtime", "core"],
  i18n: ["core"],
  app: ["adapters", "runtime", "core", "i18n"],
  ui: ["app", "adapters", "runtime", "core", "i18n"],
  testing: ["adapters", "runtime", "core"],
  bin: ["ui"],
};

/** Layers that use no package at all. */
const WITHOUT_PACKAGES = ["core", "runtime"];

/** Adapter groups that other groups may build on: files on disk are written, and proxies found, in one place. */
const SHARED_GROUPS: Readonly<Record<string, readonly string[]>> = {
  tools: ["workspace", "exec", "network"],
  models: ["network"],
  workspace: ["system"],
  stores: ["system"],
  exec: ["system"],
};

/** The folder of an adapter group that its members share. */
const SHARED_FOLDER = "shared";

/** `src/runtime/driver.ts` → `runtime`; null for a file that is in no known layer. */
export function layerOf(path: string): string | null {
  const [root, layer, ...rest] = path.split("/");
  return root === "src" && layer && rest.length > 0 && layer in MAY_IMPORT ? layer : null;
}

/** May a file of one layer import another layer? */
export function mayImport(from: string, to: string): boolean {
  return MAY_IMPORT[from]?.includes(to) ?? false;
}

/** May a file of this layer import a package, or a module of Node? */
export function mayImportPackage(layer: string, specifier: string): boolean {
  if (specifier.startsWith("node:")) return layer !== "core";
  return !WITHOUT_PACKAGES.includes(layer);
}

/** May one adapter import another? Its own folder, its group's own files and shared folder only. */
export function mayImportAdapter(from: string, to: string): boolean {
  const source = adapterOf(from);
  const target = adapterOf(to);
  if (source.group !== target.group) {
    return SHARED_GROUPS[source.group]?.includes(target.group) ?? false;
  }
  const isGroupFile = source.member === null || target.member === null;
  return isGroupFile || source.member === target.member || target.member === SHARED_FOLDER;
}

/** `src/adapters/models/anthropic/wire.ts` → group `models`, member `anthropic`. */
function adapterOf(path: string): { readonly group: string; readonly member: string | null } {
  const [, , group = "", ...rest] = path.split("/");
  return { group, member: rest.length > 1 ? (rest[0] ?? null) : null };
}

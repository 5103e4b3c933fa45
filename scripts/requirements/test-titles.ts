import { parseSync } from "rolldown/utils";

/** The titles of a test file: what `test`, `it`, `suite`, `describe` or a `title:` field says. */
export function testTitles(path: string, text: string): string[] {
  return titlesIn(parseSync(path, text).program);
}

/** `R43`, `R61–R64` and `[S07, S08]` in a title. */
export function idsIn(title: string): string[] {
  const rows = [...title.matchAll(/\bR(\d{1,3})(?:\s*[-–]\s*R?(\d{1,3}))?\b/g)].flatMap(
    ([, first, last]) => numbers(Number(first), Number(last ?? first)).map((n) => `R${n}`),
  );
  const cases = [...title.matchAll(/\[([A-Z]\d\d(?:,? [A-Z]\d\d)*)\]/g)].flatMap(([, list = ""]) =>
    list.split(/,? /),
  );
  return [...rows, ...cases];
}

function numbers(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

const TITLED = new Set(["test", "it", "suite", "describe"]);

function titlesIn(node: unknown): string[] {
  if (!isNode(node)) return [];
  const inside = Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.flatMap(titlesIn) : titlesIn(value),
  );
  return [...ownTitle(node), ...inside];
}

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function ownTitle(node: Node): string[] {
  const { type, callee, key } = node;
  if (type === "CallExpression" && isNode(callee) && TITLED.has(String(callee["name"]))) {
    return Array.isArray(node["arguments"]) ? textOf(node["arguments"][0]) : [];
  }
  const isTitle = type === "Property" && isNode(key) && key["name"] === "title";
  return isTitle ? textOf(node["value"]) : [];
}

/** The text of a string or template; what a template computes becomes `…`. */
function textOf(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node["type"] === "Literal") return [String(node["value"])];
  const { quasis } = node;
  if (!Array.isArray(quasis)) return [];
  const parts = quasis.map((quasi: unknown) => {
    const value = isNode(quasi) ? quasi["value"] : null;
    return isNode(value) ? String(value["cooked"]) : "";
  });
  return [parts.join("…")];
}

/** The words of the text protocol. Both directions take them from here. */

/** Blocks of calls: ours, and one that some models have learnt elsewhere. */
export const blockTags: readonly string[] = ["tool_calls", "function_calls"];
export const blockTag = "tool_calls";
export const resultsTag = "tool_results";

/** What a tag's name says, as an attribute. */
export function attribute(name: string): string {
  return name
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/\s/g, " ");
}

/** The `name` of a tag as its text stands, from `<` to `>`; null when it has none. */
export function nameIn(tag: string): string | null {
  const found = /\sname\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/.exec(tag);
  const name = found?.[1] ?? found?.[2] ?? found?.[3];
  return name === undefined ? null : unescaped(name);
}

const unescaped = (text: string): string =>
  text
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

/**
 * A tag with a value exactly as it is. A value that holds the tag itself gets a numbered one, which it does not hold:
 * nothing is escaped, and the first closing tag is always the right one.
 */
export function tagged(
  tag: "parameter" | "result",
  { attributes, value }: { readonly attributes: string; readonly value: string },
): string {
  const name = freeName(tag, value);
  return `<${name}${attributes}>${value}</${name}>`;
}

function freeName(tag: "parameter" | "result", value: string): string {
  const taken = new Set(
    [...value.matchAll(tagsIn[tag])].map(([, number = ""]) => Number(number.slice(1))),
  );
  if (taken.size === 0) return tag;
  for (let number = 2; ; number += 1) if (!taken.has(number)) return `${tag}-${number}`;
}

/** The second also where the block of results ends. */
const tagsIn = {
  parameter: /<\/?parameter(-\d+)?(?![\w-])/g,
  result: /<\/?(?:result|tool_results)(-\d+)?(?![\w-])/g,
};

/** A value that holds such a tag belongs into a numbered one. */
export const holdsParameterTag = (value: string): boolean =>
  /<\/?parameter(-\d+)?(?![\w-])/.test(value);

import { Parser } from "htmlparser2";
import {
  emphasis,
  isHidden,
  languageOf,
  lines,
  paragraphs,
  startOf,
  unread,
  type Attributes,
} from "./elements.ts";
import { flow, type Flow } from "./flow.ts";
import { indented, tableText } from "./lines.ts";

export interface Page {
  readonly title: string;
  readonly markdown: string;
  /** False: it was nested so deeply that the rest was not read. */
  readonly isWhole: boolean;
}

interface ListPlace {
  /** Number of the next item; null for bullets. */
  next: number | null;
}

interface TablePlace {
  rows: string[][];
}

/** Lists, quotes and cells deeper than this are not indented any more: the indentation would be most of the text. */
const mostNested = 12;
/** Open elements at once; the parser's time grows with their square. Pages that close nothing have some thousands. */
const mostOpen = 10_000;
/** Characters between two looks at how deep it is. */
const sliceLength = 1 << 16;

/**
 * HTML as Markdown, in one pass over the text and without recursion, because pages may be hostile. Nothing is
 * escaped: it is to be read, not to be shown. Links are absolute; what is hidden from people is left out.
 */
export function toMarkdown(html: string, address: string): Page {
  const titles: string[] = [];
  const closers: (() => void)[] = [];
  const lists: ListPlace[] = [];
  const tables: TablePlace[] = [];
  let at: Flow = flow();
  let nested = 0;
  let base = address;
  /** Open elements whose inside is left out. */
  let left = 0;
  let isTitle = false;
  /** Text of the open `pre`; null outside of one. */
  let code: string[] | null = null;
  let language = "";

  const parser = new Parser({
    onopentag(name, attributes) {
      closers.push(opened(name, attributes));
    },
    ontext(text) {
      if (isTitle) titles.push(text);
      else if (left > 0) return;
      else if (code === null) at.words(text);
      else code.push(text);
    },
    onclosetag() {
      closers.pop()?.();
    },
  });
  let read = 0;
  for (; read < html.length && closers.length <= mostOpen; read += sliceLength) {
    parser.write(html.slice(read, read + sliceLength));
  }
  const isWhole = closers.length <= mostOpen;
  if (isWhole) parser.end();
  while (closers.length > 0) closers.pop()?.();
  return { title: titles.join("").replace(/\s+/g, " ").trim(), markdown: at.text(), isWhole };

  /** @returns what is to be done when the element ends */
  function opened(name: string, attributes: Attributes): () => void {
    if (name === "base" && attributes["href"]) base = absolute(attributes["href"]) ?? base;
    if (name === "title" && titles.length === 0) return title();
    if (left > 0 || unread.has(name) || isHidden(attributes)) return leftOut();
    if (code !== null) return inCode(name, attributes);
    gapAround(name);
    const inside = element(name, attributes);
    return () => {
      inside?.();
      gapAround(name);
    };
  }

  function gapAround(name: string): void {
    const isInList = lists.length > 0 && (name === "ul" || name === "ol");
    if (lines.has(name) || isInList) at.gap(1);
    else if (paragraphs.has(name)) at.gap(2);
  }

  function title(): () => void {
    isTitle = true;
    return () => {
      isTitle = false;
    };
  }

  function leftOut(): () => void {
    left += 1;
    return () => {
      left -= 1;
    };
  }

  function inCode(name: string, attributes: Attributes): () => void {
    if (name === "br") code?.push("\n");
    if (name === "code" && language === "") language = languageOf(attributes);
    return () => {};
  }

  function element(name: string, attributes: Attributes): (() => void) | null {
    const mark = emphasis.get(name);
    if (mark !== undefined) return marked(mark, mark);
    if (/^h[1-6]$/.test(name)) return marked(`${"#".repeat(Number(name[1]))} `, "");
    switch (name) {
      case "a":
        return link(attributes["href"]);
      case "img":
        return image(attributes);
      case "br":
        at.gap(1);
        return null;
      case "hr":
        at.block("---", 2);
        return null;
      case "pre":
        return fenced(attributes);
      case "blockquote":
        return within((text) => at.block(indented(text, "> ", "> "), 2));
      case "ul":
      case "ol":
        return list(name === "ol" ? startOf(attributes) : null);
      case "li":
        return item();
      case "table":
        return table();
      case "tr":
        tables.at(-1)?.rows.push([]);
        at.gap(1);
        return null;
      case "td":
      case "th":
        return cell();
      default:
        return null;
    }
  }

  function marked(open: string, close: string): () => void {
    const here = at;
    here.open(open);
    return () => here.close(close, open);
  }

  function link(href: string | undefined): (() => void) | null {
    const target = href === undefined ? null : absolute(href);
    return target === null ? null : marked("[", `](${target})`);
  }

  function image({ src, alt }: Attributes): null {
    const target = src === undefined ? null : absolute(src);
    const said = alt?.replace(/\s+/g, " ").trim() ?? "";
    if (target !== null && said !== "") at.raw(`![${said}](${target})`);
    return null;
  }

  function fenced(attributes: Attributes): () => void {
    code = [];
    language = languageOf(attributes);
    return () => {
      const text = (code?.join("") ?? "").replace(/^\n|\s+$/g, "");
      code = null;
      const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
      const fence = "`".repeat(longest + 1);
      if (text !== "") at.block(`${fence}${language}\n${text}\n${fence}`, 2);
    };
  }

  /** What is inside is put together apart. */
  function within(ended: (text: string) => void): (() => void) | null {
    if (nested >= mostNested) return null;
    const outer = at;
    at = flow();
    nested += 1;
    return () => {
      const text = at.text();
      at = outer;
      nested -= 1;
      if (text !== "") ended(text);
    };
  }

  function list(next: number | null): () => void {
    lists.push({ next });
    return () => void lists.pop();
  }

  function item(): (() => void) | null {
    const place = lists.at(-1);
    const number = place?.next ?? null;
    const mark = number === null ? "- " : `${number}. `;
    if (place !== undefined && number !== null) place.next = number + 1;
    at.gap(1);
    return within((text) => at.block(indented(text, mark, " ".repeat(mark.length)), 1));
  }

  function table(): (() => void) | null {
    const own: TablePlace = { rows: [] };
    const inside = within(() => {});
    if (inside === null) return null;
    tables.push(own);
    return () => {
      tables.pop();
      const caption = at.text();
      inside();
      at.block(caption, 1);
      at.block(tableText(own.rows), 2);
    };
  }

  function cell(): (() => void) | null {
    const row = tables.at(-1)?.rows.at(-1);
    if (row === undefined) return null;
    const index = row.push("") - 1;
    return within((text) => {
      row[index] = text;
    });
  }

  function absolute(href: string): string | null {
    const url = URL.parse(href.trim(), base);
    return url !== null && /^(?:https?|mailto|ftp):$/.test(url.protocol) ? url.href : null;
  }
}

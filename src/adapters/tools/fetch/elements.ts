export type Attributes = Readonly<Record<string, string>>;

/** Elements whose inside nobody reads. */
export const unread: ReadonlySet<string> = new Set(
  "script style noscript template svg canvas iframe object audio video select button textarea dialog head math".split(
    " ",
  ),
);
/** Stand apart from what is around them. */
export const paragraphs: ReadonlySet<string> = new Set(
  "p table ul ol dl pre blockquote figure h1 h2 h3 h4 h5 h6".split(" "),
);
/** Begin and end a line. */
export const lines: ReadonlySet<string> = new Set(
  "div section article main header footer nav aside form fieldset address details summary figcaption dt dd center body legend".split(
    " ",
  ),
);
export const emphasis: ReadonlyMap<string, string> = new Map([
  ["strong", "**"],
  ["b", "**"],
  ["em", "*"],
  ["i", "*"],
  ["del", "~~"],
  ["s", "~~"],
  ["code", "`"],
  ["kbd", "`"],
  ["samp", "`"],
]);

export const isHidden = (attributes: Attributes): boolean =>
  attributes["hidden"] !== undefined ||
  attributes["aria-hidden"] === "true" ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes["style"] ?? "");

export const startOf = ({ start = "1" }: Attributes): number => {
  const number = Number.parseInt(start, 10);
  return Number.isSafeInteger(number) ? number : 1;
};

export const languageOf = ({ class: classes = "" }: Attributes): string =>
  /\blang(?:uage)?-([\w+#-]+)/.exec(classes)?.[1] ?? "";

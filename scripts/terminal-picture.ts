// Turns terminal output (colours as ANSI codes) into the picture of the READMEs:
// npm run demo -- --lang en | npm exec -- node scripts/terminal-picture.ts "npm run demo" > docs/terminal.svg

import { text } from "node:stream/consumers";

const FONT_PX = 13;
const CELL_PX = 7.83;
const LINE_PX = 18;
const PADDING_PX = 16;
const BAR_PX = 30;
const COLUMNS = 108;

/** Foreground colours by their ANSI number. */
const COLOURS: Readonly<Record<number, string>> = {
  31: "#f07178",
  32: "#a5d6a7",
  33: "#ffcb6b",
  34: "#82aaff",
  35: "#c792ea",
  36: "#89ddff",
  90: "#7a8594",
};

/** All off, weight off, colour off: nothing here nests, so each ends everything. */
const RESETS: ReadonlySet<number> = new Set([0, 22, 39]);

const escape = (plain: string): string =>
  plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function style(codes: readonly number[]): string {
  const colour = codes.map((code) => COLOURS[code]).find((found) => found !== undefined);
  const bold = codes.includes(1) ? ' font-weight="bold"' : "";
  const dim = codes.includes(2) ? ' fill="#7a8594"' : "";
  return `${colour === undefined ? dim : ` fill="${colour}"`}${bold}`;
}

function spans(line: string): string {
  const [plain = "", ...coloured] = line.split("\u001B[");
  let codes: readonly number[] = [];
  let out = `<tspan>${escape(plain)}</tspan>`;
  for (const part of coloured) {
    const end = part.indexOf("m");
    const numbers = part.slice(0, end).split(";").map(Number);
    codes = numbers.some((code) => RESETS.has(code)) ? [] : [...codes, ...numbers];
    out += `<tspan${style(codes)}>${escape(part.slice(end + 1))}</tspan>`;
  }
  return out;
}

const cut = (line: string): string =>
  line.length > COLUMNS * 2 ? line.slice(0, COLUMNS * 2) : line;

const title = process.argv[2] ?? "pawl";
const lines = (await text(process.stdin)).replace(/\n+$/, "").split("\n").map(cut);
const width = Math.round(COLUMNS * CELL_PX + 2 * PADDING_PX);
const height = BAR_PX + lines.length * LINE_PX + 2 * PADDING_PX;
const rows = lines
  .map((line, index) => {
    const y = BAR_PX + PADDING_PX + (index + 0.8) * LINE_PX;
    return `<text x="${PADDING_PX}" y="${y.toFixed(1)}" xml:space="preserve">${spans(line)}</text>`;
  })
  .join("\n");
console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">
<rect width="100%" height="100%" rx="8" fill="#12161c"/>
<circle cx="18" cy="15" r="5" fill="#f07178"/><circle cx="36" cy="15" r="5" fill="#ffcb6b"/><circle cx="54" cy="15" r="5" fill="#a5d6a7"/>
<text x="${width / 2}" y="19" fill="#7a8594" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12" text-anchor="middle">${escape(title)}</text>
<g fill="#d8dee9" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_PX}">
${rows}
</g>
</svg>`);

import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Colour comes from here alone; text from elsewhere is neutralised before it is styled. */
export interface Style {
  readonly dim: Paint;
  readonly bold: Paint;
  readonly good: Paint;
  readonly bad: Paint;
  readonly mark: Paint;
}

type Paint = (text: string) => string;

/** @param wish `never` for `--no-color`, `NO_COLOR` and streams that are no terminal */
export function styleFor(wish: "always" | "never"): Style {
  const paint =
    (format: Format): Paint =>
    (text) =>
      wish === "always" ? styleText(format, text, { validateStream: false }) : text;
  return {
    dim: paint("dim"),
    bold: paint("bold"),
    good: paint("green"),
    bad: paint("red"),
    mark: paint("cyan"),
  };
}

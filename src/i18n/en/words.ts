import { commandLine } from "./command-line.ts";
import { commandTexts } from "./commands.ts";
import { demoTexts } from "./demo.ts";
import { facts } from "./facts.ts";
import { run } from "./run.ts";
import { settings } from "./settings.ts";
import { told } from "./told.ts";

type Parts = typeof commandLine &
  typeof commandTexts &
  typeof demoTexts &
  typeof facts &
  typeof run &
  typeof settings &
  typeof told;

/** The shape that every catalogue must have: that of English. */
export type Words = { readonly [Group in keyof Parts]: Parts[Group] };

export const english: Words = {
  ...commandLine,
  ...commandTexts,
  ...demoTexts,
  ...facts,
  ...run,
  ...settings,
  ...told,
};

import type { Words } from "../en/words.ts";
import { commandLine } from "./command-line.ts";
import { commandTexts } from "./commands.ts";
import { demoTexts } from "./demo.ts";
import { facts } from "./facts.ts";
import { run } from "./run.ts";
import { settings } from "./settings.ts";
import { told } from "./told.ts";

/** Simplified Chinese. */
export const chinese: Words = {
  ...commandLine,
  ...commandTexts,
  ...demoTexts,
  ...facts,
  ...run,
  ...settings,
  ...told,
};

import { inFolder } from "#app";
import type { EffectReport } from "#core";
import type { Words } from "#i18n";

/** What a call really changed, in a few words. */
export function effectText(effect: EffectReport, cwd: string, { progress }: Words): string {
  switch (effect.type) {
    case "file_written": {
      const lines = effect.lines === null ? "" : progress.lines(...effect.lines);
      return progress.wrote(effect.bytes, inFolder(effect.path, cwd), lines);
    }
    case "file_deleted":
      return progress.deleted(inFolder(effect.path, cwd));
    case "process_ran":
      return effect.exitCode === null ? progress.noExit : progress.exit(effect.exitCode);
    case "request_sent":
      return `${effect.url} ${effect.status ?? ""}`.trim();
    case "agent_ran":
      return effect.sessionId;
    default:
      return effect satisfies never;
  }
}

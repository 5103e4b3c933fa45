import type { Words } from "#i18n";
import { PawlError } from "#core";
import type { Start } from "../starting-point.ts";

export type RunCommand = (start: Start) => Promise<number>;

/** The code of a command, loaded when it is asked for. @throws PawlError `not_in_this_version` */
export async function commandFor(name: string, words: Words): Promise<RunCommand> {
  switch (name) {
    case "sessions":
      return (await import("./sessions.ts")).sessions;
    case "show":
      return (await import("./show.ts")).show;
    case "config":
      return (await import("./config.ts")).config;
    case "models":
      return (await import("./models.ts")).models;
    case "doctor":
      return (await import("./doctor.ts")).doctor;
    case "init":
      return (await import("./init.ts")).init;
    case "completion":
      return (await import("./completion.ts")).completion;
    case "demo":
      return (await import("../demo/index.ts")).demo;
    default:
      throw new PawlError("not_in_this_version", words.usage.notYet(`pawl ${name}`));
  }
}

import type { EpochMs } from "#core";
import type { AnyTool } from "#runtime";
import { defineTool } from "../define-tool.ts";
import { done } from "../shared/ends.ts";
import { text as description } from "./time.generated.ts";

/** `time`: the local date and time. */
export function timeTool(): AnyTool {
  return defineTool({
    name: "time",
    description,
    fields: {},
    recovery: "rerun",
    need: () => ({ access: "read", resources: [] }),
    run: async (_input, { clock }) => done(localTime(clock.now())),
  });
}

function localTime(at: EpochMs): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long" }).format(at);
  const moment = new Date(at);
  const date = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
    .map(padded)
    .join("-");
  const time = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(padded).join(":");
  return `${date} ${time} ${offsetOf(moment)} (${zone}), ${weekday}`;
}

const padded = (number: number): string => String(number).padStart(2, "0");

function offsetOf(moment: Date): string {
  const minutes = -moment.getTimezoneOffset();
  const sign = minutes < 0 ? "-" : "+";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${sign}${padded(hours)}:${padded(rest)}`;
}

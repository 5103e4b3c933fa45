import type { Json } from "#core";
import { fieldsOf, ScriptProblem, type Fields } from "./script-fields.ts";

/** A place in a reply. Without any: the middle of its bytes. */
export interface Place {
  /** After so many bytes of the body. */
  readonly bytes?: number;
  /** After so many events. */
  readonly events?: number;
  /** In the middle of the arguments of this call, counted from 0. */
  readonly call?: number;
}

interface Times {
  /** How often the turn goes wrong before it goes right. Default 1; a large number: always. */
  readonly times?: number;
}

/** What goes wrong with a reply on its way. */
export type Fault = Times &
  (
    | (Place & {
        /** The connection is closed, is reset, or stays open in silence. */
        readonly type: "cut" | "reset" | "stall";
      })
    | (Place & {
        /** An error event, then the end. Default: `overloaded_error`, "Overloaded". */
        readonly type: "error";
        readonly error?: string;
        readonly message?: string;
      })
    | {
        /** An HTTP error instead of a stream. Default body: the API's own for that status. */
        readonly type: "status";
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>>;
        readonly body?: unknown;
      }
    | {
        /** `late`: headers at once, the body after a while. `slow`: a pause before each piece. */
        readonly type: "late" | "slow";
        readonly ms: number;
      }
    | {
        /** Pieces of so many bytes instead of one an event. */
        readonly type: "pieces";
        readonly bytes: number;
      }
    | {
        /** Cut into pieces at these bytes. */
        readonly type: "splits";
        readonly at: readonly number[];
      }
    | {
        /** CR LF as line ends; compressed. */
        readonly type: "crlf" | "gzip";
      }
  );

/** One fault or a list of them. @throws ScriptProblem */
export function parseFaults(json: unknown, at: string): readonly Fault[] {
  if (json === undefined) return [];
  if (!Array.isArray(json)) return [parseFault(json, at)];
  return json.map((fault: unknown, index) => parseFault(fault, `${at}[${index}]`));
}

const placeKeys = ["type", "times", "bytes", "events", "call"];

function parseFault(json: unknown, at: string): Fault {
  const fields = fieldsOf(json, at);
  const type = fields.string("type") ?? "";
  const times = fields.count("times") ?? 1;
  switch (type) {
    case "cut":
    case "reset":
    case "stall":
      return { type, times, ...placeOf(fields.only(placeKeys)) };
    case "error": {
      fields.only([...placeKeys, "error", "message"]);
      const error = fields.string("error") ?? "overloaded_error";
      const message = fields.string("message") ?? "Overloaded";
      return { type, times, error, message, ...placeOf(fields) };
    }
    case "status":
      return { type, times, ...statusOf(fields.only(["type", "times", ...statusKeys])) };
    case "late":
    case "slow":
      return { type, times, ms: needed(fields.only(["type", "times", "ms"]), "ms", at) };
    case "pieces":
      return { type, times, bytes: needed(fields.only(["type", "times", "bytes"]), "bytes", at) };
    case "splits": {
      const places = fields.only(["type", "times", "at"]).list("at") ?? [];
      return { type, times, at: places.filter((place) => typeof place === "number") };
    }
    case "crlf":
    case "gzip":
      fields.only(["type", "times"]);
      return { type, times };
    default:
      throw new ScriptProblem(`${at}.type is none of ${types}`);
  }
}

const types = "cut, reset, stall, error, status, late, slow, pieces, splits, crlf, gzip";
const statusKeys = ["status", "headers", "body"];

function statusOf(fields: Fields): Omit<Extract<Fault, { type: "status" }>, "type" | "times"> {
  const headers = Object.entries(fields.object("headers") ?? {});
  return {
    status: fields.count("status") ?? 500,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), text(value)])),
    ...(fields.has("body") ? { body: fields.value("body") } : {}),
  };
}

const text = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

function needed(fields: Fields, key: string, at: string): number {
  const value = fields.count(key);
  if (value === undefined) throw new ScriptProblem(`${at}.${key} is missing`);
  return value;
}

function placeOf(fields: Fields): Place {
  const bytes = fields.count("bytes");
  const events = fields.count("events");
  const call = fields.count("call");
  return {
    ...(bytes === undefined ? {} : { bytes }),
    ...(events === undefined ? {} : { events }),
    ...(call === undefined ? {} : { call }),
  };
}

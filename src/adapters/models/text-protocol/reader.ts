// Over 250 lines: the states of one reader, each a few lines; apart they could not be followed.
import type { WireCall } from "#core";
import type { ToolSpec } from "#runtime";
import { jsonEnd } from "./json-end.ts";
import {
  callOfBody,
  callOfJson,
  cutCall,
  numbered,
  openCall,
  withFault,
  type OpenCall,
} from "./open-call.ts";
import { openerAt, type Opener } from "./opener.ts";
import { proseWalker } from "./prose.ts";
import { nameIn } from "./tags.ts";

/** What a reply's text turns out to be, in order. */
export type Found =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "begun"; readonly tool: string }
  /** A call whose end has come, or the cut one at the end. */
  | { readonly type: "call"; readonly call: WireCall };

/** What is known when the reply is over. */
interface ReadEnd {
  readonly found: readonly Found[];
  /** Characters behind the calls, which count for nothing. */
  readonly ignored: number;
  /** What those characters say of the last call: it must not run. */
  readonly fault: string | null;
}

export interface TextReader {
  /** What one more piece of the text gives. */
  push(text: string): readonly Found[];
  /** @param is `whole`: the model ended the reply by itself; `cut`: it was broken off */
  end(is: "whole" | "cut"): ReadEnd;
}

/** Does some of what is pending; false when more must come first. */
type Mode = () => boolean;

/**
 * Reads calls out of the text of one reply. Text is shown as soon as it can be no call, and white space once something
 * follows it. Each character is looked at a bounded number of times, however the text is cut into pieces.
 */
export function textReader(tools: readonly ToolSpec[]): TextReader {
  const walk = proseWalker();
  let pending = "";
  let found: Found[] = [];
  let mode: Mode = prose;
  /** White space that is text only when text follows. */
  let held = "";
  let opener: Opener = { kind: "bare", end: null, length: 0 };
  let call: OpenCall | null = null;
  /** A call that has ended in a block that has not. */
  let closed: WireCall | null = null;
  let value = { name: "", tag: "", parts: [] as string[] };
  let json = { ends: jsonEnd(), parts: [] as string[], isWhole: false };
  let ignored = 0;
  let fault: string | null = null;
  let isJudged = false;

  const take = (length: number): string => {
    const taken = pending.slice(0, length);
    pending = pending.slice(length);
    return taken;
  };
  const switchTo = (next: Mode): true => {
    mode = next;
    return true;
  };

  function show(text: string): void {
    if (text.trim() === "") {
      held += text;
      return;
    }
    const all = held + text;
    const kept = all.trimEnd();
    held = all.slice(kept.length);
    if (kept !== "") found.push({ type: "text", text: kept });
  }

  function prose(): boolean {
    const step = walk(pending, "open");
    show(take(step.text));
    return step.next !== null && step.next !== "wait" && begin(step.next);
  }

  function begin(next: Opener): true {
    opener = next;
    take(opener.length);
    if (opener.kind === "think") return switchTo(thinking);
    held = "";
    if (opener.kind !== "json") return switchTo(between);
    json = { ends: jsonEnd(), parts: [], isWhole: false };
    return switchTo(inJson);
  }

  function thinking(): boolean {
    const { before, isThere } = upTo("</think>");
    if (before !== "") found.push({ type: "thinking", text: before });
    return isThere && switchTo(afterThinking);
  }

  function afterThinking(): boolean {
    pending = pending.trimStart();
    return pending !== "" && switchTo(prose);
  }

  /** Takes what stands before a text, and the text itself when it is there. */
  function upTo(mark: string): { readonly before: string; readonly isThere: boolean } {
    const at = pending.indexOf(mark);
    if (at < 0) return { before: take(beforePartOf(mark, pending)), isThere: false };
    const before = take(at);
    take(mark.length);
    return { before, isThere: true };
  }

  /** Between the tags of a block. */
  function between(): boolean {
    take(pending.length - pending.trimStart().length);
    if (pending === "") return false;
    const invoke = tagAt("<invoke");
    if (invoke === "") return false;
    if (invoke !== null) {
      confirm();
      take(invoke.length);
      call = openCall(nameIn(invoke) ?? "", tools);
      found.push({ type: "begun", tool: call.tool });
      if (!invoke.endsWith("/>")) return switchTo(inCall);
      return close(call.whole());
    }
    if (opener.end === null) {
      confirm();
      return switchTo(after);
    }
    const end = tagAt(opener.end.slice(0, -1));
    if (end === "") return false;
    if (end !== null) {
      confirm();
      take(end.length);
      return switchTo(after);
    }
    // What the last call ended with was part of one of its values.
    closed = withFault(closed ?? cutCall(""), `ambiguous: text stands behind it. ${numbered}`);
    return switchTo(lost);
  }

  function confirm(): void {
    if (closed !== null) found.push({ type: "call", call: closed });
    closed = null;
  }

  function close(ended: WireCall): true {
    call = null;
    closed = ended;
    return switchTo(between);
  }

  /** The tag at this place, empty when it has not come whole; null when another thing stands there. */
  function tagAt(start: string): string | null {
    if (pending.length <= start.length) return start.startsWith(pending) ? "" : null;
    if (!pending.startsWith(start) || !/[\s/>]/.test(pending[start.length] ?? "")) return null;
    const end = pending.indexOf(">");
    if (end < 0) return pending.length > longestTag ? null : "";
    return pending.slice(0, end + 1);
  }

  function inCall(): boolean {
    if (call === null) return switchTo(between);
    call.keep(take(pending.length - pending.trimStart().length));
    if (pending === "") return false;
    const end = tagAt("</invoke");
    if (end === "") return false;
    if (end !== null) {
      take(end.length);
      return close(call.whole());
    }
    const number = /^<parameter(-\d{0,4})?/.exec(pending);
    const parameter = number === null ? tagAt("<parameter") : tagAt(number[0]);
    if (parameter === "") return false;
    if (parameter !== null && number !== null) {
      call.keep(take(parameter.length));
      value = { name: nameIn(parameter) ?? "", tag: number[0].slice(1), parts: [] };
      if (nameIn(parameter) === null) call.fault("not readable: a parameter has no name");
      return parameter.endsWith("/>") ? endOfValue("") : switchTo(inValue);
    }
    if (!call.isEmpty()) {
      call.fault(`ambiguous: text stands between its parameters. ${numbered}`);
      closed = call.whole();
      call = null;
      return switchTo(lost);
    }
    json = { ends: jsonEnd(), parts: [], isWhole: !/^[{[]/.test(pending) };
    return switchTo(inBody);
  }

  function inValue(): boolean {
    const mark = `</${value.tag}`;
    for (let from = 0; ;) {
      const at = pending.indexOf(mark, from);
      if (at < 0) {
        value.parts.push(take(Math.max(from, beforePartOf(mark, pending))));
        return false;
      }
      const rest = /^\s*(>?)/.exec(pending.slice(at + mark.length, at + mark.length + longestTag));
      const length = rest?.[0].length ?? 0;
      const isEnd = rest?.[1] === ">";
      if (!isEnd && at + mark.length + length === pending.length) {
        value.parts.push(take(at));
        return false;
      }
      if (isEnd) {
        value.parts.push(take(at));
        const tag = take(mark.length + length);
        return endOfValue(tag);
      }
      from = at + mark.length;
    }
  }

  function endOfValue(tag: string): true {
    const text = value.parts.join("");
    call?.keep(text);
    call?.keep(tag);
    call?.parameter(value.name, text, value.tag);
    return switchTo(inCall);
  }

  /** An invoke tag with JSON in it. */
  function inBody(): boolean {
    if (!jsonIsWhole()) return false;
    const { before, isThere } = upTo("</invoke>");
    json.parts.push(before);
    return isThere && close(callOfBody(call?.tool ?? "", json.parts.join("").trim()));
  }

  function inJson(): boolean {
    if (!jsonIsWhole()) return false;
    const { before, isThere } = upTo(opener.end ?? "");
    json.parts.push(before);
    if (!isThere) return false;
    const made = callOfJson(json.parts.join(""));
    found.push({ type: "begun", tool: made.tool }, { type: "call", call: made });
    return switchTo(after);
  }

  function jsonIsWhole(): boolean {
    if (json.isWhole) return true;
    const end = json.ends(pending);
    json.parts.push(take(end ?? pending.length));
    json.isWhole = end !== null;
    return json.isWhole;
  }

  /** Behind something that cannot be told apart: nothing up to the end of the block is believed. */
  function lost(): boolean {
    if (opener.end === null) return switchTo(after);
    const { isThere } = upTo(opener.end);
    if (!isThere) return false;
    confirm();
    return switchTo(after);
  }

  /** Right behind calls more may follow; anything else ends them. */
  function after(): boolean {
    take(pending.length - pending.trimStart().length);
    if (pending === "") return false;
    if (pending.startsWith("<")) {
      const next = openerAt(pending, 0, { isLineStart: true, isReplyStart: false });
      if (next === "maybe" || next === "begun") return false;
      if (next !== null) return begin(next);
    }
    return switchTo(over);
  }

  /** A closing tag that nothing here has opened belongs to the last call: one of its values was cut short. */
  function over(): boolean {
    const tag = isJudged ? null : /<(\/?)(?:parameter|invoke)(?![\w])/.exec(pending);
    if (tag !== null) {
      isJudged = true;
      if (tag[1] === "/") fault = `ambiguous: its text goes on behind its end. ${numbered}`;
    }
    const length = isJudged ? pending.length : beforePartOf("</parameter", pending);
    ignored += take(length).length;
    return false;
  }

  function run(): readonly Found[] {
    while (pending !== "" && mode());
    const news = found;
    found = [];
    return news;
  }

  function endProse(): void {
    const { text, isBegun } = walk(pending, "ended");
    show(take(text));
    if (isBegun) found.push({ type: "call", call: cutCall("") });
    else if (held !== "") found.push({ type: "text", text: held });
  }

  return {
    push(text) {
      pending += text;
      return run();
    },
    end(is) {
      if (closed !== null) {
        // Without what follows it, only a model that ended by itself says that this was its end.
        found.push({
          type: "call",
          call: is === "whole" ? closed : { ...closed, complete: false },
        });
      }
      if (mode === prose) endProse();
      else if (mode === thinking) found.push({ type: "thinking", text: pending });
      else if (call !== null) found.push({ type: "call", call: call.cut() });
      else if (mode === inJson || (mode === between && pending.startsWith("<i"))) {
        found.push({ type: "call", call: cutCall("") });
      } else ignored += pending.length;
      return { found, ignored, fault };
    },
  };
}

/** How much of a text surely comes before a mark that may have begun at its end. */
function beforePartOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    if (mark.startsWith(text.slice(text.length - length))) return text.length - length;
  }
  return text.length;
}

/** A tag longer than this is none. */
const longestTag = 1000;

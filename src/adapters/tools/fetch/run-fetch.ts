import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EffectReport, ToolEnd } from "#core";
import type { ToolContext } from "#runtime";
import { isTrouble, trouble, type Trouble } from "../../workspace/index.ts";
import { capText, headOf } from "../shared/cap-text.ts";
import { done, failed, sizeOf, stopped } from "../shared/ends.ts";
import { get, type Answer, type GetOptions } from "./get.ts";
import { readInThread } from "./in-thread.ts";
import type { ReadPage } from "./read-page.ts";

/** As many as browsers of old followed. */
const mostRedirects = 10;

export interface FetchWish {
  /** As it was judged. */
  readonly url: string;
  /** Most characters to show. */
  readonly limit: number;
  readonly get: Omit<GetOptions, "signal">;
}

/** Fetches a page and shows it. Every request that went out is an effect. */
export async function runFetch(wish: FetchWish, context: ToolContext<null>): Promise<ToolEnd> {
  const effects: EffectReport[] = [];
  const end = await fetchAndShow(wish, context, effects);
  return { ...end, effects };
}

async function fetchAndShow(
  wish: FetchWish,
  context: ToolContext<null>,
  effects: EffectReport[],
): Promise<ToolEnd> {
  const { signal } = context;
  const halted = (): ToolEnd => stopped(signal, `Stopped while fetching ${wish.url}.`);
  const came = await follow(wish, context, effects);
  if (signal.aborted) return halted();
  if (isTrouble(came)) return failed(came);
  const { url, answer } = came;
  const page = await readInThread(
    { body: answer.body, contentType: answer.contentType, url: url.href },
    signal,
  );
  if (signal.aborted) return halted();
  if (page === "stopped") return failed(unreadable(url));
  if (page === null) return failed(noText(url, answer));
  const said = [`[${aboutPage(url, answer, page)}]`, ...titleOf(page), "", page.text].join("\n");
  const isGood = answer.status >= 200 && answer.status < 300;
  return isGood
    ? done(await capped(said, wish.limit, context))
    : failed({ message: headOf(said, 4000) });
}

interface Came {
  readonly url: URL;
  readonly answer: Answer;
}

/**
 * Follows redirects that stay with the host that was judged: it could have answered with the same content at once. One
 * to another host, or to what a rule denies or asks about, is a call of its own, so that the gate judges it.
 */
async function follow(
  wish: FetchWish,
  { signal, isHidden }: ToolContext<null>,
  effects: EffectReport[],
): Promise<Came | Trouble> {
  let url = new URL(wish.url);
  for (let count = 0; count <= mostRedirects; count++) {
    const answer = await get(url, { ...wish.get, signal });
    if (isTrouble(answer)) {
      // Whether anything reached the server is not known, unless its address was refused.
      const wasSent = answer.code === "no_answer";
      if (wasSent) effects.push({ type: "request_sent", url: url.href, status: null });
      return answer;
    }
    effects.push({ type: "request_sent", url: url.href, status: answer.status });
    const target = targetOf(url, answer);
    if (target === null) return { url, answer };
    if (isTrouble(target)) return target;
    if (!staysWith(url, target) || isHidden(target.href)) return elsewhere(url, target);
    url = target;
  }
  return trouble("too_many_redirects", `${wish.url} redirects more than ${mostRedirects} times.`);
}

/** Where an answer leads; null when it is the end. */
function targetOf(url: URL, { status, location }: Answer): URL | Trouble | null {
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return null;
  const target = URL.parse(location, url.href);
  if (target === null || !/^https?:$/.test(target.protocol) || target.username !== "") {
    const shown = location.slice(0, 300);
    return trouble("bad_redirect", `${url.href} redirects to ${shown}, which cannot be fetched.`);
  }
  target.hash = "";
  return target;
}

const staysWith = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  // From plain HTTP to the same under TLS, both at their usual ports.
  (from.protocol === "http:" &&
    to.protocol === "https:" &&
    from.host === to.host &&
    to.port === "");

const elsewhere = (from: URL, to: URL): Trouble =>
  trouble(
    "redirected",
    `${from.href} redirects to ${to.href}, which was not asked for. If that is right, call fetch with this URL.`,
  );

const titleOf = ({ title }: ReadPage): readonly string[] =>
  title === "" ? [] : ["", `# ${title}`];

function aboutPage(url: URL, answer: Answer, page: ReadPage): string {
  const parts = [
    `${url.href}: status ${answer.status}`,
    answer.contentType.split(";")[0]?.trim().slice(0, 100) || "no type",
    page.encoding,
    sizeOf(answer.body.length),
    ...(page.kind === "page" ? ["as Markdown"] : []),
    ...(answer.isWhole ? [] : ["cut off: the answer was longer, or broke off"]),
    ...(page.isWhole ? [] : ["the rest not read: elements too deep in each other"]),
    ...(page.text.trim() === "" ? ["no text in it; a page may need JavaScript"] : []),
  ];
  return parts.join(", ");
}

/** What is too long stands whole in a file that can be read. */
async function capped(said: string, limit: number, context: ToolContext<null>): Promise<string> {
  if (said.length <= limit) return said;
  const file = join(context.runsDir, `${context.call}-${context.attempt}-page.md`);
  await mkdir(context.runsDir, { recursive: true, mode: 0o700 });
  await writeFile(file, said.toWellFormed(), { mode: 0o600 });
  return capText(said, `All of it is in ${file}; use read or grep on it.`, limit);
}

const unreadable = (url: URL): Trouble =>
  trouble(
    "unreadable_page",
    `${url.href} came, but could not be read in 15 s and 512 MB: it is nested or built in a way that seems hostile.`,
  );

const noText = (url: URL, { status, contentType, body }: Answer): Trouble =>
  trouble(
    "no_text",
    `${url.href} answered with status ${status} and ${sizeOf(body.length)} of ${contentType.slice(0, 100) || "data without a type"}, which is no text. ` +
      "To keep it as a file use bash with curl -o.",
  );

import { type OpenRequest, shownUrl } from "#app";
import type { Offer } from "#app/session";
import type { Words } from "#i18n";
import { cutLine } from "../terminal/neutralise.ts";
import type { Conversation } from "./conversation.ts";

/**
 * Models of servers on this machine, when a new session has no other; none when it has one.
 * @throws PawlError `unknown_model`, `no_key`, `no_model`
 */
export async function offersFor(request: OpenRequest): Promise<readonly Offer[]> {
  const { settings, startedIn, baseUrl, which } = request;
  if (which.at !== "new") return [];
  const { checkModel, modelOffers } = await import("#app/session");
  return checkModel(settings, startedIn, baseUrl) === null ? modelOffers(settings) : [];
}

const mostShown = 20;

/** Which of several is to be used, unless a session has been opened meanwhile. */
export async function chooseOffered(
  conversation: Conversation,
  offers: readonly Offer[],
  { model: { local } }: Words,
): Promise<void> {
  const [first, ...others] = offers;
  if (first === undefined || conversation.opened !== null) return;
  const use = (ref: string): void =>
    conversation.change({ settings: { ...conversation.request.settings, model: ref } });
  if (others.length === 0) {
    conversation.say(`! ${local.used(first.ref, shownUrl(first.baseUrl))}`);
    return use(first.ref);
  }
  for (const [index, { ref, model }] of offers.slice(0, mostShown).entries()) {
    const { window, tools } = model.knowledge;
    const about = [
      ...(window === undefined ? [] : [String(window)]),
      ...(model.isLoaded ? [local.loaded] : []),
      ...(tools === "text" ? [local.textTools] : []),
    ];
    conversation.say(cutLine(`${String(index + 1).padStart(2)}  ${ref}  ${about.join(", ")}`, 120));
  }
  let chosen: string | null = null;
  while (chosen === null) chosen = refIn(await conversation.ask(local.choose), offers);
  use(chosen);
}

/** A number of the list, a reference, or the name of one; the first for an empty line. Null for anything else. */
function refIn(line: string, offers: readonly Offer[]): string | null {
  const answer = line.trim();
  if (answer === "") return offers[0]?.ref ?? null;
  const numbered = /^\d{1,3}$/.test(answer) ? offers[Number(answer) - 1] : undefined;
  const named = offers.find(({ ref, model }) => ref === answer || model.name === answer);
  return (numbered ?? named)?.ref ?? null;
}

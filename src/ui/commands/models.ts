import { closestName } from "#app/config";
import { type ListedModel, listProviders, type ProviderListing } from "#app/models";
import { groundOf } from "#app/store";
import { PawlError } from "#core";
import type { Words } from "#i18n";
import { exitCodes } from "../exit-code.ts";
import { jsonLine } from "../headless/json-line.ts";
import type { Start } from "../starting-point.ts";
import { cutLine } from "../terminal/neutralise.ts";

/**
 * `pawl models [PROVIDER…] [--offline]`: the models that can be used now, with their windows, output limits (tokens) and
 * prices (dollars for a million tokens), and why the others cannot.
 */
export async function models({ invocation, terminal, settings }: Start): Promise<number> {
  const look = invocation.commandOptions.has("offline") ? "nowhere" : "everywhere";
  const { clock } = groundOf(settings);
  const all = await listProviders(settings, { clock, look });
  const { words, out } = terminal;
  const wanted = chosen(all, invocation.operands, words);
  const asJson =
    invocation.commandOptions.has("json") || invocation.options.outputFormat !== "text";
  if (asJson) {
    await out.write(jsonLine({ providers: wanted }));
    return exitCodes.completed;
  }
  const isNamed = invocation.operands.length > 0;
  for (const line of textLines(wanted, words, isNamed ? "in_full" : "in_short")) {
    await out.write(`${cutLine(line, 240)}\n`);
  }
  return exitCodes.completed;
}

/** @throws PawlError `usage` */
function chosen(
  all: readonly ProviderListing[],
  names: readonly string[],
  words: Words,
): readonly ProviderListing[] {
  const known = all.map(({ provider }) => provider);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined) {
    throw new PawlError("usage", words.model.provider(wrong, closestName(wrong, known)));
  }
  return names.length === 0 ? all : all.filter(({ provider }) => names.includes(provider));
}

/** @param unusable whether the models that cannot be used are listed too */
function textLines(
  listings: readonly ProviderListing[],
  words: Words,
  unusable: "in_short" | "in_full",
): readonly string[] {
  const { modelsCommand: say } = words;
  const shown = (listing: ProviderListing): readonly ListedModel[] =>
    listing.usable || unusable === "in_full" ? listing.models : [];
  const refs = listings.flatMap((one) => shown(one).map(({ ref }) => ref.length));
  const width = Math.min(60, Math.max(0, ...refs));
  const linesOf = (listing: ProviderListing): readonly string[] => {
    const { provider, usable, why, models: known } = listing;
    const hidden = known.length - shown(listing).length;
    const more = hidden > 0 ? ` ${say.more(hidden, provider)}` : "";
    const rows = shown(listing).map((model) => modelLine(model, width, words));
    const any = usable && known.length === 0 ? [`    ${say.any(provider)}`] : [];
    return [`  ${provider.padEnd(17)} ${why}${more}`, ...rows, ...any];
  };
  const [can, cannot] = [true, false].map((is) => listings.filter(({ usable }) => usable === is));
  const group = (title: string, list: readonly ProviderListing[] = []): readonly string[] =>
    list.length === 0 ? [] : [`${title}:`, ...list.flatMap(linesOf)];
  const usable = group(say.usable, can);
  return [
    ...(usable.length === 0 && unusable === "in_short"
      ? [`${say.usable}: ${say.nothing}`]
      : usable),
    ...group(say.unusable, cannot),
    say.note,
  ];
}

function modelLine(model: ListedModel, width: number, words: Words): string {
  const { modelsCommand: say } = words;
  const tokens = (count: number | null): string => (count === null ? say.unknown : String(count));
  const { window, maxOutputTokens, images, tools, isLoaded } = model;
  const about = [
    priceText(model, words),
    ...(images === "taken" ? [say.images] : []),
    ...(tools === "text" ? [say.textTools] : []),
    ...(isLoaded === true ? [say.loaded] : []),
  ];
  const sizes = `${say.columns.window} ${tokens(window).padStart(8)}  ${say.columns.output} ${tokens(maxOutputTokens).padStart(7)}`;
  return `    ${model.ref.padEnd(width)}  ${sizes}  ${about.join("; ")}`;
}

function priceText({ price }: ListedModel, words: Words): string {
  const { modelsCommand: say, progress } = words;
  if (price === null) return progress.unpriced;
  const usd = (rate: number | null): string => (rate === null ? say.unknown : `$${rate}`);
  const { input, output, cacheRead, cacheWrite, long } = price;
  const cached =
    cacheRead === null && cacheWrite === null ? [] : [say.cached(usd(cacheRead), usd(cacheWrite))];
  const above =
    long === undefined ? [] : [say.long(long.aboveTokens, long.rates.input, long.rates.output)];
  return [say.price(input, output), ...cached, ...above].join(", ");
}

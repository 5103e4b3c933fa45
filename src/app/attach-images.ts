import { inspectImage } from "#adapters/images";
import { isTrouble, locate, openRegular, readAll } from "#adapters/workspace";
import { decide, type Grant, type Image, type Policy, type Text, text } from "#core";
import type { Words } from "#i18n";
import type { TakeImage } from "#runtime";

export interface Attached {
  /** To be sent behind the words. */
  readonly blocks: readonly (Text | Image)[];
  /** Which images were meant and could not be attached, and why. */
  readonly notices: readonly string[];
}

export interface AttachParts {
  readonly cwd: string;
  readonly policy: Policy;
  readonly grants: readonly Grant[];
  readonly takeImage: TakeImage;
  readonly words: Words;
}

/** Bytes; as many as the tool `read` takes. */
const mostBytes = 50_000_000;
/** A text with more words that begin with `@` was not typed. */
const mostMentions = 20;

/**
 * The images that a person mentions as `@path`, `@"path with blanks"` or `@path\ with\ blanks`. A person may show any
 * file but those that a rule denies. A mention of anything else is left to the model, as the words it is.
 */
export async function attachImages(said: string, parts: AttachParts): Promise<Attached> {
  const attached = new Map<string, Attached>();
  for (const mention of mentionsIn(said)) {
    for (const written of spellings(mention)) {
      const path = locate(written, parts.cwd);
      if (isTrouble(path) || attached.has(path)) continue;
      const found = await attach({ path, written }, parts);
      if (found === null) continue;
      attached.set(path, found);
      break;
    }
  }
  const all = [...attached.values()];
  return {
    blocks: all.flatMap(({ blocks }) => blocks),
    notices: all.flatMap(({ notices }) => notices),
  };
}

function mentionsIn(said: string): readonly string[] {
  // No letter before it: that would be an address of mail.
  const mentions = said.matchAll(/(?<![\w.+-])@(?:"([^"\n]+)"|((?:\\.|[^\s\\"])+))/g);
  return [...mentions]
    .slice(0, mostMentions)
    .map(([, quoted, bare = ""]) => quoted ?? bare.replaceAll(/\\(.)/g, "$1"));
}

/** As it is written; without the marks of the sentence around it; up to the end of a usual name. */
function spellings(mention: string): readonly string[] {
  const bare = mention.replace(/[\p{P}\p{S}]+$/u, "");
  const named = /^.*\.(?:png|jpe?g|gif|webp)/iu.exec(mention)?.[0] ?? mention;
  return [...new Set([mention, bare, named])].filter((written) => written !== "");
}

interface Place {
  /** The real path. */
  readonly path: string;
  readonly written: string;
}

/** Null: there is no image. */
async function attach({ path, written }: Place, parts: AttachParts): Promise<Attached | null> {
  const file = await openRegular(path);
  if (isTrouble(file)) return null;
  try {
    const head = Buffer.alloc(16);
    await file.handle.read(head, 0, head.length, 0);
    if (inspectImage(head) === null) return null;
    const denied = denialOf(path, parts);
    if (denied !== null) return leftOut(written, denied, parts);
    const bytes = await readAll(file, mostBytes);
    if (bytes === null) return leftOut(written, `it has more than ${mostBytes} bytes`, parts);
    const data = bytes.toString("base64");
    const taken = await parts.takeImage({ type: "image", mediaType: "image/*", data });
    if (taken.at === "left_out") return leftOut(written, taken.why, parts);
    const note = taken.note === null ? "" : ` ${taken.note}`;
    return { blocks: [text(`\n[image ${written}]${note}`), taken.image], notices: [] };
  } catch (error) {
    return leftOut(written, error instanceof Error ? error.message : String(error), parts);
  } finally {
    await file.handle.close();
  }
}

const leftOut = (written: string, why: string, { words }: AttachParts): Attached => ({
  blocks: [text(`\n[image ${written} is left out: ${why}]`)],
  notices: [words.progress.imageLeftOut(written, why)],
});

/** Whoever types a path shows the file; only a rule that denies it to the model still counts. */
function denialOf(path: string, { policy, grants }: AttachParts): string | null {
  const request = { tool: "read", input: { path }, access: "read", resources: [path] } as const;
  const { verdict, reason } = decide({ ...policy, questions: "person" }, request, grants);
  return verdict === "deny" ? reason : null;
}

import { inFolder } from "#app";

const scripted = "scripted/";

/** `provider/model` as people read it: a script by its file, which the reference names from the root on. */
export function modelName(ref: string, folder: string): string {
  const file = ref.startsWith(scripted) ? ref.slice(scripted.length) : "";
  if (!file.startsWith("/")) return ref;
  const near = inFolder(file, folder);
  return near === file ? `scripted ${file}` : `${scripted}${near}`;
}

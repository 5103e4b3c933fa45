export { follow, type Followed } from "./follow.ts";
export { answersByRule } from "./questions.ts";
export type { OpenedSession } from "./opened.ts";
export type { OpenRequest, Which } from "./open-request.ts";
export {
  answerJson,
  inFolder,
  type ResultObject,
  resultObject,
  resumeCommand,
} from "./result-object.ts";
export { answerSchemaIn } from "./answer-schema.ts";
export { programVersion } from "./version.ts";
export { shownUrl } from "./shown-url.ts";

export { answersByRule } from "./questions.ts";
export type { OpenedSession } from "./opened.ts";
export type { OpenRequest, Which } from "./open-request.ts";
export { programVersion } from "./version.ts";

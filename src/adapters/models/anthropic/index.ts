export { anthropicClient, type AnthropicOptions } from "./client.ts";
export { anthropicBody } from "./body.ts";
export type { HttpOptions } from "../shared/http-client.ts";
export type { Patience } from "../shared/post.ts";

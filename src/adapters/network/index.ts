export { connections } from "./agent.ts";
export { decoderFor } from "./decode-body.ts";

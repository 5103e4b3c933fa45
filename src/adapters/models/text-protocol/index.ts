export { textProtocol } from "./client.ts";

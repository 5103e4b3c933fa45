export { lookForServers, type LocalPlace, type LookOptions } from "./look.ts";
export type { LocalModel, LocalServer, LocalTrouble } from "./server.ts";

export { findSession } from "./find-session.ts";
export { jsonlStore, type JsonlStoreOptions } from "./jsonl/store.ts";
export { memoryStore } from "./memory/store.ts";
export { openSpool } from "./spool.ts";

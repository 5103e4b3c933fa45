export * from "./ports.ts";
export * from "./api.ts";

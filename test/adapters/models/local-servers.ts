import type { RequestListener, ServerResponse } from "node:http";
import type { Json } from "#core";
import { serve, type TestServer } from "./asking.ts";

/** What a path answers: JSON with status 200, or whatever the function does. */
export type Routes = Readonly<Record<string, Json | ((response: ServerResponse) => void)>>;

/** A server of this machine that answers on these paths, with 404 elsewhere. */
export const serveRoutes = (routes: Routes): Promise<TestServer> => serve(listener(routes));

function listener(routes: Routes): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const named = /"model":\s*"([^"]*)"/.exec(body)?.[1];
      const path = request.url ?? "";
      const route = routes[named === undefined ? path : `${path} ${named}`];
      if (typeof route === "function") return route(response);
      if (route === undefined) response.statusCode = 404;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(route ?? { error: "not found" }));
    });
  };
}

/** As Ollama 0.34 answers. */
export const ollama: Routes = {
  "/api/tags": {
    models: [
      { name: "qwen3-coder:30b", model: "qwen3-coder:30b", details: { family: "qwen3moe" } },
      { name: "nomic-embed-text:latest", details: { family: "nomic-bert" } },
      { name: "phi:latest", details: { family: "phi2" } },
      { name: "llama3.2-vision:latest", details: { family: "mllama" } },
    ],
  },
  "/api/ps": { models: [{ name: "llama3.2-vision:latest", context_length: 65_536 }] },
  "/api/show qwen3-coder:30b": {
    capabilities: ["completion", "tools"],
    parameters: 'stop                           "<|im_end|>"\nnum_ctx                        32768',
    model_info: { "general.architecture": "qwen3moe", "qwen3moe.context_length": 262_144 },
  },
  "/api/show nomic-embed-text:latest": { capabilities: ["embedding"] },
  "/api/show phi:latest": {
    capabilities: ["completion"],
    model_info: { "general.architecture": "phi2", "phi2.context_length": 2048 },
  },
  "/api/show llama3.2-vision:latest": {
    capabilities: ["completion", "vision", "tools"],
    model_info: { "general.architecture": "mllama", "mllama.context_length": 131_072 },
  },
};

/** As LM Studio 0.3.6 and newer answer. */
export const lmStudio: Routes = {
  "/api/v0/models": {
    object: "list",
    data: [
      { id: "qwen2-vl-7b", type: "vlm", state: "not-loaded", max_context_length: 32_768 },
      {
        id: "meta-llama-3.1-8b",
        type: "llm",
        state: "loaded",
        max_context_length: 131_072,
        loaded_context_length: 8192,
      },
      { id: "nomic-embed-text-v1.5", type: "embeddings", max_context_length: 2048 },
    ],
  },
  "/v1/models": { object: "list", data: [{ id: "qwen2-vl-7b", object: "model" }] },
};

/** As `llama-server` answers with one model whose template has no place for tools. */
export const llamaCpp: Routes = {
  "/v1/models": {
    object: "list",
    models: [{ name: "smol.gguf", model: "smol.gguf", capabilities: ["completion"] }],
    data: [{ id: "smol.gguf", owned_by: "llamacpp", meta: { n_ctx_train: 65_536 } }],
  },
  "/props": {
    default_generation_settings: { n_ctx: 16_384 },
    chat_template_caps: { supports_tools: false, supports_tool_calls: false },
    modalities: { vision: false, audio: false },
  },
};

/** As vLLM answers. */
export const vllm: Routes = {
  "/v1/models": {
    object: "list",
    data: [
      { id: "Qwen/Qwen3-Coder-30B", owned_by: "vllm", max_model_len: 40_960 },
      { id: "BAAI/bge-m3", owned_by: "vllm", max_model_len: 8192 },
    ],
  },
};

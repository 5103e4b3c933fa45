/** Wordings of Ollama, vLLM, llama.cpp, OpenRouter and Groq for a model, or a server, that takes no tools. */
const wordings = new RegExp(
  [
    "(?:not|n't) support (?:tools|tool use|tool calling|function calling)",
    "requires --enable-auto-tool-choice",
    "tools param requires --jinja",
    "no endpoints found that support tool use",
    "tool calling`? is not supported",
  ].join("|"),
  "i",
);

/** The model can be had, but only as one that writes its calls as text. */
export const refusesTools = (message: string): boolean => wordings.test(message);

export const toolsAdvice: string =
  'The model, or its server, takes no tools: set "tools": "text" for it under providers.NAME.models in config.jsonc (docs/models.md), or use another model.';

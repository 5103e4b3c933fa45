import type { ModelRequest } from "#runtime";
import { orderedTools } from "../shared/outgoing.ts";
import { callInstructions } from "./instructions.ts";
import { messagesAsText } from "./outgoing.ts";

/** Requests in which tools, calls and results are text. Keeps what it has written: use one for many requests. */
export function requestsAsText(): (request: ModelRequest) => ModelRequest {
  const asText = messagesAsText();
  const instructed = new WeakMap<ModelRequest["tools"], ReturnType<typeof callInstructions>>();
  return (request) => {
    const instructions = instructed.get(request.tools) ?? callInstructions(orderedTools(request));
    instructed.set(request.tools, instructions);
    return {
      ...request,
      system: [...request.system, ...instructions],
      tools: [],
      // Whether calls are allowed is not said: it would change what stands before the next request. Core runs none.
      toolChoice: "auto",
      messages: asText(request.messages),
      // A wire that holds the model to a schema would forbid it to write calls.
      ...(request.tools.length > 0 ? { answerSchema: null } : {}),
    };
  };
}

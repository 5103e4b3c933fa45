import type { AgentModel } from "./event.ts";
import type { State } from "./state.ts";

/** The model that is asked next: the agent's own, or its fallback once that has stepped in for this prompt. */
export function modelInUse({ agent, prompt }: State): AgentModel {
  return prompt.fellBack && agent.fallback !== null ? agent.fallback : agent;
}

import { isCostUnknown, type RunResult, type State } from "#core";
import type { Words } from "#i18n";
import { modelName } from "./model-name.ts";
import { clockTime } from "./clock-time.ts";

/** Why a run ended, in the person's language; null after plain completion and while it waits. */
export function endingNote(
  state: State,
  result: RunResult,
  { endings, told }: Words,
): string | null {
  const { phase, agent } = state;
  const { failure = null, retryAt = null } = phase.at === "stopped" ? phase : {};
  switch (result.outcome) {
    case "completed":
    case "waiting":
      return null;
    case "truncated":
      return endings.truncated;
    case "refused":
      return endings.refused;
    case "interrupted":
      return endings.interrupted;
    case "failed":
      if (failure === null) return result.note;
      return retryAt === null
        ? told.failure(failure)
        : endings.comeBack(told.failure(failure), clockTime(retryAt, state.at));
    case "unknown_stop":
      return endings.unknownStop(result.stop?.raw ?? "—");
    case "limit": {
      const { turns, costUsd, tokens, toolCalls, timeMs } = agent.limits;
      const reached: Readonly<Record<NonNullable<RunResult["limit"]>, string>> = {
        turns: endings.turns(turns),
        cost: isCostUnknown(state)
          ? endings.costUnknown(costUsd ?? 0, modelName(agent.model, state.cwd))
          : endings.cost(costUsd ?? 0, state.prompt.costUsd),
        tokens: endings.tokens(tokens ?? 0),
        tool_calls: endings.toolCalls(toolCalls ?? 0),
        time: endings.time(Math.round((timeMs ?? 0) / 1000)),
        no_progress: endings.noProgress,
      };
      return `${reached[result.limit ?? "no_progress"]} ${endings.advice}`;
    }
    default:
      return result.outcome satisfies never;
  }
}

// One sentence for each of the 25 facts, in one place so that none is forgotten.
import { type Fact, type FactOf, openCalls, plainText, type State } from "#core";
import type { Words } from "#i18n";
import { reasonFor } from "./because.ts";
import { callTitle } from "./call-title.ts";
import { usedText } from "./used.ts";
import { modelName } from "./model-name.ts";
import { remedySentence } from "./remedy-sentence.ts";

/** A fact as one sentence. `before`: the state it came into. The caller neutralises it. */
export function explain(fact: Fact, before: State, words: Words): string {
  const { facts } = words;
  const title = (id: string): string => {
    const call = openCalls(before).find((one) => one.id === id);
    return call === undefined ? id : `${id} (${callTitle(call.tool, call.input)})`;
  };
  switch (fact.type) {
    case "session.started":
      return facts.sessionStarted(fact.cwd, modelName(fact.agent.model, fact.cwd), fact.agent.mode);
    case "session.resumed":
      return facts.sessionResumed(fact.program, fact.cwd);
    case "session.forked":
      return facts.sessionForked(fact.from.sessionId, fact.from.seq);
    case "agent.changed":
      return facts.agentChanged(Object.keys(fact.agent).join(", "));
    case "input.received":
      return facts.input[fact.kind](plainText(fact.blocks));
    case "input.withdrawn":
      return facts.inputWithdrawn(fact.inputs.length);
    case "interrupt.requested":
      return fact.now ? facts.interruptNow : facts.interruptGraceful;
    case "request.started":
      return facts.requestStarted(fact.request, fact.attempt, modelName(fact.model, before.cwd));
    case "request.failed": {
      const why = facts.requestFailed(
        fact.request,
        fact.failure.class,
        words.told.failure(fact.failure),
      );
      return fact.remedy === null ? why : remedySentence(why, fact.remedy, words);
    }
    case "request.lost":
      return facts.requestLost(fact.request);
    case "response.received": {
      const calls = fact.blocks.filter((block) => block.type === "tool_use");
      const titles = calls.map((call) => callTitle(call.tool, call.input, 60)).join("; ");
      return facts.response(fact.stop.reason, usedText(fact, words), {
        calls: titles,
        text: plainText(fact.blocks),
      });
    }
    case "timer.fired":
      return facts.timerFired(fact.timer);
    case "context.compacted":
      return facts.compacted(fact.from, fact.how);
    case "tool.requested":
      return facts.toolRequested(fact.call, callTitle(fact.tool, fact.input));
    case "permission.asked":
      return facts.asked(title(fact.call), fact.rule, reasonFor(fact, words));
    case "permission.decided":
      return facts.decided[fact.verdict](
        title(fact.call),
        `${facts.by[fact.by]}, ${fact.rule}`,
        reasonFor(fact, words),
      );
    case "tool.started":
      return facts.toolStarted(title(fact.call), fact.attempt);
    case "tool.finished":
      return facts.toolFinished(
        title(fact.call),
        words.progress.outcome[fact.outcome],
        fact.durationMs,
      );
    case "tool.lost":
      return facts.toolLost(title(fact.call));
    case "tool.probed":
      return facts.toolProbed(title(fact.call), fact.verdict, evidence(fact, words));
    case "job.started":
      return facts.jobStarted(fact.job, fact.title);
    case "job.ended":
      return facts.jobEnded(fact.job, fact.outcome);
    case "budget.reserved":
      return facts.budgetReserved(fact.costUsd);
    case "budget.released":
      return facts.budgetReleased(fact.costUsd);
    case "memory.changed":
      return facts.memoryChanged(fact.section);
    case "workspace.restored":
      return facts.restored(fact.paths.join(", "));
    case "hook.ran":
      return facts.hookRan(fact.point, fact.note);
    default:
      return fact satisfies never;
  }
}

/** A tool's own words where it gave no data. */
export const evidence = (
  fact: Pick<FactOf<"tool.probed">, "evidence" | "traces">,
  { told }: Words,
): string => (fact.traces.length === 0 ? fact.evidence : told.evidence(fact.traces));

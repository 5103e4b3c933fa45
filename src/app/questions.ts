import { type Command, decide, openCalls, type Policy, type State } from "#core";

/**
 * Answers that the rules of today give to questions asked earlier: a run that paused for a permission goes on
 * when it is resumed with a rule for it. Questions that a person has to answer are left out.
 */
export function answersByRule(state: State, policy: Policy): readonly Command[] {
  return openCalls(state).flatMap((call): readonly Command[] => {
    if (call.status.at !== "asked" || "invalid" in call.stamp) return [];
    const { access, resources } = call.stamp;
    const request = { tool: call.tool, input: call.input, access, resources };
    const decision = decide(policy, request, state.grants);
    return decision.verdict === "ask" ? [] : [{ type: "judge", call: call.id, decision }];
  });
}

import { counted } from "./plural.ts";

/** One sentence for each fact. */
export const facts = {
  facts: {
    sessionStarted: (folder: string, model: string, mode: string): string =>
      `session started in ${folder} with ${model}, permission mode ${mode}`,
    sessionResumed: (program: string, folder: string): string =>
      `opened again by ${program} in ${folder}`,
    sessionForked: (from: string, seq: number): string => `forked from ${from} after step ${seq}`,
    agentChanged: (what: string): string => `changed: ${what}`,
    input: {
      prompt: (text: string): string => `prompt: ${text}`,
      continue: (): string => "asked to go on",
      compact: (): string => "asked to compact the context",
    },
    inputWithdrawn: (count: number): string => `${counted(count, "queued input")} taken back`,
    interruptNow: "interrupted: stop now",
    interruptGraceful: "interrupted: finish what runs",
    requestStarted: (request: string, attempt: number, model: string): string =>
      `request ${request} to ${model}${attempt > 1 ? `, attempt ${attempt}` : ""}`,
    requestFailed: (request: string, kind: string, message: string): string =>
      `request ${request} failed (${kind}): ${message}`,
    requestLost: (request: string): string => `request ${request} was lost with its process`,
    response: (
      stop: string,
      used: string,
      { calls, text }: { readonly calls: string; readonly text: string },
    ): string =>
      `reply (${stop}; ${used})${calls === "" ? "" : `, calls: ${calls}`}${text === "" ? "" : `, text: ${text}`}`,
    timerFired: (timer: string): string => `timer ${timer} fired`,
    compacted: (from: number, how: string): string =>
      `context compacted (${how}): message ${from} and later stay`,
    toolRequested: (call: string, title: string): string => `call ${call} arrived early: ${title}`,
    asked: (title: string, rule: string, reason: string): string =>
      `permission asked for ${title} (${rule}): ${reason}`,
    decided: {
      allow: (title: string, who: string, reason: string): string =>
        `allowed ${title} (${who}): ${reason}`,
      deny: (title: string, who: string, reason: string): string =>
        `denied ${title} (${who}): ${reason}`,
    },
    by: { rule: "rule", user: "user", hook: "hook", mode: "mode", headless: "headless" },
    toolStarted: (title: string, attempt: number): string =>
      `started ${title}${attempt > 1 ? `, attempt ${attempt}` : ""}`,
    toolFinished: (title: string, outcome: string, durationMs: number): string =>
      `ended ${title}: ${outcome}, ${durationMs} ms`,
    toolLost: (title: string): string => `${title} was running when the process died`,
    toolProbed: (title: string, verdict: string, evidence: string): string =>
      `looked into ${title}: ${verdict}. ${evidence}`,
    jobStarted: (job: string, title: string): string => `background job ${job} started: ${title}`,
    jobEnded: (job: string, outcome: string): string => `background job ${job} ended: ${outcome}`,
    budgetReserved: (usd: number): string => `$${usd} set aside`,
    budgetReleased: (usd: number): string => `$${usd} released`,
    memoryChanged: (section: string): string => `memory changed: ${section}`,
    restored: (paths: string): string => `files restored: ${paths}`,
    hookRan: (point: string, note: string): string => `hook at ${point}: ${note}`,
  },
};

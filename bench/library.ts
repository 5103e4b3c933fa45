import { resolve } from "node:path";

import { anthropicClient } from "#adapters/models/anthropic";
import { openSpool } from "#adapters/stores";
import { systemClock, systemEntropy } from "#adapters/system";
import { builtInTools } from "#adapters/tools";
import { defaultLimits } from "#core";
import type { Journal, ModelClient, SessionParts } from "#runtime";

/** A session as the library makes it, without command line, settings or prompt files. */
export function sessionParts(
  journal: Journal,
  model: ModelClient,
  tools: SessionParts["tools"] = builtInTools(),
): SessionParts {
  const cwd = process.cwd();
  return {
    journal,
    spool: openSpool(journal.folder),
    model: () => model,
    tools,
    checkAnswer: async () => null,
    agent: {
      model: "anthropic/bench",
      mode: "bypass",
      limits: { ...defaultLimits, turns: 100_000 },
      window: null,
      maxOutputTokens: 8192,
      thinking: null,
      cheapestInputUsd: null,
      fallback: null,
      sections: [{ name: "identity", text: "You are measured.", stable: true }],
    },
    policy: (mode) => ({ mode, rules: [], roots: [cwd], questions: "deny" }),
    costUsd: () => null,
    cwd,
    roots: [cwd],
    runsDir: resolve(journal.folder ?? cwd, "runs"),
    gitHead: null,
    program: "bench",
    clock: systemClock(),
    entropy: systemEntropy(systemClock()),
  };
}

export const wireClient = (baseUrl: string): ModelClient =>
  anthropicClient({ apiKey: "none", baseUrl, clock: systemClock() });

import { counted } from "./plural.ts";

/** What is said while a run goes on. */
export const run = {
  progress: {
    model: (name: string): string => `model ${name}`,
    denied: (rule: string, reason: string): string => `denied by ${rule}: ${reason}`,
    retry: (why: string, seconds: number): string => `${why} Next attempt in ${seconds} s.`,
    longRetry: (why: string, kind: string, until: string): string =>
      `${why} (${kind}) Next attempt at ${until}. A stop now loses nothing: the session goes on later.`,
    remedy: {
      fallBack: (why: string, model: string): string =>
        `${why} The fallback ${model} goes on with this prompt.`,
      withhold: {
        reasoning: (why: string): string =>
          `${why} Reasoning so far is left out of the conversation from now on.`,
        images: (why: string): string =>
          `${why} Images so far are left out of the conversation from now on.`,
      },
      tell: (why: string): string => `${why} The model is told, and asked again.`,
    },
    reasoningLeftOut: (model: string): string =>
      `Reasoning that another model wrote is not sent to ${model}: only its author can read it.`,
    requestLost: "The reply that was streaming when the process died is asked for again.",
    lost: (title: string): string =>
      `${title}: was running when the process died; finding out what happened`,
    undetermined: (title: string): string => `${title}: nobody can tell whether it happened`,
    happened: (title: string): string => `${title}: had happened`,
    cutOff: (title: string): string =>
      `${title}: was cut off when the process died; what it printed is kept`,
    notHappened: (title: string): string => `${title}: had not happened`,
    running: (title: string): string => `${title}: still runs`,
    compacted: (from: number): string =>
      `the context was compacted: messages before ${from} are summarised`,
    turn: (turn: number, used: string): string => `turn ${turn}: ${used}`,
    used: (
      input: number,
      output: number,
      { cached, cost }: { readonly cached: number; readonly cost: string },
    ): string =>
      `${counted(input, "token")} in${cached === 0 ? "" : ` (${cached} from the cache)`}, ${output} out, ${cost}`,
    stillWorking: (what: string, seconds: number): string =>
      `still working: ${what} (${seconds} s)`,
    stillWaiting: (kind: string, seconds: number, until: string): string =>
      `still waiting for the provider (${kind}): ${seconds} s left, until ${until}`,
    thinking: "model",
    wrote: (bytes: number, path: string, lines: string): string =>
      `wrote ${counted(bytes, "byte")} to ${path}${lines}`,
    lines: (from: number, to: number): string =>
      from === to ? `, line ${from}` : `, lines ${from}-${to}`,
    deleted: (path: string): string => `deleted ${path}`,
    exit: (code: number): string => `exit ${code}`,
    noExit: "ended without an exit code",
    outcome: {
      error: "error",
      timeout: "time limit",
      interrupted: "interrupted",
      not_run: "not run",
      denied: "denied",
      ok: "done",
    },
    unpriced: "price unknown",
    noSandbox:
      "There is no sandbox in this version: commands run with your rights. (--sandbox off says you know.)",
    stdinSilent:
      "stdin is open but silent, so the run starts without it. To wait for it, add - to the prompt; to close it, use < /dev/null.",
    stdinNotText: "stdin is not UTF-8 text; what could not be read was replaced.",
    badLine: (line: number, what: string): string => `stdin line ${line}: ${what}`,
    badCommand:
      'not a command. Known: {"type":"prompt","text":…} or {"type":"prompt","content":[…]}, {"type":"interrupt","now":…}, {"type":"answer","call":…,"verdict":"allow"|"deny"}, {"type":"compact"}',
    badJson: (why: string): string => `not a JSON object (${why})`,
    lineTooLong: (most: number): string => `longer than ${most} bytes`,
    imageLeftOut: (path: string, why: string): string => `${path} is not attached: ${why}`,
    alwaysIsSession: 'the scope "always" counts for this session only in this version',
    waiting: (call: string, title: string): string => `waiting for permission (${call}): ${title}`,
    howToAnswer: (id: string): string =>
      `Go on with an allow rule: pawl -p -r ${id} --allow RULE; or answer on a terminal: pawl -r ${id}`,
    resume: (command: string): string => `Go on with: ${command}`,
    notWritten: (code: string): string =>
      `The output could not be written to the end (${code}). The answer is in the session: pawl show`,
    stopping: "Stopping; again to leave at once.",
    leaving: "Left at once. Nothing recorded is lost.",
    degraded: (count: number): string =>
      `${counted(count, "step")} after the damage no longer ${count === 1 ? "fits and is" : "fit and are"} left out. What was under way is stopped and not done again: look at the real state, then go on.`,
    damage: (what: string): string => `The journal was damaged: ${what}`,
  },
  interactive: {
    banner: (folder: string): string =>
      `Pawl in ${folder}. /help shows what you can type; Ctrl-C stops a run.`,
    help: `Type what you want done; Alt-Enter starts a new line. While the agent works, a line is queued for it.
/continue      go on after a limit, a failure or an interrupt
/model [M]     show or change the model
/thinking [L]  show or change how hard it thinks: off, low, medium, high, max
/mode [MODE]   show or change the permission mode: ask, read-only, edit, bypass
/cost          what this session has used
/sessions      sessions of this folder
/resume ID     go on with another session
/clear         start a new session with the next prompt
/compact       shorten the context now
/exit          leave (also Ctrl-D)
Questions: y = yes, n = no, a = yes for this session, any other text = no, and why.`,
    allow: "Allow? y / n / a = this session / text = no, because › ",
    againToLeave: "Press Ctrl-C again to leave.",
    stillRunning: "A run is going on: stop it with Ctrl-C first.",
    goOn: "/continue goes on from here.",
    cleared: "The next prompt starts a new session.",
    unknownSlash: (name: string): string => `There is no /${name}. See /help.`,
    modelIs: (model: string): string => `Model: ${model}`,
    thinkingIs: (level: string): string => `Thinking: ${level}`,
    byItself: "as the model does by itself",
    modeIs: (mode: string): string => `Permission mode: ${mode}`,
    noCost: "Nothing used yet.",
    cost: (
      turns: number,
      tokens: number,
      {
        calls,
        cached,
        usd,
      }: { readonly calls: number; readonly cached: number; readonly usd: string },
    ): string =>
      `${counted(turns, "turn")}, ${counted(calls, "tool call")}, ${counted(tokens, "token")}${cached === 0 ? "" : ` (${cached} from the cache)`}, ${usd}`,
  },
  endings: {
    comeBack: (why: string, at: string): string =>
      `${why} That is too long to wait here: go on after ${at}.`,
    truncated: "The answer was cut by the output limit.",
    refused: "The model or its provider refused to go on.",
    interrupted: "Interrupted. Nothing is lost; the session can go on.",
    unknownStop: (raw: string): string =>
      `The reply ended for a reason this version does not know (${raw}). What had arrived is kept.`,
    turns: (turns: number): string =>
      `Stopped by itself at the limit of ${counted(turns, "turn")}.`,
    cost: (limit: number, spent: number): string =>
      `Stopped by itself at the cost limit of $${limit} (spent $${spent.toFixed(4)}).`,
    costUnknown: (limit: number, model: string): string =>
      `Stopped by itself: the cost limit of $${limit} cannot be kept, because a price is unknown (model ${model}). Use --max-tokens or --max-turns, or another model.`,
    tokens: (tokens: number): string =>
      `Stopped by itself at the limit of ${counted(tokens, "token")}.`,
    toolCalls: (calls: number): string =>
      `Stopped by itself at the limit of ${counted(calls, "tool call")}.`,
    time: (seconds: number): string => `Stopped by itself at the time limit of ${seconds} s.`,
    noProgress: "Stopped by itself: no progress.",
    advice:
      "Split the task into smaller ones, try another approach, or go on from here with a higher limit.",
  },
  unfinished: {
    head: (id: string, title: string): string =>
      `The last session here was not finished: ${title} (${id})`,
    goesOn: "The last run was not finished; it goes on.",
    done: (title: string): string => `done: ${title}`,
    running: (title: string): string => `was running, will be looked into: ${title}`,
    asked: (title: string): string => `waits for your permission: ${title}`,
    notStarted: (title: string): string => `never started: ${title}`,
    streaming: "a reply was streaming; it will be asked for again",
    question: "Go on with it? Y = go on / n = start fresh › ",
  },
};

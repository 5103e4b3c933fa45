import { spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface AgentRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly home: string;
  /** Address of the model server. */
  readonly url: string;
  /** Gets every line the agent writes, to either stream. */
  readonly onLine: (line: string, from: "answer" | "progress") => void;
  /** The agent is killed hard as soon as this says so. */
  readonly killWhen?: () => boolean;
}

export interface AgentEnd {
  readonly pid: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Everything it wrote to stdout. */
  readonly answer: string;
}

/** Named like a model nobody offers, so that nothing here is taken for a real one's work. */
export const scriptedModel = "anthropic/scripted-demo";

/** Runs this very program, headless, in a process of its own. */
export async function runAgent(run: AgentRun): Promise<AgentEnd> {
  const { args, cwd, home, url, onLine, killWhen } = run;
  const child = spawn(process.execPath, [process.argv[1] ?? "", "-p", ...args], {
    cwd,
    env: environmentFor(home, url),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let answer = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (answer += text));
  inLines(child.stderr, (line) => onLine(line, "progress"));
  inLines(child.stdout, (line) => onLine(line, "answer"));
  const over = new AbortController();
  const end = new Promise<Pick<AgentEnd, "code" | "signal">>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  }).finally(() => over.abort());
  if (killWhen !== undefined) {
    await untilTrue(killWhen, over.signal);
    child.kill("SIGKILL");
  }
  return { pid: child.pid ?? 0, ...(await end), answer };
}

const lookEveryMs = 20;

async function untilTrue(isTrue: () => boolean, over: AbortSignal): Promise<void> {
  // An aborted wait means that the process has ended by itself.
  while (!over.aborted && !isTrue())
    await sleep(lookEveryMs, undefined, { signal: over }).catch(() => {});
}

/** Nothing of the user's own: no key, no settings, no proxy between the agent and the server on this machine. */
function environmentFor(home: string, url: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^PAWL_(?!LANG$)|_API_KEY$|_BASE_URL$|^NODE_TEST_CONTEXT$|_PROXY$/i.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    // Commands in the samples say `node`: it must be one that is there, this one.
    PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
    PAWL_HOME: home,
    PAWL_MODEL: scriptedModel,
    ANTHROPIC_API_KEY: "no-key-needed",
    ANTHROPIC_BASE_URL: url,
  };
}

function inLines(stream: NodeJS.ReadableStream, give: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(give);
  });
  stream.on("end", () => {
    if (rest !== "") give(rest);
  });
}

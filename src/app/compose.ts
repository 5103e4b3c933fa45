// Over 250 lines: the only place that knows all adapters shows in one piece how they fit together.
import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";

import { checkAnswer } from "#adapters/answers";
import { commonImageLimits } from "#adapters/models";
import { openSpool } from "#adapters/stores";
import { builtInTools } from "#adapters/tools";
import { showName } from "#adapters/workspace";
import { type Agent, type Mode, PawlError, type Policy } from "#core";
import {
  type AnyTool,
  type Journal,
  lookInto,
  type SessionInfo,
  startSession,
  type TakeImage,
  wholeOrNotes,
} from "#runtime";
import { environmentText } from "./context/environment.ts";
import { shortStatus } from "./context/git-status.ts";
import { findInstructions } from "./context/instructions.ts";
import { findRepository } from "./context/repository.ts";
import { chosenSession } from "./store/chosen-session.ts";
import { openModel } from "./open-model.ts";
import type { OpenRequest } from "./open-request.ts";
import type { OpenedSession } from "./opened.ts";
import { systemPrompt } from "./prompt/system-prompt.ts";
import { type Ground, groundOf } from "./store/ground.ts";
import { agentIn, lookIntoSource, makeJournal } from "./store/open-journal.ts";
import { tidyUp } from "./tidy.ts";
import { programVersion } from "./version.ts";
import { openWorktree } from "./worktree.ts";

/**
 * Opens a session with everything it needs: the only place that knows all adapters. Whatever the journal says is
 * owed starts at once.
 * @throws PawlError for everything in the request that cannot be: see `usageErrors` in the command line
 */
export async function openSession(asked: OpenRequest): Promise<OpenedSession> {
  const request = await inWorktree(asked);
  const ground = groundOf(request.settings);
  const chosen = await chosenSession(ground.store, request);
  const goesOn = chosen !== null && request.which.at !== "fork";
  const resumed = goesOn ? await ground.store.open(chosen.id, "writer") : null;
  try {
    return await openOn(resumed, { request, ground, chosen });
  } catch (error) {
    await resumed?.close();
    throw error;
  }
}

interface Opening {
  readonly request: OpenRequest;
  readonly ground: Ground;
  /** The session that goes on or is forked; null for a new one. */
  readonly chosen: SessionInfo | null;
}

/** @param resumed the journal that goes on, just opened; null where one is still to be made. The caller closes it. */
async function openOn(
  resumed: Journal | null,
  { request, ground, chosen }: Opening,
): Promise<OpenedSession> {
  const { settings } = request;
  const { store, clock, entropy, crash } = ground;
  const cwd = await workingFolder(request, chosen);
  const roots = [cwd, ...(await realFolders(request))];
  const builtIn = builtInTools({
    crash,
    keepVariables: settings.shellEnv,
    privateHosts: settings.privateHosts,
  });
  const tools = [...builtIn, ...(request.ownTools ?? [])];
  refuseSameNames(tools);
  // Read and folded once: a long journal takes a while.
  const found = resumed === null ? null : await lookInto(resumed);
  const before = agentIn(found ?? (await lookIntoSource(store, chosen)));
  const mode = settings.mode ?? before?.mode ?? "ask";
  const thinking = settings.thinkingIsChosen
    ? settings.thinking
    : (before?.thinking ?? settings.thinking);
  const limits = settings.limitsAreSet || !before ? settings.limits : before.limits;
  const [model, context] = await Promise.all([
    openModel({
      settings,
      cwd: request.startedIn,
      baseUrl: request.baseUrl,
      fallback: request.fallback,
      before,
      limits,
      thinking,
      clock,
    }),
    gatherContext(request, { roots, tools, mode, now: clock.now() }),
  ]);
  let { questions } = request;
  // Nothing is made before all that could refuse has spoken.
  const journal =
    resumed ?? (await makeJournal(store, request, { chosen, cwd, newId: entropy.sessionId() }));
  const firstSeq = journal.seq + 1;
  const runsDir = resolve(journal.folder ?? cwd, "runs");
  const policy = (current: Mode): Policy => ({
    mode: current,
    rules: [...settings.rules, ...ownOutput(runsDir)],
    // As tools spell the paths that are judged: a folder's name may hold a newline.
    roots: roots.map((root) => showName(Buffer.from(root))),
    questions,
  });
  try {
    const session = await startSession({
      journal,
      spool: openSpool(journal.folder),
      model: model.client,
      tools,
      checkAnswer,
      agent: { ...model.agent, mode, limits, thinking, sections: context.sections },
      policy,
      costUsd: model.costUsd,
      cwd,
      roots,
      runsDir,
      gitHead: context.head,
      program: `pawl/${programVersion()}`,
      clock,
      entropy,
      crash,
      takeImage,
      ...(found === null ? {} : { found }),
    });
    const tidying = tidyUp();
    return {
      session,
      firstSeq,
      entries: (fromSeq) => journal.read(fromSeq),
      whole: (value) => wholeOrNotes(value, (hash) => journal.getBlob(hash)),
      async attach(said) {
        if (!said.includes("@")) return { blocks: [], notices: [] };
        const { attachImages } = await import("./attach-images.ts");
        const { agent, grants } = session.state;
        return attachImages(said, {
          cwd,
          policy: policy(agent.mode),
          grants,
          takeImage,
          words: settings.words,
        });
      },
      policy: () => policy(session.state.agent.mode),
      setQuestions: (who) => {
        questions = who;
      },
      settings,
      notices: [
        ...journal.damage.map((one) =>
          settings.words.progress.damage(settings.words.told.damage(one)),
        ),
        ...(found?.refused ? [settings.words.progress.degraded(found.refused)] : []),
        ...model.notices,
        ...context.notices,
        ...restoredMode(request, before, mode),
      ],
      close: () => tidying.stop().then(() => session.close()),
    };
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** A name decides what runs and what a rule allows, so it has one owner. */
function refuseSameNames(tools: readonly AnyTool[]): void {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new PawlError("usage", `Two tools are called "${twice}". Give yours another name.`);
}

/** A work tree is the folder that was named, also for finding the latest session. */
async function inWorktree(request: OpenRequest): Promise<OpenRequest> {
  const { cwd, settings, worktree } = request;
  if (worktree === null) return request;
  const place = { cwd, environment: settings.environment };
  const tree = await openWorktree(worktree === "" ? null : worktree, place, settings.words);
  return { ...request, cwd: tree, cwdIsChosen: true };
}

/** A session that goes on does so in its own folder, unless another one was named. */
async function workingFolder(request: OpenRequest, chosen: SessionInfo | null): Promise<string> {
  const { cwd, settings } = request;
  if (chosen === null || request.cwdIsChosen) return cwd;
  const found = await stat(chosen.cwd).catch(() => null);
  if (found?.isDirectory()) return realpath(chosen.cwd);
  throw new PawlError(
    "session_folder_gone",
    settings.words.session.folderGone(chosen.cwd, chosen.id),
  );
}

function realFolders({ addDirs, cwd, settings }: OpenRequest): Promise<readonly string[]> {
  return Promise.all(
    addDirs.map(async (folder) => {
      const path = resolve(cwd, folder);
      const found = await stat(path).catch(() => null);
      if (found?.isDirectory()) return realpath(path);
      throw new PawlError("folder_missing", settings.words.session.folderMissing(path));
    }),
  );
}

interface ContextParts {
  readonly roots: readonly string[];
  readonly tools: readonly AnyTool[];
  readonly mode: Mode;
  readonly now: number;
}

interface Context {
  readonly sections: ReturnType<typeof systemPrompt>;
  readonly head: string | null;
  readonly notices: readonly string[];
}

async function gatherContext({ settings }: OpenRequest, parts: ContextParts): Promise<Context> {
  const [cwd = "/", ...addedFolders] = parts.roots;
  const repository = await findRepository(cwd);
  const [instructions, status] = await Promise.all([
    findInstructions(settings.home, { cwd, root: repository?.root ?? cwd }, settings.words),
    repository ? shortStatus(repository, cwd, settings.environment) : null,
  ]);
  const environment = environmentText({
    now: parts.now,
    cwd,
    addedFolders,
    platform: `${process.platform} ${process.arch}`,
    environment: settings.environment,
    repository,
    status,
  });
  return {
    sections: systemPrompt({
      tools: parts.tools,
      mode: parts.mode,
      instructions: instructions.files,
      environment,
    }),
    head: repository?.head ?? null,
    notices: instructions.notices,
  };
}

function restoredMode(
  { settings }: OpenRequest,
  before: Agent | null,
  mode: Mode,
): readonly string[] {
  const isRestored = before !== null && settings.mode === null && mode !== "ask";
  return isRestored ? [settings.words.session.restored(mode)] : [];
}

/** What a command printed beyond the limit lies outside the workspace; reading it back is free. */
const ownOutput = (runsDir: string): Policy["rules"] =>
  ["read", "grep"].map((tool) => ({
    verdict: "allow",
    tool,
    pattern: `${runsDir}/**`,
    source: "built_in",
  }));

/** Most sessions see no image: what looks at them is loaded with the first. */
const takeImage: TakeImage = async (image) => {
  const { imageIntake } = await import("#adapters/images");
  return imageIntake(commonImageLimits)(image);
};

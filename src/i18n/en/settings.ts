import { counted } from "./plural.ts";

/** Settings, models, work trees and the choice of a session. */
export const settings = {
  config: {
    unusableFile: {
      not_a_file: (file: string): string => `${file} is not a regular file, so it was not read.`,
      not_utf8: (file: string): string => `${file} is not UTF-8 text. Save it as UTF-8.`,
      not_readable: (file: string): string => `${file} cannot be read: look at its permissions.`,
    },
    noSuchFile: (file: string): string => `--config: there is no file ${file}.`,
    fileTooLong: (file: string, most: number): string =>
      `${file} is longer than ${counted(most, "byte")}.`,
    tooDeep: (most: number): string => `nested deeper than ${most} levels.`,
    syntax: (what: string): string => `not valid JSON with comments (${what}).`,
    notAnObject: "settings are one object: { … }.",
    duplicate: (key: string): string => `"${key}" is there twice; only one can count. Remove one.`,
    wrong: (key: string, expected: string): string => `${key} must be ${expected}.`,
    expected: {
      model: 'a model as "provider/name"',
      oneOf: (names: readonly string[]): string => `one of ${names.join(", ")}`,
      turns: 'a whole number from 1, "quick", "long" or "unlimited"',
      count: "a whole number from 1",
      amount: "a number above 0",
      duration: "a duration such as 90s, 30m or 2h",
      url: "an http or https address",
      text: "a text that is not empty",
      names: "a list of names",
      textsByName: "an object of texts",
      models: {
        form: 'an object such as { "name": { "window": 200000, "tools": "text" } }',
        inWhich: (name: string, what: string): string => `an object in which "${name}"${what}`,
        field: (field: string, expected: string): string => `${field} is ${expected}`,
        unknown: (key: string, known: readonly string[]): string =>
          ` has no "${key}"; known are ${known.join(", ")}`,
        price:
          'an object such as { "input": 3, "output": 15, "cacheRead": 0.3, "cacheWrite": 3.75 }, dollars for a million tokens; the cache prices may be left out',
      },
      notAuto:
        "ask, edit, read-only or bypass: auto allows what a sandbox contains, and this version has none",
      object: "an object",
      rules: 'a list of rules such as "bash(git log *)"',
      sandbox:
        '"off": this version has no sandbox, and a protection that is not there is not promised. Remove it',
      laterProtection:
        "left out: this version cannot keep it yet, and a protection that is not there is not promised",
    },
    unknownKey: (where: string, key: string, near: string | null): string =>
      `${where}: there is no setting "${key}".${near === null ? "" : ` Did you mean "${near}"?`}`,
    laterKey: (where: string, key: string): string =>
      `${where}: "${key}" is not in this version of Pawl and has no effect.`,
    untrustedKey: (where: string, key: string): string =>
      `${where}: "${key}" is ignored: a project may not set it until its folder is trusted. Put it in your own config.jsonc.`,
    untrustedAllow: (where: string, count: number): string =>
      `${where}: ${counted(count, "allow rule")} of the project ${count === 1 ? "is" : "are"} ignored: a project may only tighten until its folder is trusted.`,
    loosening: (where: string, key: string): string =>
      `${where}: "${key}" is ignored: a project may only tighten it until its folder is trusted.`,
    turnsInvalid: (where: string, expected: string): string =>
      `${where}: limits.turns must be ${expected}; the default of 50 holds.`,
    unlimitedAlone:
      "Turns can only be unlimited beside another hard limit. Add --max-cost, --max-tokens, --max-tool-calls or --max-time.",
    ruleForm: (rule: string): string => `"${rule}" is not a rule. Form: tool or tool(pattern).`,
    ruleTool: (rule: string, tool: string, near: string | null): string =>
      `"${rule}" would never match: there is no tool "${tool}".${near === null ? " The tools are in docs/tools.md." : ` Did you mean "${near}"?`}`,
    linkOutside: (path: string, target: string): string =>
      `${path} is a link out of the repository (${target}) and was not read as instructions.`,
    instructionsCut: (path: string, most: number): string =>
      `${path} is longer than ${counted(most, "byte")}: only its beginning is used.`,
  },
  answerSchema: {
    missing: (file: string): string => `--json-schema: there is no file ${file}.`,
    unusable: (file: string): string =>
      `--json-schema: ${file} is no text file that can be read (UTF-8).`,
    wrong: (name: string, why: string): string => `${name} is no usable JSON Schema: ${why}`,
    notJson: (detail: string): string => `it is not JSON (${detail}).`,
    notAnObject: "it must be a JSON object.",
    tooLarge: (most: number): string => `it is longer than ${most} bytes.`,
    tooDeep: (most: number): string => `it is nested more than ${most} levels deep.`,
    noSuchReference: (reference: string): string =>
      `the $ref "${reference}" leads to nothing in it. Other files and addresses are not read: copy what is needed into $defs.`,
    noSchema: (place: string, detail: string): string => `at ${place}: ${detail}`,
    endless: "its references or patterns have no end.",
    onlyForPrompts:
      "--json-schema counts for a new prompt. What goes on here keeps the form its own prompt asked for.",
  },
  model: {
    form: (ref: string): string =>
      `"${ref}" is not a model. Write provider/name, for example anthropic/claude-sonnet-5-5 or scripted/turns.json.`,
    provider: (provider: string, near: string | null): string =>
      `There is no provider "${provider}".${near === null ? "" : ` Did you mean "${near}"?`} All of them: pawl models`,
    none: `No model is set, no key is configured, and no model server answers on this machine. What you can do:
  1. a key           export ANTHROPIC_API_KEY=…   (every provider and its variable: pawl models)
  2. a local server  start Ollama, LM Studio, llama.cpp or vLLM with a model: it is found by itself
  3. a model         pawl -m PROVIDER/MODEL, PAWL_MODEL, or "model" in config.jsonc
  4. only a look     pawl demo   (scripted model, no key, no network)`,
    local: {
      has: (place: string, count: number): string =>
        count === 0
          ? `${place} has no model to chat with yet. Get one, as with: ollama pull qwen3-coder`
          : `${place} offers ${count} ${count === 1 ? "model" : "models"}`,
      absent: (place: string): string => `${place}: nothing answers there.`,
      silent: "did not answer in time.",
      html: "answers with a web page: another program has that port.",
      noJson: "answers with something that is not JSON: another program has that port.",
      no_list: "answers, but not with a list of models: another program may have that port.",
      too_large: "answers with more than a list of models can be; it was not read.",
      redirect: (to: string): string =>
        `sends requests on to ${to}. If you trust that address, make it the base URL.`,
      locked: (status: number, provider: string): string =>
        `wants a key (${status}). Give it with providers.${provider}.apiKeyEnv in config.jsonc.`,
      status: (status: number): string =>
        `answers with status ${status}; it may still be loading its model. Try again.`,
      used: (ref: string, url: string): string =>
        `No model is set and no key is configured: ${ref} is used, found at ${url}. To keep it: "model": "${ref}" in config.jsonc, or -m.`,
      windowMayBeLess: (ref: string, window: number, kind: "ollama" | "other"): string =>
        `${ref} was made for ${window} tokens, but its server may cut what it gets to less.${kind === "ollama" ? " Start it with OLLAMA_CONTEXT_LENGTH=64000 or more." : " Load it with a larger context length."}`,
      windowIsSmall: (ref: string, window: number, kind: "ollama" | "other"): string =>
        `${ref} is loaded with a window of ${window} tokens, too few for work with tools; what is longer may be cut without a word.${kind === "ollama" ? " Start Ollama with OLLAMA_CONTEXT_LENGTH=64000 or more." : " Load it with a larger context length."}`,
      choose: "Which model? A number or a name; Enter takes the first › ",
      loaded: "loaded",
      textTools: "calls as text",
    },
    noKey: (provider: string, variable: string): string =>
      `There is no key for ${provider}. Set ${variable}, or providers.${provider}.apiKeyEnv or apiKeyCommand in config.jsonc. Without a key: pawl demo`,
    keyCommand: (provider: string, why: string): string =>
      `providers.${provider}.apiKeyCommand gave no key (${why}).`,
    unknown: (ref: string): string =>
      `${ref} is not in the table of models: its context window and price are unknown.`,
    fallbackIsModel: (ref: string): string =>
      `--fallback-model is the model itself (${ref}). Name another one, best of another provider.`,
    fallbackGone: (ref: string, why: string): string =>
      `The fallback model ${ref} of this session cannot be used and is left out: ${why}`,
    thinkingRefused: (ref: string): string =>
      `${ref} cannot be told how hard to think, so it is not; the level holds for other models of the session.`,
    priceUnknown: (ref: string): string =>
      `--max-cost cannot be kept: the price of ${ref} is unknown. Use --max-tokens or --max-turns, or another model.`,
  },
  worktree: {
    name: (name: string): string =>
      `"${name}" is no name for a work tree: letters, digits, ".", "_", "-". A prompt after --worktree needs -- before it.`,
    noRepository: (folder: string): string =>
      `--worktree needs a git repository, and ${folder} is in none.`,
    failed: (path: string, why: string): string =>
      `git could not make the work tree ${path}: ${why}`,
    unsafe: (folder: string): string =>
      `The settings in ${folder} may start programs (filter, include, …), so no work tree was made. Look at them, make one with "git worktree add", and use --cwd.`,
  },
  session: {
    folderGone: (folder: string, id: string): string =>
      `The folder of session ${id} is gone: ${folder}. Go on elsewhere: pawl -r ${id} --cwd DIR. Or branch off: pawl --fork ${id} --cwd DIR.`,
    folderMissing: (folder: string): string => `There is no folder ${folder}.`,
    ownFolderGone: "The current folder was deleted. Change to another one, or use --cwd DIR.",
    none: (folder: string): string =>
      `There is no session of ${folder} yet. Start one with a prompt.`,
    ambiguous: (id: string, ids: readonly string[]): string =>
      `Several sessions begin with ${id}: ${ids.join(", ")}. Give more of the id.`,
    chooseHeadless: (list: string): string =>
      list === ""
        ? "--resume needs an id here, and this folder has no sessions yet. Start one with a prompt; those of other folders: pawl sessions --all"
        : `--resume needs an id here. Sessions of this folder:\n${list}`,
    noSuchStep: (id: string, seq: number, most: number): string =>
      `Session ${id} has no step ${seq}; its last is ${most}.`,
    finished:
      "The last run of this session is complete, and this is its answer. Give a prompt to go on from there.",
    restored: (mode: string): string => `The session goes on in permission mode ${mode}.`,
    openQuestion: "Choose a number, or an id: ",
  },
};

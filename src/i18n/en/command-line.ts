/** What `--help` and usage errors say. */
export const commandLine = {
  options: {
    print:
      "one prompt, the answer to stdout, everything else to stderr; then exit. Input on stdin is appended to the prompt",
    outputFormat:
      "text: the final answer; json: one result object; stream-json: one fact a line, then the result (text)",
    inputFormat:
      'text, or stream-json: commands as lines on stdin, such as {"type":"prompt","text":"…"} (text)',
    includeSignals: "stream-json also carries signals: text deltas, progress",
    jsonSchema:
      "the final answer must be JSON of this JSON Schema; one that is not is asked for again, three times at most, then the run has failed",
    model:
      "PROVIDER/NAME: anthropic/…, openai/…, gemini/…, deepseek/…, openai-compatible/…, ollama/…; scripted/FILE; all: pawl models (config, else the first configured key, else a local server that is found)",
    thinking:
      "how hard the model thinks: off, low, medium, high or max (as the model does by itself)",
    baseUrl:
      "address of the chosen provider; also ANTHROPIC_BASE_URL, OPENAI_BASE_URL, GEMINI_BASE_URL",
    fallbackModel:
      "PROVIDER/NAME: answers the rest of the prompt when the first cannot be had, after its retries",
    continue: "go on with the latest session of this folder",
    resume: "go on with a session, by id or unique prefix; without id: choose",
    fork: "ID[@SEQ]: a new session from the beginning of another",
    dir: "with --fork: restore the files there",
    permissionMode:
      "ask, read-only (to plan), edit (edits inside the workspace are free), bypass (no questions; deny rules stay). auto needs a sandbox: not in this version (ask)",
    allow:
      "rule such as 'edit(src/**)' or 'bash(git log *)'; repeatable. deny beats ask beats allow",
    ask: "what is always asked; repeatable",
    deny: "what is never done; repeatable",
    sandbox: "off. read-only and workspace: not in this version, so commands run without a sandbox",
    network: "network of commands: off, on or hosts",
    addDir: "one more folder that may be written in; repeatable",
    onAsk:
      "without a terminal: deny a needed question with a hint, or pause: stop resumable with exit code 6 (deny)",
    maxTurns:
      "model calls a prompt; a number, quick (5), long (300), or unlimited beside another limit (50)",
    maxCost: "US dollars a prompt",
    maxTokens: "tokens a prompt",
    maxToolCalls: "tool calls a prompt",
    maxTime: "wall time a prompt, such as 90s, 30m, 2h",
    cwd: "folder to work in",
    worktree: "work in a git work tree of its own, under .pawl/worktrees/NAME",
    config: "settings file instead of config.jsonc in PAWL_HOME",
    noProjectConfig: "leave the settings of the project (.pawl/) out",
    lang: "en or zh-CN: language of the interface (from the locale)",
    quiet: "no progress on stderr",
    verbose: "more on stderr",
    noColor: "no colours; also NO_COLOR",
    version: "print the version",
    help: "print this help",
    json: "as JSON",
    all: "sessions of every folder",
    messages: "the exact request of each model call instead of the facts",
    offline: "connect to nothing",
  },
  commands: {
    sessions:
      "list sessions, remove one, prune those unused for DAYS (30); search: not in this version",
    show: "what happened in a session, step by step, and what each step changed",
    config: "what is set, and where",
    models: "what can be used now, with windows and prices, and why the rest cannot",
    doctor:
      "check this machine, the settings, and every provider's key and address; costs no tokens",
    init: "write a first AGENTS.md",
    completion: "completion script for a shell",
    demo: "a complete run on a sample folder with a scripted model: no key, no network",
    replay: "fold a journal again and check it",
    undo: "restore what the agent changed",
    redo: "take an undo back",
    blame: "which call wrote this line",
    why: "why a call was allowed",
    audit: "every decision",
    verify: "is the journal's chain unbroken",
    policy: "decide without running",
    export: "a session as one file",
    import: "take an exported session in",
    bundle: "a session for a bug report",
    mcp: "tool servers",
    inspect: "web inspector",
    acp: "editor protocol",
    farm: "many machines",
  },
  groups: {
    run: "Run:",
    session: "Sessions:",
    permission: "Permissions:",
    limits: "Limits (a prompt):",
    place: "Place and settings:",
    face: "Interface:",
    command: "Options of this command:",
    commands: "Commands:",
  },
  usage: {
    title: "Usage:",
    synopsis: `pawl [options] [prompt…]      on a terminal: interactive
       pawl -p [options] [prompt…]   headless; a prompt part "-" waits for stdin to its end
       pawl <command> …`,
    footer:
      "Exit codes: 0 completed, 1 failed, 2 usage or settings, 3 cut by the output limit, 4 a limit, 5 refused,\n6 waiting for a permission, 7 unknown stop, 130 interrupted, 143 terminated.\nStart without a key or network: pawl demo",
    commandHelp: "Options of a command: pawl COMMAND --help",
    moreOptions: "The options of `pawl --help` count here too.",
    later: "[not in this version]",
    notYet: (what: string): string => `${what} is not in this version of Pawl.`,
    unknownOption: (option: string, near: string | null): string =>
      `There is no option ${option}.${near === null ? "" : ` Did you mean ${near}?`} See pawl --help.`,
    missingValue: (option: string): string =>
      `The option ${option} needs a value. See pawl --help.`,
    wrongValue: (option: string, value: string, expected: string): string =>
      `${option}: "${value}" cannot be used. Right would be: ${expected}.`,
    noTool: (name: string): string =>
      `${name} is not a tool. Make it with defineTool of pawl/tools.`,
    oneSession: "--continue, --resume and --fork exclude each other: give one of them.",
    autoMode:
      "--permission-mode auto allows what a sandbox contains, and this version has no sandbox. Use ask, edit, read-only or bypass.",
    sandboxLater: (wish: string): string =>
      `--sandbox ${wish} is not in this version of Pawl: commands would run without it. Use --sandbox off, or leave it out and answer the questions.`,
    noPrompt:
      "There is nothing to do: give a prompt, or text on stdin. Example: pawl -p 'Explain main.ts'",
    noTerminal:
      "The interactive face needs a terminal on stdin and stdout. For scripts use: pawl -p 'your prompt'",
    streamNeedsPrint:
      "--input-format stream-json, --output-format, --include-signals and --json-schema belong to -p: add -p.",
    signalsNeedStream: "--include-signals belongs to --output-format stream-json.",
    promptAndStream:
      "With --input-format stream-json the prompt comes as a line on stdin, not as an argument.",
    promptTooLong: (bytes: number, most: number): string =>
      `The prompt is ${bytes} bytes long, more than ${most}. Put the text in a file and name the file in the prompt.`,
    operand: (command: string, what: string): string =>
      `pawl ${command}: ${what}. See pawl ${command} --help.`,
  },
};

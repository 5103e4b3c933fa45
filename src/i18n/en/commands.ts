import { counted } from "./plural.ts";

/** What the sub-commands say. */
export const commandTexts = {
  sessions: {
    rmNeedsId: "rm needs the id of a session",
    unknownAction: (action: string): string =>
      `there is no action "${action}"; use list, rm or prune`,
    pruneNeedsDays: "prune takes a number of days, 30 when it is left out",
    pruned: (count: number, kilobytes: number): string =>
      `removed ${counted(count, "session")}, ${kilobytes} kB`,
    keptOpen: (id: string): string => `${id} is open somewhere and stays`,
    inUse: "in use",
    noPrompt: "(no prompt yet)",
    removed: (id: string): string => `removed ${id}`,
  },
  show: {
    needsId: "it needs one session: ID, ID@7 or ID@7..9",
    backwards: (from: number, to: number): string =>
      `${from}..${to} holds no step: the smaller number comes first.`,
    used: (
      replies: number,
      input: number,
      { output, cost }: { readonly output: number; readonly cost: string },
    ): string =>
      `${replies} ${replies === 1 ? "reply" : "replies"}, ${input} tokens in, ${output} out, ${cost}`,
    passedOver: (reason: string): string => `passed over, it cannot have happened: ${reason}`,
  },
  configCommand: {
    home: "PAWL_HOME",
    layers: {
      flag: "flag",
      environment: "environment",
      project: "project",
      user: "user",
      default: "default",
    },
  },
  modelsCommand: {
    unknown: "unknown",
    columns: { window: "window", output: "output" },
    price: (input: number, output: number): string => `$${input} in, $${output} out`,
    cached: (read: string, write: string): string => `cached ${read}, written ${write}`,
    long: (aboveTokens: number, input: number, output: number): string =>
      `above ${aboveTokens}: $${input} in, $${output} out`,
    images: "images",
    textTools: "calls as text",
    loaded: "loaded",
    usable: "Usable now",
    unusable: "Not usable now",
    nothing: "nothing yet",
    any: (provider: string): string => `any model of it: -m ${provider}/NAME`,
    more: (count: number, provider: string): string =>
      `(${count} ${count === 1 ? "model" : "models"}: pawl models ${provider})`,
    list: {
      noKey: (variable: string): string => `no key: set ${variable}`,
      noAddress: (provider: string): string =>
        `no address: --base-url URL, or providers.${provider}.baseUrl in config.jsonc`,
      notAsked: "was not asked (--offline)",
    },
    note: "Window and output in tokens, prices in dollars for a million tokens, as of the release; what a server says of itself wins, and yours over all: providers.NAME.models in config.jsonc. scripted/FILE plays a script.",
  },
  doctor: {
    checks: {
      node: "Node",
      home: "PAWL_HOME",
      git: "git",
      bash: "bash",
      rg: "ripgrep",
      sandbox: "sandbox",
      model: "model",
      proxy: "proxy",
      certificates: "certificates",
    },
    notWritable: (folder: string): string => `${folder} cannot be written`,
    noSandbox: "none in this version: commands run with your rights, after you said yes",
    noKeyNeeded: "no key needed",
    noKey: "no key",
    keyFrom: (source: string): string => `key from ${source}`,
    check: {
      letIn: (place: string): string => `${place}: it answers and lets you in`,
      notOffered: (found: string, name: string, provider: string): string =>
        `${found}, but not "${name}". See which: pawl models ${provider}`,
      noAddress: (provider: string): string =>
        `it is not known where it is served. Set providers.${provider}.baseUrl in config.jsonc.`,
      silent: (seconds: number): string =>
        `no answer within ${seconds} s. The network or a proxy may swallow it: see the proxy line, or try again.`,
      wrongAddress: (status: number, usual: string): string =>
        `what answers there (${status}) is not this API, so the base URL is wrong.${usual === "" ? "" : ` The usual one is ${usual}.`}`,
      keyMissing: (provider: string, said: string): string =>
        `it wants a key and none is set. Set providers.${provider}.apiKeyEnv or its usual variable. It said: ${said}`,
      keyRefused: (source: string, said: string): string =>
        `it refuses the key from ${source}. Make a new one, or look for a typing error. It said: ${said}`,
      certificate: (said: string): string => `its certificate is not trusted here: ${said}`,
      notReached: (said: string): string => `it cannot be reached: ${said}`,
    },
    proxy: {
      none: "none is set (HTTPS_PROXY, HTTP_PROXY)",
      used: (list: string): string => `${list}; never for plain HTTP to this machine`,
      nodeTooOld: (version: string): string =>
        `${version} knows no proxies, so requests go past them. Use Node 22.21, 24.5 or newer.`,
      onlyAll:
        "ALL_PROXY is set and not used here. Set HTTPS_PROXY, and HTTP_PROXY, to an HTTP proxy.",
      invalid: (name: string): string =>
        `${name} is no address of an HTTP proxy (SOCKS is not spoken). Set it as in http://127.0.0.1:3128, or unset it.`,
    },
    certificates: {
      extra: (file: string): string => `${file} is trusted too (NODE_EXTRA_CA_CERTS)`,
      unreadable: (file: string): string =>
        `NODE_EXTRA_CA_CERTS names ${file}, which cannot be read or holds no certificate, so it is not trusted. Name a PEM file and start again.`,
      off: "NODE_TLS_REJECT_UNAUTHORIZED=0 is set: no certificate is checked, and anybody on the way can read your key. Unset it; for an authority of your own set NODE_EXTRA_CA_CERTS.",
    },
  },
  init: {
    written: (file: string): string =>
      `Wrote ${file}. Fill in what an agent should know about this project.`,
    present: (file: string): string => `${file} is there already; nothing was changed.`,
    starter: `# Working on this project

What an agent (or a new colleague) should know before changing anything.

## Commands

- Install:
- Test:
- Check (types, lint, format):

## Rules

- Follow the style of the file you are in.
- Run the tests before you say it is done.

## Where things are

-
`,
  },
  error: {
    title: "pawl:",
    internal: (what: string): string =>
      `Something in Pawl itself failed: ${what}. Nothing recorded is lost; please report it with --verbose.`,
  },
};

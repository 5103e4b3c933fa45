import assert from "node:assert/strict";
import { test } from "node:test";

import {
  decide,
  grantFor,
  hiddenFrom,
  parseRule,
  writtenRule,
  type Access,
  type Decision,
  type Grant,
  type Mode,
  type PermissionRequest,
  type Policy,
  type Rule,
  type RuleSource,
  type Verdict,
} from "#core";

const rule = (verdict: Verdict, written: string, source: RuleSource = "user"): Rule =>
  parseRule(written, verdict, source) ?? assert.fail(`not a rule: ${written}`);
const allow = (written: string): Rule => rule("allow", written);
const ask = (written: string): Rule => rule("ask", written);
const deny = (written: string): Rule => rule("deny", written);

const request = (
  tool: string,
  access: Access,
  ...resources: readonly string[]
): PermissionRequest => ({
  tool,
  input: {},
  access,
  resources,
});
const read = (...paths: readonly string[]): PermissionRequest => request("read", "read", ...paths);
const write = (...paths: readonly string[]): PermissionRequest =>
  request("write", "write", ...paths);
const bash = (command: string): PermissionRequest => request("bash", "exec", command);
const fetching = (url: string): PermissionRequest => request("fetch", "network", url);

const policy = (changes: Partial<Policy> = {}): Policy => ({
  mode: "ask",
  rules: [],
  roots: ["/repo"],
  questions: "person",
  ...changes,
});
const judge = (
  asked: PermissionRequest,
  changes: Partial<Policy> = {},
  grants: readonly Grant[] = [],
): Decision => decide(policy(changes), asked, grants);

const inside = "/repo/src/a.ts";
const outside = "/etc/passwd";

const modes: readonly {
  readonly title: string;
  readonly asked: PermissionRequest;
  readonly verdicts: Readonly<Record<Mode, Verdict>>;
}[] = [
  {
    title: "R63 reading in the workspace is free",
    asked: read(inside),
    verdicts: { ask: "allow", "read-only": "allow", edit: "allow", auto: "allow", bypass: "allow" },
  },
  {
    title: "R63 what needs no resource and reads is free",
    asked: request("time", "read"),
    verdicts: { ask: "allow", "read-only": "allow", edit: "allow", auto: "allow", bypass: "allow" },
  },
  {
    title: "R63 writing in the workspace",
    asked: write(inside),
    verdicts: { ask: "ask", "read-only": "deny", edit: "allow", auto: "ask", bypass: "allow" },
  },
  {
    title: "R63 a command",
    asked: bash("npm test"),
    verdicts: { ask: "ask", "read-only": "deny", edit: "ask", auto: "ask", bypass: "allow" },
  },
  {
    title: "a request to the network",
    asked: fetching("https://x.test/"),
    verdicts: { ask: "ask", "read-only": "deny", edit: "ask", auto: "ask", bypass: "allow" },
  },
  {
    title: "D16 reading outside the workspace",
    asked: read(outside),
    verdicts: { ask: "ask", "read-only": "ask", edit: "ask", auto: "ask", bypass: "allow" },
  },
  {
    title: "R67 writing outside the workspace: bypass turns questions off, not the wall",
    asked: write(outside),
    verdicts: { ask: "ask", "read-only": "deny", edit: "ask", auto: "ask", bypass: "deny" },
  },
];

for (const { title, asked, verdicts } of modes) {
  test(`R62 ${title}`, () => {
    const made = Object.keys(verdicts).map((mode) => [
      mode,
      judge(asked, { mode: mode as Mode }).verdict,
    ]);
    assert.deepEqual(Object.fromEntries(made), verdicts);
  });
}

test("R66 every decision names who decided, its rule and its reason, as data and as a sentence", () => {
  assert.deepEqual(judge(read(inside)), {
    verdict: "allow",
    by: "rule",
    rule: "built-in:read",
    because: { type: "inside" },
    reason: "reading inside the workspace",
  });
  assert.deepEqual(judge(bash("ls")), {
    verdict: "ask",
    by: "rule",
    rule: "built-in:ask",
    because: { type: "no_rule", tool: "bash", others: [], limit: null },
    reason: "bash needs permission",
  });
  assert.deepEqual(judge(bash("ls"), { rules: [deny("bash(ls)")] }), {
    verdict: "deny",
    by: "rule",
    rule: "user:bash(ls)",
    because: { type: "rule", rule: "user:bash(ls)", verdict: "deny", tool: "bash" },
    reason: "the rule user:bash(ls) says deny for bash",
  });
});

const deciders: readonly {
  readonly title: string;
  readonly made: Decision;
  readonly by: readonly [by: string, rule: string];
}[] = [
  {
    title: "the read-only mode",
    made: judge(write(inside), { mode: "read-only" }),
    by: ["mode", "mode:read-only"],
  },
  {
    title: "the edit mode",
    made: judge(write(inside), { mode: "edit" }),
    by: ["mode", "mode:edit"],
  },
  {
    title: "the bypass mode",
    made: judge(bash("ls"), { mode: "bypass" }),
    by: ["mode", "mode:bypass"],
  },
  {
    title: "the bypass mode outside",
    made: judge(read(outside), { mode: "bypass" }),
    by: ["mode", "mode:bypass"],
  },
  {
    title: "the wall that bypass leaves standing",
    made: judge(write(outside), { mode: "bypass" }),
    by: ["rule", "built-in:outside"],
  },
  { title: "the wall", made: judge(read(outside)), by: ["rule", "built-in:outside"] },
  {
    title: "nobody, where a question would be put",
    made: judge(bash("ls"), { questions: "deny" }),
    by: ["headless", "built-in:ask"],
  },
  {
    title: "nobody, where a written rule asks",
    made: judge(bash("ls"), { questions: "deny", rules: [ask("bash")] }),
    by: ["headless", "user:bash"],
  },
];

for (const { title, made, by } of deciders) {
  test(`R66 a decision names its true source: ${title}`, () => {
    assert.deepEqual([made.by, made.rule], by);
  });
}

test("R64 R65 the same tool with other arguments is judged otherwise", () => {
  const rules = [allow("bash(git log *)"), deny("bash(git push *)")];
  assert.equal(judge(bash("git log -3"), { rules }).verdict, "allow");
  assert.equal(judge(bash("git log"), { rules }).verdict, "allow");
  assert.equal(judge(bash("git push origin"), { rules }).verdict, "deny");
  assert.equal(judge(bash("git status"), { rules }).verdict, "ask");
});

const strongest: readonly {
  readonly title: string;
  readonly rules: readonly Rule[];
  readonly verdict: Verdict;
}[] = [
  {
    title: "deny beats allow, whatever stands first",
    rules: [allow("bash"), deny("bash")],
    verdict: "deny",
  },
  { title: "deny beats ask", rules: [ask("bash"), deny("bash")], verdict: "deny" },
  { title: "ask beats allow", rules: [allow("bash"), ask("bash")], verdict: "ask" },
  {
    title: "a project's deny beats a flag's allow",
    rules: [rule("allow", "bash", "flag"), rule("deny", "bash", "project")],
    verdict: "deny",
  },
  { title: "a rule for every tool counts", rules: [deny("*")], verdict: "deny" },
  {
    title: "a rule for another tool does not",
    rules: [deny("read"), allow("bash")],
    verdict: "allow",
  },
];

for (const { title, rules, verdict } of strongest) {
  test(`R65 ${title}`, () => {
    assert.equal(judge(bash("npm test"), { rules }).verdict, verdict);
  });
}

test("R67 a deny rule and the read-only mode hold in every mode, bypass too", () => {
  assert.equal(
    judge(bash("rm x"), { mode: "bypass", rules: [deny("bash(rm *)")] }).verdict,
    "deny",
  );
  assert.equal(judge(bash("ls"), { mode: "read-only", rules: [allow("bash")] }).verdict, "deny");
  assert.equal(judge(bash("ls"), { mode: "bypass", rules: [ask("bash")] }).verdict, "allow");
});

test("R62 R69 without a person a question is a denial that says how to allow it", () => {
  const decision = judge(bash("ls -l"), { questions: "deny" });
  assert.equal(decision.verdict, "deny");
  assert.equal(
    decision.reason,
    "bash needs permission; nobody is there to answer, so it is denied. Allow it with --allow 'bash(ls -l)' or --permission-mode bypass, or run with --on-ask pause",
  );
  assert.equal(judge(read(inside), { questions: "deny" }).verdict, "allow");
});

const denials: readonly {
  readonly title: string;
  readonly asked: PermissionRequest;
  readonly rules?: readonly Rule[];
  readonly says: RegExp;
}[] = [
  {
    title: "an allow rule for other calls is named, and the one that would do",
    asked: bash("git status"),
    rules: [rule("allow", "bash(git log *)", "flag")],
    says: /for this: flag:bash\(git log \*\) covers other calls only; .* --allow 'bash\(git status\)' or/,
  },
  {
    title: "for what no pattern covers only the bare tool would do",
    asked: bash("git log | head"),
    rules: [rule("allow", "bash(git log *)", "flag")],
    says: /a pattern covers no quotes, variables, pipes or redirections; .* --allow 'bash' or/,
  },
  {
    title: "a file is named as it is written in the folder",
    asked: write(inside),
    says: /--allow 'write\(src\/a\.ts\)' or --permission-mode edit,/,
  },
  {
    title: "outside the folder the whole path is, and no mode opens that wall",
    asked: write("/etc/hosts"),
    says: /\/etc\/hosts is outside the workspace; .* --allow 'write\(\/etc\/hosts\)', or run/,
  },
  {
    title: "a name that is a pattern or holds a quote leads to no rule that would not hold",
    asked: write("/etc/it's *"),
    says: /so it is denied\. Only a person can allow it: run with --on-ask pause$/,
  },
  {
    title: "what a rule asks about no allow rule allows",
    asked: bash("git push"),
    rules: [ask("bash(git push *)")],
    says: /says ask for bash; .* Allow it with --permission-mode bypass, or run/,
  },
  {
    title: "several files at once",
    asked: write("/repo/a", "/repo/b"),
    says: /--allow 'write' or --permission-mode edit,/,
  },
  {
    title: "git's own files",
    asked: write("/repo/.git/config"),
    says: /git may run what stands in \/repo\/\.git\/config; .* --allow 'write\(\.git\/config\)' or/,
  },
];

for (const { title, asked, rules = [], says } of denials) {
  test(`R69 a denial because nobody is there tells what would allow the call: ${title}`, () => {
    assert.match(judge(asked, { questions: "deny", rules }).reason, says);
  });
}

test("R69 at most three rules for other calls are named, each cut", () => {
  const rules = ["a", "b", "c".repeat(200), "d"].map((word) => allow(`bash(${word})`));
  const { because } = judge(bash("x"), { rules });
  assert.ok(because.type === "no_rule");
  assert.deepEqual(
    because.others.map((one) => one.length),
    [12, 12, 100],
  );
});

test("an allow rule must cover every file of a call, a deny rule one of them", () => {
  const two = write("/repo/a.md", "/repo/b.ts");
  assert.equal(judge(two, { rules: [allow("write(*.md)")] }).verdict, "ask");
  assert.equal(judge(two, { rules: [deny("write(*.md)")] }).verdict, "deny");
  assert.equal(judge(write("/repo/a.md"), { rules: [allow("write(*.md)")] }).verdict, "allow");
  assert.equal(judge(request("write", "write"), { rules: [allow("write(*)")] }).verdict, "ask");
});

test("R65 D16 a deny rule keeps a file in the workspace from being read, and all in a folder of its name", () => {
  const rules = [deny("read(.env)"), deny("read(secrets)")];
  assert.equal(judge(read("/repo/app/.env"), { rules }).verdict, "deny");
  assert.equal(judge(read("/repo/secrets/deep/key"), { rules }).verdict, "deny");
  assert.equal(judge(read("/repo/environment"), { rules }).verdict, "allow");
});

// --- the wall around the workspace -----------------------------------------------------------------

const walls: readonly {
  readonly title: string;
  readonly rules: readonly Rule[];
  readonly verdict: Verdict;
}[] = [
  { title: "a bare tool does not reach outside", rules: [allow("write")], verdict: "ask" },
  {
    title: "a name in any folder does not reach outside",
    rules: [allow("write(passwd)")],
    verdict: "ask",
  },
  { title: "a star does not reach outside", rules: [allow("write(**)")], verdict: "ask" },
  {
    title: "a relative path does not reach outside",
    rules: [allow("write(etc/passwd)")],
    verdict: "ask",
  },
  { title: "a path from the root on does", rules: [allow("write(/etc/*)")], verdict: "allow" },
  {
    title: "it does beside a bare tool, too",
    rules: [allow("write"), allow("write(/etc/**)")],
    verdict: "allow",
  },
  {
    title: "another path from the root on does not",
    rules: [allow("write(/usr/**)")],
    verdict: "ask",
  },
];

for (const { title, rules, verdict } of walls) {
  test(`R67 the wall around the workspace: ${title}`, () => {
    assert.equal(judge(write(outside), { rules }).verdict, verdict);
  });
}

test("R67 a folder beside the workspace whose name begins alike is outside, the workspace itself is inside", () => {
  assert.equal(judge(read("/repository/a")).rule, "built-in:outside");
  assert.equal(judge(read("/repo")).verdict, "allow");
  assert.equal(judge(read("/anything"), { roots: ["/"] }).verdict, "allow");
  assert.equal(judge(read("/other/a"), { roots: ["/repo", "/other/"] }).verdict, "allow");
});

// --- grants ------------------------------------------------------------------------------------------

test("R65 a grant for the session holds for the tool in the workspace and ends at the wall", () => {
  const grants = [{ tool: "write", resource: null }];
  assert.deepEqual(judge(write(inside), {}, grants), {
    verdict: "allow",
    by: "rule",
    rule: "session:grant",
    because: { type: "granted" },
    reason: "allowed for this session",
  });
  assert.equal(judge(write(outside), {}, grants).verdict, "ask");
  assert.equal(judge(write(inside, outside), {}, grants).verdict, "ask");
  assert.equal(judge(bash("ls"), {}, grants).verdict, "ask");
  assert.equal(judge(request("write", "write"), {}, grants).verdict, "allow");
});

test("R65 a grant for one thing holds for this thing, outside too", () => {
  const grants = [
    { tool: "bash", resource: "npm test" },
    { tool: "write", resource: outside },
  ];
  assert.equal(judge(bash("npm test"), {}, grants).verdict, "allow");
  assert.equal(judge(bash("npm test -- --watch"), {}, grants).verdict, "ask");
  assert.equal(judge(write(outside), {}, grants).verdict, "allow");
  assert.equal(judge(write("/etc/hosts"), {}, grants).verdict, "ask");
});

test("R65 a written deny or ask rule is stronger than a grant", () => {
  const grants = [{ tool: "bash", resource: "npm test" }];
  assert.equal(judge(bash("npm test"), { rules: [deny("bash(npm *)")] }, grants).verdict, "deny");
  assert.equal(judge(bash("npm test"), { rules: [ask("bash(npm *)")] }, grants).verdict, "ask");
});

test("what a grant would cover in part is not granted", () => {
  const question = { tool: "bash", access: "exec", rule: "built-in:ask" } as const;
  assert.equal(grantFor({ ...question, resources: [] }), null);
  assert.equal(grantFor({ ...question, resources: ["a", "b"] }), null);
});

// --- rules as written ----------------------------------------------------------------------------------

const written: readonly {
  readonly title: string;
  readonly pattern: string | null;
  readonly tool: string;
}[] = [
  { title: "read", tool: "read", pattern: null },
  { title: "edit(src/**)", tool: "edit", pattern: "src/**" },
  { title: "bash(git log *)", tool: "bash", pattern: "git log *" },
  { title: "bash(echo (a))", tool: "bash", pattern: "echo (a)" },
  { title: "mcp__server__tool", tool: "mcp__server__tool", pattern: null },
  { title: "*", tool: "*", pattern: null },
  { title: "  fetch(https://example.com/*)  ", tool: "fetch", pattern: "https://example.com/*" },
];

for (const { title, tool, pattern } of written) {
  test(`a rule is read as it is written: ${title}`, () => {
    const parsed = parseRule(title, "allow", "flag");
    assert.deepEqual(parsed, { verdict: "allow", tool, pattern, source: "flag" });
    assert.equal(parsed === null ? "" : writtenRule(parsed), title.trim());
  });
}

test("text that is no rule is refused, an empty pattern too", () => {
  const bad = ["", "bash(", "bash)x", "two words", "bash()", "bash( )", "1bash", "bash(x) y"];
  assert.deepEqual(
    bad.map((text) => parseRule(text, "deny", "user")),
    bad.map(() => null),
  );
});

test("a URL rule covers what lies below it and no other host", () => {
  const rules = [allow("fetch(https://example.com/*)")];
  assert.equal(judge(fetching("https://example.com/a/b?c=d"), { rules }).verdict, "allow");
  assert.equal(judge(fetching("https://example.com.evil.test/"), { rules }).verdict, "ask");
  assert.equal(judge(fetching("http://example.com/a"), { rules }).verdict, "ask");
  const denied = [deny("fetch(https://evil.test)")];
  assert.equal(judge(fetching("https://evil.test/any/where"), { rules: denied }).verdict, "deny");
});

test("a deny or ask rule also holds for the tools that show or do the same in another way, an allow rule does not", () => {
  for (const tool of ["grep", "glob", "list"]) {
    const asked = request(tool, "read", "/repo/.env");
    assert.equal(judge(asked, { rules: [deny("read(.env)")] }).verdict, "deny");
    assert.equal(judge(read("/repo/.env"), { rules: [deny(`${tool}(.env)`)] }).verdict, "allow");
  }
  const edit = request("edit", "write", inside);
  assert.equal(judge(edit, { rules: [deny("read(src/**)")], mode: "edit" }).verdict, "deny");
  assert.equal(judge(edit, { rules: [deny("write(src/**)")], mode: "edit" }).verdict, "deny");
  assert.equal(judge(write(inside), { rules: [deny("read")], mode: "edit" }).verdict, "allow");
  assert.equal(judge(write(inside), { rules: [ask("edit")], mode: "edit" }).verdict, "ask");
  assert.equal(judge(write(inside), { rules: [allow("edit")] }).verdict, "ask");
});

const searches: readonly {
  readonly title: string;
  readonly rules: readonly Rule[];
  readonly mode?: Mode;
  readonly hides: readonly string[];
}[] = [
  { title: "nothing without a rule", rules: [allow("read(.env)")], hides: [] },
  { title: "what is denied", rules: [deny("read(.env)")], hides: ["/repo/.env"] },
  { title: "what is denied to the tool", rules: [deny("grep(.env)")], hides: ["/repo/.env"] },
  { title: "what is denied to all tools", rules: [deny("*(.env)")], hides: ["/repo/.env"] },
  { title: "not what is denied to other tools", rules: [deny("glob(.env)")], hides: [] },
  { title: "what is asked about", rules: [ask("read(keys)")], hides: ["/repo/keys/a"] },
  {
    title: "what is denied in bypass, and not what would be asked",
    rules: [deny("read(.env)"), ask("read(keys)")],
    mode: "bypass",
    hides: ["/repo/.env"],
  },
  { title: "nothing that the call itself was asked about", rules: [ask("grep")], hides: [] },
];

for (const { title, rules, mode = "ask", hides } of searches) {
  test(`R65 D16 a search over a folder leaves out ${title}`, () => {
    const isHidden = hiddenFrom(policy({ rules, mode }), request("grep", "read", "/repo"));
    const paths = ["/repo/.env", "/repo/keys/a", "/repo/src/a.ts"];
    assert.deepEqual(paths.filter(isHidden), hides);
  });
}

test("what stands in git's own folder is asked about in every mode that asks, each file by itself", () => {
  const hook = write("/repo/.git/hooks/pre-commit");
  const whole: Grant = { tool: "write", resource: null };
  for (const mode of ["ask", "edit"] as const) {
    assert.equal(judge(hook, { mode }, [whole]).rule, "built-in:git");
    assert.equal(judge(write("/repo/sub/.GIT/config"), { mode }, [whole]).verdict, "ask");
  }
  assert.equal(judge(write("/repo/.gitignore"), { mode: "edit" }).verdict, "allow");
  assert.equal(judge(hook, { rules: [allow("write(.git/hooks/*)")] }).verdict, "allow");
  assert.equal(judge(read("/repo/.git/config")).verdict, "allow");
  const { rule: asked } = judge(hook);
  const grant = grantFor({ ...hook, rule: asked });
  assert.equal(judge(hook, {}, grant === null ? [] : [grant]).verdict, "allow");
});

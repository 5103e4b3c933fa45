import assert from "node:assert/strict";
import { test } from "node:test";

import { commandEnvironment } from "#adapters/exec";

const plain = {
  PATH: "/bin",
  HOME: "/home/u",
  SSH_AUTH_SOCK: "/run/agent",
  TMPDIR: "/tmp/x",
  KEYBOARD: "us",
  MAX_TOKENS: "5",
  PAWL_CALL: "outer",
};
const steering = {
  LD_PRELOAD: "x.so",
  DYLD_INSERT_LIBRARIES: "x",
  BASH_ENV: "x",
  ENV: "x",
  PROMPT_COMMAND: "x",
  GIT_DIR: "x",
  GIT_SSH_COMMAND: "x",
  PAGER: "x",
  MANPAGER: "x",
  GH_PAGER: "x",
  SHELLOPTS: "xtrace",
  PS4: "$(x)",
  "BASH_FUNC_ls%%": "() { x; }",
};
const secret = {
  ANTHROPIC_API_KEY: "s",
  OPENAI_API_KEY: "s",
  github_token: "s",
  AWS_SECRET_ACCESS_KEY: "s",
  AWS_ACCESS_KEY_ID: "s",
  AWS_SESSION_TOKEN: "s",
  SECRET_KEY_BASE: "s",
  DB_PASSWORD: "s",
  GOOGLE_APPLICATION_CREDENTIALS: "s",
};

test("a command gets the user's environment without what steers programs and without secrets", () => {
  const env = commandEnvironment({ ...plain, ...steering, ...secret, UNSET: undefined });

  assert.deepEqual(env, plain);
});

test("the settings add variables back, but none that would change the supervisor", () => {
  const env = commandEnvironment({ ...plain, ...steering, ...secret }, [
    "GITHUB_TOKEN",
    "github_token",
    "GIT_SSH_COMMAND",
    "BASH_FUNC_ls%%",
    "SHELLOPTS",
  ]);

  assert.deepEqual(env, { ...plain, github_token: "s", GIT_SSH_COMMAND: "x" });
});

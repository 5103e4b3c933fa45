/** What a shell, git or a pager would take for code or orders. */
const steering =
  /^(?:LD_|DYLD_|GIT_|BASH_FUNC_)|^(?:BASH_ENV|ENV|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|BASH_XTRACEFD|PS4|IFS|CDPATH|GLOBIGNORE|PAGER|LESSOPEN|LESSCLOSE|RIPGREP_CONFIG_PATH|GREP_OPTIONS)$|PAGER$/;

const secrets =
  /(?:^|_)(?:TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|API_?KEY|APIKEY|AUTHTOKEN)(?:_|$)|(?:^|_)KEY(?:_ID|_BASE)?$|_PAT$/i;

/** Would change the supervisor itself; not added back. */
const ownOnly = /^(?:PAWL_(?:COMMAND|SUPERVISOR)$|BASH_FUNC_|SHELLOPTS$|BASHOPTS$)/;

/**
 * The environment of a command: the user's own without what steers shell, linker, git and pagers, and without
 * names of secrets. `addBack` names variables to keep all the same.
 */
export function commandEnvironment(
  env: NodeJS.ProcessEnv,
  addBack: readonly string[] = [],
): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => {
    if (ownOnly.test(name)) return false;
    return addBack.includes(name) || !(steering.test(name) || secrets.test(name));
  });
  return Object.fromEntries(
    kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

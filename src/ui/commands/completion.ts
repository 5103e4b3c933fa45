import { PawlError } from "#core";
import { commandRows, namesOf, optionRows } from "../command-line/options.ts";
import { exitCodes } from "../exit-code.ts";
import type { Start } from "../starting-point.ts";

const shells: Readonly<Record<string, () => string>> = { bash, zsh, fish };

/** `pawl completion bash|zsh|fish`: a script for the shell, on stdout. */
export async function completion({ invocation, terminal }: Start): Promise<number> {
  const [shell = ""] = invocation.operands;
  const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  const { words } = terminal;
  if (!script) {
    const expected = words.config.expected.oneOf(Object.keys(shells));
    throw new PawlError("usage", words.usage.wrongValue("pawl completion", shell, expected));
  }
  await terminal.out.write(script());
  return exitCodes.completed;
}

const commands = (): string =>
  commandRows
    .filter((row) => !row.later)
    .map((row) => row.name)
    .join(" ");

const options = (): readonly string[] =>
  optionRows.filter((row) => !row.later).flatMap((row) => namesOf(row));

function bash(): string {
  return `# pawl completion for bash: eval "$(pawl completion bash)"
_pawl() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    --permission-mode) COMPREPLY=($(compgen -W "ask read-only edit bypass" -- "$word")); return ;;
    --output-format) COMPREPLY=($(compgen -W "text json stream-json" -- "$word")); return ;;
    --input-format) COMPREPLY=($(compgen -W "text stream-json" -- "$word")); return ;;
    --on-ask) COMPREPLY=($(compgen -W "deny pause" -- "$word")); return ;;
    --lang) COMPREPLY=($(compgen -W "en zh-CN" -- "$word")); return ;;
    completion) COMPREPLY=($(compgen -W "bash zsh fish" -- "$word")); return ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "${options().join(" ")}" -- "$word"))
  elif [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${commands()}" -- "$word"))
  fi
}
complete -o default -F _pawl pawl
`;
}

function zsh(): string {
  return `#compdef pawl
# pawl completion for zsh: eval "$(pawl completion zsh)"
_pawl() {
  if [[ $words[CURRENT] == -* ]]; then
    compadd -- ${options().join(" ")}
  elif (( CURRENT == 2 )); then
    compadd -- ${commands()}
    _files
  else
    _files
  fi
}
compdef _pawl pawl
`;
}

function fish(): string {
  const lines = optionRows
    .filter((row) => !row.later)
    .map((row) => {
      const names = namesOf(row).map((name) =>
        name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
      );
      return `complete -c pawl ${names.join(" ")}${row.flags.includes("<") ? " -r" : ""}`;
    });
  return `# pawl completion for fish: pawl completion fish | source
complete -c pawl -n __fish_use_subcommand -a "${commands()}"
${lines.join("\n")}
`;
}

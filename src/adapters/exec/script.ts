/**
 * The supervisor: POSIX shell, run by `/bin/sh`. Four processes of one session and one process group: this
 * shell; `watch`, which waits for a word from the agent; the recorder, parent of the command; and the copier
 * (`tee`). Arguments: run folder, marker, limit of the output file in blocks of 512 bytes, argument vector.
 * The command comes in PAWL_COMMAND, so that `pkill -f` finds no word of it in the supervisor. Descriptor 3
 * is a socket to the agent: one word comes in, one line goes out. `docs/boundaries/exec.md` has the laws.
 *
 * - `set -C` (O_EXCL) decides who makes a file. Who makes `claim` may execute; who makes `end`, recorder or watch,
 *   says why the run ended. A file without its last word is not written to its end, so no rename is needed,
 *   which would cost a process.
 * - The output goes through a pipe, because `> /dev/stderr` truncates a file and fails on a socket. The limit
 *   of size binds only the copier. When the file is full it goes on to the agent; when that does not listen any
 *   more either, it ends, and SIGPIPE ends whoever still writes.
 * - `copied` holds the status of the copier, for which the recorder does not wait: 0 says that all is on disk.
 * - The shell catches signals (reset for the command); watch and copier ignore them. So `kill 0` in the
 *   command ends the command alone.
 * - Two looks in a row must find nobody: a process in the middle of an exec shows no environment.
 */
export const supervisorScript = `
set +eufx
run=$1 mark=$2 blocks=$3 path=$PATH command=$PAWL_COMMAND
shift 3
unset PAWL_COMMAND PAWL_SUPERVISOR
PATH=/usr/bin:/bin:$PATH

set -C
if ! echo "$$ $mark claim" >"$run/claim"; then
  [ -s "$run/claim" ] || sleep 0.1
  if [ -s "$run/claim" ]; then echo claimed >&3; else echo unwritable >&3; fi
  exit 1
fi

marked() {
  if [ -d /proc/self ]; then
    (cd /proc && grep -lszE -e "^PAWL_CALL=([^:]*:)*$mark(:|$)" [0-9]*/environ)
  else
    ps -axEww -o pid=,command= | while read -r pid rest; do
      case "$rest " in *[=:]"$mark"[" ":]*) echo "$pid/" ;; esac
    done
  fi
}

strike() {
  hit=
  for found in $(marked); do kill -s "$1" "\${found%%/*}" && hit=yes; done
  [ -n "$hit" ]
}

end_tree() {
  kill -s TERM 0; strike TERM
  kill -s CONT 0; strike CONT
  while [ "$rounds" -gt 0 ] && { [ ! -s "$run/$1" ] || [ -n "$(marked)" ]; }; do
    sleep 0.02
    rounds=$((rounds - 1))
  done
  rounds=200
  while [ "$rounds" -gt 0 ] && { strike KILL || strike KILL; }; do rounds=$((rounds - 1)); done
}

watch() {
  rounds=20
  read -r why <&3 || why=agent_died
  case $why in done) return ;; agent_died | lost) rounds=4 ;; esac
  if printf '%s ' "$why" >"$run/end"; then
    end_tree status
    rounds=5
    while [ "$rounds" -gt 0 ] && [ ! -s "$run/status" ]; do
      sleep 0.01
      rounds=$((rounds - 1))
    done
    status=unknown
    read -r status <"$run/status"
    echo "$status end" >>"$run/end"
    echo "end $why $status" >&3
  else
    end_tree end
  fi
  rounds=50
  while [ "$rounds" -gt 0 ] && [ ! -s "$run/copied" ]; do
    sleep 0.02
    rounds=$((rounds - 1))
  done
  kill -s KILL 0
}

trap : HUP INT QUIT TERM PIPE USR1 USR2 ALRM
( trap '' HUP INT QUIT TERM PIPE USR1 USR2 ALRM; watch ) >/dev/null &
{
  trap : HUP INT QUIT TERM PIPE USR1 USR2 ALRM
  status=not_run
  if [ ! -e "$run/end" ]; then
    ( PATH=$path PAWL_CALL=\${PAWL_CALL:+$PAWL_CALL:}$mark; export PATH PAWL_CALL
      exec "$@" "$command" 2>&1 3>&- )
    status=$?
  fi
  exec >&-
  if echo "exit $status end" >"$run/end"; then
    echo "end exit $status" >&3
  else
    echo "$status" >"$run/status"
  fi
} | {
  trap '' HUP INT QUIT TERM PIPE USR1 USR2 ALRM XFSZ
  ulimit -f "$blocks"
  LC_ALL=C exec tee "$run/out" 3>&-
}
copier=$?
exec >&-
echo "$copier" >"$run/copied"
wait
`;

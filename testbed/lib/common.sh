# Sourced by the commands beside this folder: where things lie, and how a testbed's processes are started and stopped.
# shellcheck shell=bash

testbed=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export TESTBED_HOME=${TESTBED_HOME:-$HOME/.cache/waymark-testbed}
bin=$TESTBED_HOME/bin

say() { echo "testbed: $*" >&2; }

fail() {
  say "$*"
  exit 1
}

need() { # command, what brings it
  command -v "$1" >/dev/null || fail "$1 is needed ($2), but is not in PATH"
}

# Testbeds have names, so that several can run at once. Sets: name, and run, the folder of its state.
use_name() {
  name=$1
  [[ $name =~ ^[a-z0-9][a-z0-9-]{0,40}$ ]] || fail "a testbed's name is made of a-z, 0-9 and -, not '$name'"
  run=$TESTBED_HOME/run/$name
}

# One command at a time changes what runs or what is built; the lock ends with the command.
lock() { # what
  mkdir -p "$TESTBED_HOME"
  exec 8>"$TESTBED_HOME/$1.lock"
  flock 8
}

# --- processes ------------------------------------------------------------------------------------------------------
# $run/parts/NAME is the command of a part, as a script; $run/pids/NAME its process; $run/started the order of starts.

start() { # name command...
  local part=$1
  shift
  mkdir -p "$run/parts" "$run/pids" "$run/logs"
  printf '#!/usr/bin/env bash\nexec %s >>%q 2>&1 </dev/null\n' "$(printf '%q ' "$@")" "$run/logs/$part.log" >"$run/parts/$part"
  chmod +x "$run/parts/$part"
  echo "$part" >>"$run/started"
  launch "$part"
}

# Starts a part, in a session of its own, so that Ctrl-C in the terminal of `up` doesn't reach it.
launch() { # name
  setsid "$run/parts/$1" 8>&- &
  echo "$! $(birth $!)" >"$run/pids/$1"
}

# When a process was started, in clock ticks: its number may be another's later on. Nothing for one that has ended and
# waits for a parent to notice.
birth() { # pid
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
  # After the name, which may hold anything, comes the state.
  awk '$1 !~ /[ZX]/ { print $20 }' <<<"${stat##*) }"
}

# Prints the process of a part that runs, or fails.
pid_of() { # name
  local pid born
  [[ -e $run/pids/$1 ]] && read -r pid born <"$run/pids/$1" && [[ $born && $(birth "$pid") == "$born" ]] && echo "$pid"
}

signal() { # name signal
  local pid
  pid=$(pid_of "$1") && kill "-$2" "$pid" 2>/dev/null
}

stop() { # name
  local i
  # A part that was paused could not end.
  signal "$1" CONT && signal "$1" TERM || return 0
  for ((i = 0; i < 50; i++)); do
    pid_of "$1" >/dev/null || return 0
    sleep 0.1
  done
  signal "$1" KILL
}

# Waits until a command succeeds; says why not when a part ends meanwhile or the time is over.
wait_for() { # seconds part command...
  local end=$((SECONDS + $1)) part=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    if ! pid_of "$part" >/dev/null; then
      tail -n 5 "$run/logs/$part.log" >&2
      fail "$part ended; the last lines of its log are above"
    fi
    if ((SECONDS >= end)); then
      tail -n 5 "$run/logs/$part.log" >&2
      fail "$part did not come up; the last lines of its log are above"
    fi
    sleep 0.1
  done
}

# Kills every part of a testbed, since nothing of it is kept, and wipes its state. Goes on whatever fails.
tear_down() (
  set +e
  [[ -e $run ]] || return 0
  # shellcheck source=node.sh
  if [[ -e $run/node ]]; then source "$testbed/lib/node.sh" && stop_pods; fi
  for part in $(tac "$run/started" 2>/dev/null); do
    # The watch that runs this very command is not to stop itself.
    [[ $(pid_of "$part") == "$$" ]] || signal "$part" KILL
  done
  if [[ -e $run/node ]]; then remove_node_network; fi
  rm -rf "$run"
)

# --- ports ----------------------------------------------------------------------------------------------------------

port_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Prints the port that the environment names, or a free one that was not given away before. The range lies below
# the one from which Linux takes the ports of outgoing connections.
pick_port() { # variable
  local port=${!1:-}
  if [[ $port ]]; then
    port_free "$port" || fail "port $port ($1) is in use"
  else
    local i
    for ((i = 0; i < 1000; i++)); do
      port=$((20000 + RANDOM % 12000))
      if ! grep -qsx "$port" "$run/ports" && port_free "$port"; then break; fi
    done
  fi
  echo "$port" >>"$run/ports"
  echo "$port"
}

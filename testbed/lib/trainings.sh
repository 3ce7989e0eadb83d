# Sourced by e2e: TrainJobs made, waited for and read. All of them are in $namespace; what watching them yields is in $out.
# shellcheck shell=bash

# Ends the shell of a case.
die() {
  echo "$*"
  exit 1
}

# A TrainJob; its spec goes on with the lines of the standard input.
trainjob() { # name runtime [annotation]
  cat <<Y
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: $1
  namespace: $namespace
  annotations: {${3:-}}
spec:
  runtimeRef: {name: $2}
Y
  cat
}

apply() { k apply -f - || die "it was refused"; }

# A training with DJL that tells each second how far it is; 900 epochs take about a minute on two cores.
train() { # trainjob epochs
  trainjob "$1" djl-cpu <<Y | apply
  trainer:
    image: $djl
    command: [java, -jar, /djl-iris.jar]
    args: [easytrain, --epochs, "$2"]
    env: [{name: WAYMARK_INTERVAL, value: "1"}]
Y
  watch "$1"
}

# Writes down what `kubectl get trainjob --watch` prints, each line with its second, until the testbed ends.
watch() { # trainjob
  timeout 900 "$bin/kubectl" --kubeconfig "$run/admin.kubeconfig" --cache-dir "$run/kubectl" -n "$namespace" get trainjob "$1" --watch |
    while IFS= read -r line; do printf '%(%s)T %s\n' -1 "$line"; done >"$out/$1.watch" &
}

# Second, state, percent and seconds left of each line of a watch; "-" for what it doesn't say. State is the one that is a word,
# and the age comes last.
rows() { # trainjob
  awk '$2 == name {
    i = 3; state = "-"
    if ($i ~ /^[A-Z]/) state = $(i++)
    print $1, state, (i < NF ? $i : "-"), (i + 1 < NF ? $(i + 1) : "-")
  }' name="$1" "$out/$1.watch"
}

# Of what kubectl printed: the headings, the first line, one for each tenth of the way, and the last.
excerpt() { # trainjob
  sed 's/^[0-9]* //' "$out/$1.watch" | awk '
    {
      i = 2
      if ($i ~ /^[A-Z]/) i++
      tenth = i < NF ? int($i / 10) : -1
      line = $0
    }
    NR < 3 || tenth > reached { print; shown = NR; if (NR > 1) reached = tenth }
    END { if (shown < NR) print line }'
}

first_second() { rows "$1" | awk 'NR == 1 { print $1 }'; }

field() { k -n "$namespace" get trainjob "$1" -o "jsonpath={$2}"; }

percent() { field "$1" .status.trainerStatus.progressPercentage; }

reached() { # trainjob percent
  local now
  now=$(percent "$1")
  ((${now:-0} >= $2))
}

# The pods of a TrainJob, as pod/NAME.
pods() { k -n "$namespace" get pods -l jobset.sigs.k8s.io/jobset-name="$1" -o name; }

init_containers() { # trainjob
  k -n "$namespace" get pods -l jobset.sigs.k8s.io/jobset-name="$1" -o 'jsonpath={.items[*].spec.initContainers[*].name}'
}

log() { # trainjob [pod's number]
  k -n "$namespace" logs --tail=-1 -c node \
    -l "jobset.sigs.k8s.io/jobset-name=$1,batch.kubernetes.io/job-completion-index=${2:-0}"
}

# --- expectations: each ends the case where it isn't met ----------------------------------------------------------------

await() { # seconds what command...
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" 2>/dev/null; do
    ((SECONDS < end)) || die "this did not come: $what"
    sleep 0.5
  done
}

await_state() { # trainjob state seconds
  local end=$((SECONDS + $3)) state=''
  while [[ $state != "$2" ]]; do
    if [[ $state == Failed ]] || ((SECONDS >= end)); then
      explain "$1"
      die "$1 is not $2 but '$state'"
    fi
    sleep 0.5
    state=$(field "$1" '.status.conditions[-1:].type')
  done
}

explain() { # trainjob
  k -n "$namespace" describe trainjob "$1" | tail -n 20
  k -n "$namespace" describe pods -l jobset.sigs.k8s.io/jobset-name="$1" | tail -n 20
  log "$1" | tail -n 20
}

expect_percent() { # trainjob percent
  [[ $(percent "$1") == "$2" ]] || die "$1 is at '$(percent "$1")' %, not $2"
}

# Percent and time left change on the way, and it ends at 100.
expect_moving_progress() { # trainjob
  expect_percent "$1" 100
  # What the watch prints may be a moment late.
  await 10 "the watch's last line" eval "tail -n 1 '$out/$1.watch' | grep -q Complete"
  excerpt "$1"
  rows "$1" | awk '
    $3 != "-" && $3 < 100 && !(($3) in percents) { percents[$3]; moves++ }
    $4 != "-" && !(($4) in etas) { etas[$4]; changes++ }
    END { exit !(moves >= 3 && changes >= 2) }' || die "percent or time left of $1 hardly moved"
}

# No percent below this one since it was first reached.
expect_no_step_back() { # trainjob percent
  rows "$1" | awk '
    $3 == "-" { next }
    $3 >= floor { seen = 1 }
    seen && $3 < floor { print "then it said " $3 " %"; bad = 1 }
    END { exit !seen || bad }' floor="$2" || die "$1 stepped back from $2 %, or never came there"
}

# The first percent that is told is at least this one.
expect_first_percent() { # trainjob percent
  local first
  first=$(rows "$1" | awk '$3 != "-" { print $3; exit }')
  echo "$1 began at ${first:-no} %"
  ((${first:-0} >= $2)) || die "$1 should have begun at $2 %"
}

# After a percent, once the estimate has had five seconds to settle, what was said to be left was near to what it then took: within
# a factor of two, and ten seconds.
expect_truthful_eta() { # trainjob percent
  rows "$1" | awk '
    $3 != "-" && $3 > from && $4 != "-" { if (!first) first = $1; if (!said && $1 >= first + 5) { at = $1; said = $4 } }
    $2 == "Complete" && !ended { ended = $1 }
    END {
      took = ended - at
      print said " s were said to be left, " took " s it took"
      exit !(said && said <= 2 * took + 10 && took <= 2 * said + 10)
    }' from="$2" || die "the time left of $1 was wrong"
}

# What was to happen in mid-training did.
expect_still_training() { # trainjob what
  local now
  now=$(percent "$1")
  echo "$2 at $now %"
  ((now < 100)) || die "$1 was over too early to show anything: give it more epochs"
}

# Reports came all the time: from the first to the last one there was news at least every so many seconds.
expect_no_pause() { # trainjob seconds
  rows "$1" | awk '
    $3 == "-" { next }
    last && $1 - last > longest { longest = $1 - last }
    { last = $1 }
    END { print "never more than " (longest + 0) " s without news"; exit !last || longest > limit }' limit="$2" ||
    die "reports of $1 paused for longer than $2 s"
}

# One pod, whose container was started once.
expect_untouched() { # trainjob
  local restarts
  restarts=$(k -n "$namespace" get pods -l jobset.sigs.k8s.io/jobset-name="$1" \
    -o 'jsonpath={.items[*].status.containerStatuses[*].restartCount}')
  [[ $restarts == 0 ]] || die "the training itself was disturbed: restarts of its containers are '$restarts'"
}

# Whose agent is in the pod.
expect_version() { # trainjob tag
  k -n "$namespace" get pods -l jobset.sigs.k8s.io/jobset-name="$1" -o 'jsonpath={.items[*].spec.initContainers[*].image}' |
    grep ":$2$" || die "$1 has another agent than $2"
}

expect_agent() { # trainjob
  [[ $(init_containers "$1") == waymark-agent ]] || die "its init containers are '$(init_containers "$1")'"
  log "$1" | grep '\[waymark\]' || die "the agent said nothing"
}

# Waits for a figure of an accelerator, which is told while the training runs.
expect_metric() { # trainjob metric value
  await 120 "metric $2" eval "[[ \$(metric $1 $2) ]]"
  [[ $(metric "$1" "$2") == "$3" ]] || die "$2 is $(metric "$1" "$2"), not $3"
  echo "$2 $3"
}

metric() { field "$1" ".status.trainerStatus.metrics[?(@.name==\"$2\")].value"; }

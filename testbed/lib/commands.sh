# Sourced by e2e: what people do with the waymark command of this checkout, where pods really run.
# shellcheck shell=bash

# --- cases ----------------------------------------------------------------------------------------------------------

# A training in all its turns: submitted by flags, followed, suspended, resumed, waited for, read and deleted.
case_commands() {
  namespace=e2e
  waymark submit --name commands --runtime djl-cpu --image "$djl" --env WAYMARK_INTERVAL=1 -- \
    java -jar /djl-iris.jar easytrain --epochs 1500 || die "it was refused"
  waymark watch commands >"$out/commands.watched" &
  waymark logs commands --follow >"$out/commands.log" &
  waymark wait commands --for running --timeout 2m || die "it doesn't run"
  await 120 "10 %" reached commands 10

  waymark suspend commands || die "it can't be suspended"
  waymark wait commands --for suspended --timeout 1m || die "it is not suspended"
  await 60 "the end of its pods" eval '[[ ! $(pods commands) ]]'
  # Its first reads take long on a busy machine, and it tells what is, not all that was.
  await 60 "what waymark watch says of it" grep -q '^commands: Suspended' "$out/commands.watched"
  mkdir -p "$out/plugins"
  ln -sf "$project/waymark" "$out/plugins/kubectl-waymark"
  expect "kubectl waymark list" '^commands +Suspended ' env PATH="$out/plugins:$PATH" \
    "$bin/kubectl" waymark list --kubeconfig "$run/admin.kubeconfig" --namespace $namespace
  waymark resume commands || die "it can't be resumed"

  waymark wait commands --timeout 5m || die "it is not complete"
  wait
  changes "$out/commands.watched"
  for state in Running Suspended Complete; do
    grep -q "^commands: $state" "$out/commands.watched" || die "waymark watch never said $state"
  done
  grep -q '100%' "$out/commands.watched" || die "waymark watch never said 100%"
  [[ $(grep -c 'training progress is reported to' "$out/commands.log") == 2 ]] ||
    die "waymark logs --follow did not go on from the first pod to the second: $(tail -n 5 "$out/commands.log")"
  expect "the log's end" '^Accuracy on the 30 rows held out' tail -n 1 "$out/commands.log"
  expect "waymark logs" '^Accuracy on the 30 rows held out' waymark logs commands --tail 1

  for reason in SuccessfulCreate Scheduled Started Killing; do
    expect "waymark events" " $reason " waymark events commands
  done
  waymark delete commands || die "it can't be deleted"
  waymark get commands && die "it is still there"
  [[ ! $(pods commands) ]] || die "its pods are still there"
}

case_commands_gpu() {
  namespace=e2e
  takes_devices flags-gpu djl-cuda --gpus nvidia.com/gpu gpu
}

case_commands_npu() {
  namespace=e2e
  takes_devices flags-npu jvm-npu --npus huawei.com/Ascend910 npu
}

# Submitted by flags it gets two devices of the node, waymark get says which, and --watch stays to its end.
takes_devices() { # trainjob runtime flag resource device
  local has watching
  advertise "$4" 8
  waymark submit --name "$1" --runtime "$2" --image "$djl" --nodes 1 "$3" 2 --cpu 500m --memory 2Gi --env WAYMARK_INTERVAL=1 --watch -- \
    java -jar /djl-iris.jar easytrain --epochs 450 >"$out/$1.watched" &
  watching=$!
  await 60 "the TrainJob" eval "field $1 .metadata.name >/dev/null"
  waymark wait "$1" --for running --timeout 2m || die "it doesn't run"
  has=$(k -n $namespace get "$(pods "$1")" -o "jsonpath={.spec.nodeName}: {.spec.containers[0].resources.limits}")
  echo "$has"
  [[ $has == "testbed: {"*"\"${4}\":\"2\""* && $has == *'"cpu":"500m"'* && $has == *'"memory":"2Gi"'* ]] || die "that is not what the flags say"
  expect "waymark get" "^Device: +$5 x 2 a node$" waymark get "$1"
  expect "waymark get" "^node-0 +$1-node-0-0-[a-z0-9]+ +Running +$5 +2$" waymark get "$1"
  wait $watching || die "waymark submit --watch ended with $?"
  changes "$out/$1.watched"
  expect "waymark get" '^loss +[0-9]' waymark get "$1"
  waymark delete "$1" || die "it can't be deleted"
}

# --- what they use --------------------------------------------------------------------------------------------------

waymark() { # command arguments...
  "$project/waymark" "$1" --kubeconfig "$run/admin.kubeconfig" --namespace "$namespace" "${@:2}"
}

# Runs something, and shows the line of what it says that fits a pattern.
expect() { # what pattern command...
  local said
  said=$("${@:3}") || die "$1 failed"
  grep -E -m 1 -e "$2" <<<"$said" || die "$1 says nothing like '$2': $said"
}

# Of what waymark watch printed: a line for each state, and one for each tenth of the way.
changes() { # file
  awk '
    /^TrainJob / { print; next }
    {
      state = $2
      sub(/,$/, "", state)
      tenth = match($0, /[0-9]+%/) ? int(substr($0, RSTART, RLENGTH - 1) / 10) : -1
    }
    state != last || tenth > reached { print; last = state; reached = tenth }' "$1"
}

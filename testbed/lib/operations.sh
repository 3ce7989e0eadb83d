# Sourced by e2e: what befalls the controller and the node while trainings run, and what operators do to them then.
# shellcheck shell=bash

# --- cases ----------------------------------------------------------------------------------------------------------

# The controller is replaced in mid-training.
case_upgrade() {
  namespace=e2e
  train upgrade 2500
  await 120 "10 %" reached upgrade 10
  reconfigure --set manager.podAnnotations.e2e=upgraded
  expect_still_training upgrade "the new controller led"
  await_state upgrade Complete 300
  expect_moving_progress upgrade
  expect_no_pause upgrade 15
  expect_untouched upgrade
  expect_agent upgrade
}

# Of two replicas the one that leads is killed, so that nobody gives the Lease back.
case_leader_lost() {
  namespace=e2e
  local leader
  chart upgrade --reuse-values --set manager.replicas=2 || die "helm upgrade failed"
  train leader-lost 1500
  await 120 "10 %" reached leader-lost 10
  leader=$(leader)
  echo "killed at $(percent leader-lost) %: $leader"
  kill_container $system "${leader%_*}"
  await 60 "another leader" another_leads "$leader"
  expect_still_training leader-lost "$(leader) led"
  await_state leader-lost Complete 300
  expect_moving_progress leader-lost
  expect_no_pause leader-lost 15
  expect_untouched leader-lost
  chart upgrade --reuse-values --set manager.replicas=1 || die "helm upgrade failed"
}

# First a certificate that is due, which nobody notices; then an authority that is to be trusted no longer, in which the
# connections of running trainings end.
case_certificates() {
  namespace=e2e
  local old
  train certificates 2500
  await 120 "10 %" reached certificates 10
  let_certificate_end_soon
  await 60 "a certificate that ends late" ends_late
  await 60 "the server that shows it" shows_stored_certificate
  expect_still_training certificates "the certificate was new"
  ! log certificates | grep 'waymark. WARN' || die "a report was lost"

  old=$(stored ca.crt)
  k -n $system delete secret waymark-webhook-cert
  await 60 "a new authority" authority_differs "$old"
  await 120 "the new authority in the running pod" knows_authority certificates
  roll
  expect_still_training certificates "a controller led whom nobody else vouches for"
  await 60 "progress under the new authority" reached certificates $(($(percent certificates) + 5))
  await_state certificates Complete 300
  expect_moving_progress certificates
  expect_no_pause certificates 60
  expect_untouched certificates
}

# Kubelet and container runtime go and come back, as when they are upgraded. Containers live on.
case_kubelet_restarted() {
  namespace=e2e
  train kubelet-restarted 900
  await 120 "10 %" reached kubelet-restarted 10
  "$testbed/part" --name "$name" kill kubelet
  "$testbed/part" --name "$name" kill containerd
  await 60 "progress while both are away" reached kubelet-restarted 30
  start_kubelet_again
  await_state kubelet-restarted Complete 300
  expect_moving_progress kubelet-restarted
  expect_no_pause kubelet-restarted 15
  expect_untouched kubelet-restarted
}

# The node loses its power, with the training and the controller on it.
case_node_restarted() {
  namespace=e2e
  local before restarts
  shared_folder survivors
  {
    trainjob node-restarted djl-cpu <<Y
  trainer:
    image: $djl
    command: [java, -jar, /djl-iris.jar]
    args: [listener, --checkpoints, /survivors]
    env: [{name: WAYMARK_INTERVAL, value: "1"}]
Y
    mounted survivors
  } | apply
  watch node-restarted
  await 180 "30 % of the first session" reached node-restarted 30
  crash_node
  before=$(percent node-restarted)
  echo "without power at $before %"
  start_kubelet_again
  await_state node-restarted Complete 300
  log node-restarted | grep '^Epochs done before: [1-9]' || die "it did not go on from its checkpoint"
  expect_moving_progress node-restarted
  expect_no_step_back node-restarted $((before - 1))
  restarts=$(k -n $system get pods -l app.kubernetes.io/component=manager -o 'jsonpath={.items[*].status.containerStatuses[*].restartCount}')
  ((restarts > 0)) || die "the controller did not lose its power"
}

# Pods mount the agent's image, where nothing is copied.
case_image_volume() {
  # Where the restricted standard holds.
  namespace=default
  reconfigure --set agent.imageVolume=true
  train image-volume 450
  await_state image-volume Complete 300
  expect_moving_progress image-volume
  [[ ! $(init_containers image-volume) ]] || die "it has init containers: $(init_containers image-volume)"
  k -n $namespace get "$(pods image-volume)" -o 'jsonpath={.spec.volumes[?(@.name=="waymark-agent")].image.reference}' |
    grep waymark-agent || die "the volume is no image"
  log image-volume | grep '\[waymark\] INFO attached' || die "the agent said nothing"
  reconfigure --set agent.imageVolume=false
}

# The checkout that --older names is installed. A training with its agent goes on under this controller, and one with this agent
# under that controller, after an upgrade and after a rollback in mid-training.
case_versions_apart() {
  namespace=e2e
  local before
  before=$(leader)
  chart_of "$older" upgrade --reset-values --set image.tag=older,agent.image.tag=older || die "helm upgrade failed"
  await 60 "the older leader" another_leads "$before"

  train older-agent 2500
  await 120 "10 %" reached older-agent 10
  before=$(leader)
  chart upgrade --reset-values || die "helm upgrade failed"
  await 60 "this leader" another_leads "$before"
  expect_still_training older-agent "this controller led"
  await_state older-agent Complete 300
  expect_version older-agent older
  expect_moving_progress older-agent
  expect_no_pause older-agent 15
  expect_untouched older-agent

  train newer-agent 2500
  await 120 "10 %" reached newer-agent 10
  before=$(leader)
  helm rollback waymark || die "helm rollback failed"
  await 60 "the older leader" another_leads "$before"
  expect_still_training newer-agent "the older controller led"
  await_state newer-agent Complete 300
  expect_version newer-agent "$version"
  expect_moving_progress newer-agent
  expect_no_pause newer-agent 15
  expect_untouched newer-agent
}

# --- the controller -------------------------------------------------------------------------------------------------

leader() { k -n $system get lease trainer.kubeflow.org -o 'jsonpath={.spec.holderIdentity}'; }

another_leads() { # than this one
  local now
  now=$(leader)
  [[ $now && $now != "$1" ]]
}

# Changes values of the release, and waits until who leads has them: the old controller still does for some seconds after helm
# has found the new one ready.
reconfigure() { # helm's flags
  local before
  before=$(leader)
  chart upgrade --reuse-values "$@" || die "helm upgrade failed"
  await 60 "a leader after $before" another_leads "$before"
}

# Replaces the controller by an equal one.
roll() {
  local before
  before=$(leader)
  k -n $system rollout restart deployment/waymark-controller-manager >/dev/null
  k -n $system rollout status deployment/waymark-controller-manager --timeout 2m >/dev/null || die "the controller did not get ready"
  await 60 "a leader after $before" another_leads "$before"
}

# Ends a container's process at once, with nothing put in order.
kill_container() { # namespace pod
  local id pid
  id=$(k -n "$1" get pod "$2" -o 'jsonpath={.status.containerStatuses[0].containerID}')
  pid=$(containers tasks ls | awk '$1 == id { print $2 }' id="${id#containerd://}")
  [[ $pid ]] || die "nothing runs in pod $2"
  kill -KILL "$pid"
}

# --- its certificate ------------------------------------------------------------------------------------------------

stored() { # key
  k -n $system get secret waymark-webhook-cert -o "jsonpath={.data.${1/./\\.}}" | base64 -d
}

# Puts a certificate of the same authority in the place of the stored one; a month before its end another is due.
let_certificate_end_soon() {
  local host=waymark-controller-manager.$system.svc
  stored ca.crt >"$out/ca.crt"
  stored ca.key >"$out/ca.key"
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$host" -keyout "$out/tls.key" -out "$out/tls.csr" 2>/dev/null
  openssl x509 -req -in "$out/tls.csr" -CA "$out/ca.crt" -CAkey "$out/ca.key" -CAcreateserial -days 30 -out "$out/tls.crt" \
    -extfile <(printf 'subjectAltName=DNS:%s\n' "$host") 2>/dev/null || die "openssl made no certificate"
  k -n $system patch secret waymark-webhook-cert --type=merge \
    -p "{\"data\":{\"tls.crt\":\"$(base64 -w0 <"$out/tls.crt")\",\"tls.key\":\"$(base64 -w0 <"$out/tls.key")\"}}"
}

ends_late() { stored tls.crt | openssl x509 -noout -checkend $((300 * 24 * 3600)) >/dev/null; }

shows_stored_certificate() {
  local address
  address=$(k -n $system get pods -l app.kubernetes.io/component=manager -o 'jsonpath={.items[0].status.podIP}')
  [[ $(fingerprint < <(openssl s_client -connect "$address:10443" </dev/null 2>/dev/null)) == "$(fingerprint < <(stored tls.crt))" ]]
}

fingerprint() { openssl x509 -noout -fingerprint -sha256 || echo "none, by process $BASHPID"; }

authority_differs() { # from this one
  local now
  now=$(stored ca.crt)
  [[ $now && $now != "$1" ]]
}

# Whether the kubelet has brought today's authority into a training's pod.
knows_authority() { # trainjob
  local uid
  uid=$(k -n "$namespace" get "$(pods "$1")" -o 'jsonpath={.metadata.uid}')
  stored ca.crt >"$out/ca.crt"
  find "$run/kubelet/pods/$uid/volumes" -name ca.crt -exec cmp -s {} "$out/ca.crt" \; -print | grep -q .
}

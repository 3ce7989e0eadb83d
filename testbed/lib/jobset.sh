# Sourced by up: JobSet's CRD, its controller, and its webhooks, which the API server reaches by address.
# shellcheck shell=bash

install_jobset_crd() {
  k apply --server-side -f "$TESTBED_HOME/jobset/crd.yaml" >/dev/null
  wait_for 30 kube-apiserver k get --raw /apis/jobset.x-k8s.io/v1alpha2/jobsets
}

start_jobset() {
  k create namespace jobset-system >/dev/null
  mkdir -p "$run/jobset"
  cp "$run/pki/jobset.crt" "$run/jobset/tls.crt"
  cp "$run/pki/jobset.key" "$run/jobset/tls.key"
  cp "$run/pki/ca.crt" "$run/jobset/ca.crt"
  cat >"$run/jobset/config.yaml" <<Y
apiVersion: config.jobset.x-k8s.io/v1alpha1
kind: Configuration
leaderElection: {leaderElect: false}
clientConnection: {qps: 500, burst: 500}
health: {healthProbeBindAddress: "127.0.0.1:$jobset_health_port"}
metrics: {bindAddress: "0"}
webhook: {host: "127.0.0.1", port: $jobset_port, certDir: "$run/jobset"}
internalCertManagement: {enable: false}
Y
  start jobset env KUBECONFIG="$run/admin.kubeconfig" "$bin/jobset-controller" --config "$run/jobset/config.yaml" --zap-log-level info
  jobset_webhooks | k apply --server-side -f - >/dev/null
  wait_for 60 jobset k --server "http://127.0.0.1:$jobset_health_port" get --raw /readyz
}

jobset_webhooks() {
  echo '{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: jobset-mutating}, webhooks: ['
  webhook mjobset.kb.io mutate-jobset-x-k8s-io-v1alpha2-jobset jobset.x-k8s.io/v1alpha2 jobsets '[CREATE]'
  webhook mpod.kb.io mutate--v1-pod /v1 pods '[CREATE]'
  echo ']}'
  echo '---'
  echo '{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, metadata: {name: jobset-validating}, webhooks: ['
  webhook vjobset.kb.io validate-jobset-x-k8s-io-v1alpha2-jobset jobset.x-k8s.io/v1alpha2 jobsets '[CREATE, UPDATE]'
  webhook vpod.kb.io validate--v1-pod /v1 pods '[CREATE]'
  echo ']}'
}

webhook() { # name path group/version resource operations
  cat <<Y
  {name: $1, admissionReviewVersions: [v1], sideEffects: None, failurePolicy: Fail,
   clientConfig: {url: "https://127.0.0.1:$jobset_port/$2", caBundle: $(in_base64 ca.crt)},
   rules: [{apiGroups: ["${3%/*}"], apiVersions: [${3#*/}], resources: [$4], operations: $5}],
   objectSelector: $(selector "$4")},
Y
}

# The webhooks for pods see those of JobSets only: the others must not wait for this controller.
selector() { # resource
  if [[ $1 == pods ]]; then
    echo '{matchExpressions: [{key: jobset.sigs.k8s.io/jobset-name, operator: Exists}]}'
  else
    echo '{}'
  fi
}

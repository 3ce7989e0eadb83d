# Sourced by up and down: one real node. containerd runs the pods; kubelet, kube-proxy and CoreDNS are beside it.
# shellcheck shell=bash

# The node's own address, on the loopback device (a sandbox may have no dummy device); pods reach the API server and DNS there.
node_ip=10.99.0.1
pod_range=10.98.0.0/24
dns_ip=10.96.0.10

check_node_tools() {
  [[ $(id -u) == 0 ]] || fail "--node needs root"
  local tool
  for tool in runc iptables ip conntrack; do
    need $tool "Debian: apt-get install runc containernetworking-plugins iptables iproute2 conntrack"
  done
  local other
  for other in "$TESTBED_HOME"/run/*/node; do
    [[ ! -e $other || $other == "$run/node" ]] || fail "there is a node already, in ${other%/node}; a machine can have one"
  done
}

add_node_address() {
  host_ip=$node_ip
  ip addr replace $node_ip/32 dev lo
  touch "$run/node"
}

start_node() {
  issue scheduler /CN=system:kube-scheduler
  issue proxy /CN=system:kube-proxy
  issue node /O=system:nodes/CN=system:node:testbed "DNS:testbed,IP:$node_ip"
  local who
  for who in scheduler proxy node; do write_kubeconfig $who; done

  start kube-scheduler "$bin/kube-scheduler" --v 1 --kubeconfig "$run/scheduler.kubeconfig" --leader-elect=false --bind-address 127.0.0.1
  start_containerd
  start_kubelet
  start kube-proxy "$bin/kube-proxy" --v 1 --kubeconfig "$run/proxy.kubeconfig" --proxy-mode iptables --cluster-cidr $pod_range \
    --hostname-override testbed --bind-address $node_ip --healthz-bind-address 127.0.0.1:10256 --metrics-bind-address 127.0.0.1:10249 \
    --conntrack-max-per-core 0
  start_dns
  wait_for 120 kubelet node_ready
}

node_ready() { k get node testbed -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}' | grep -q True; }

start_containerd() {
  sysctl -qw net.ipv4.ip_forward=1
  mkdir -p "$run/cni" "$run/containerd"
  cat >"$run/cni/10-testbed.conflist" <<Y
{"cniVersion": "1.0.0", "name": "testbed", "plugins": [
  {"type": "bridge", "bridge": "tb-pods", "isGateway": true, "ipMasq": true, "hairpinMode": true,
   "ipam": {"type": "host-local", "ranges": [[{"subnet": "$pod_range"}]], "routes": [{"dst": "0.0.0.0/0"}], "dataDir": "$run/cni-data"}},
  {"type": "portmap", "capabilities": {"portMappings": true}}]}
Y
  # Where the sandbox has no CAP_SYS_RESOURCE, no pod would start without restrict_oom_score_adj.
  cat >"$run/containerd/config.toml" <<Y
version = 3
root = "$run/containerd/root"
state = "$run/containerd/state"
[grpc]
  address = "$run/containerd.sock"
[plugins."io.containerd.cri.v1.images"]
  snapshotter = "overlayfs"
  [plugins."io.containerd.cri.v1.images".pinned_images]
    sandbox = "testbed.local/pause:1"
[plugins."io.containerd.cri.v1.runtime"]
  restrict_oom_score_adj = true
[plugins."io.containerd.cri.v1.runtime".cni]
  bin_dirs = ["/usr/lib/cni", "/opt/cni/bin"]
  conf_dir = "$run/cni"
[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
    SystemdCgroup = false
Y
  start containerd env PATH="$bin:$PATH" "$bin/containerd" --config "$run/containerd/config.toml"
  wait_for 60 containerd "$bin/ctr" -a "$run/containerd.sock" version
  "$testbed/image" testbed.local/pause:1 "$bin/pause" /pause >"$run/pause.tar"
  "$testbed/load" --name "$name" "$run/pause.tar" >/dev/null
}

start_kubelet() {
  cat >"$run/kubelet.yaml" <<Y
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $node_ip
port: 10250
readOnlyPort: 0
healthzPort: 0
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: "$run/pki/ca.crt"}}
authorization: {mode: Webhook}
tlsCertFile: "$run/pki/node.crt"
tlsPrivateKeyFile: "$run/pki/node.key"
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
clusterDomain: cluster.local
clusterDNS: [$dns_ip]
containerRuntimeEndpoint: "unix://$run/containerd.sock"
evictionHard: {memory.available: "100Mi", nodefs.available: "1%", imagefs.available: "1%"}
imageGCHighThresholdPercent: 100
localStorageCapacityIsolation: true
syncFrequency: 10s
volumeStatsAggPeriod: 0s
Y
  start kubelet "$bin/kubelet" --v 1 --config "$run/kubelet.yaml" --kubeconfig "$run/node.kubeconfig" --hostname-override testbed \
    --node-ip $node_ip --root-dir "$run/kubelet"
}

# DNS listens on the node's address, so its Service has an endpoint of its own and no pod.
start_dns() {
  printf '.:53 {\n  bind %s\n  errors\n  kubernetes cluster.local {\n    kubeconfig %s testbed\n    ttl 5\n  }\n}\n' \
    $node_ip "$run/admin.kubeconfig" >"$run/Corefile"
  start coredns "$bin/coredns" -conf "$run/Corefile"
  k apply --server-side -f - >/dev/null <<Y
apiVersion: v1
kind: Service
metadata: {name: kube-dns, namespace: kube-system}
spec: {clusterIP: $dns_ip, ports: [{name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53, protocol: TCP}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: kube-dns, namespace: kube-system, labels: {kubernetes.io/service-name: kube-dns}}
addressType: IPv4
ports: [{name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53, protocol: TCP}]
endpoints: [{addresses: [$node_ip]}]
Y
}

# Pods outlive containerd, so they are stopped first: the kubelet, then every container and its shim.
stop_pods() {
  local each
  stop kubelet
  for each in $(containers tasks ls -q); do containers tasks kill -s SIGKILL "$each"; done
  for each in $(containers tasks ls -q); do containers tasks rm -f "$each" >/dev/null; done
  for each in $(containers containers ls -q); do containers containers rm "$each"; done
}

containers() { timeout 20 "$bin/ctr" -a "$run/containerd.sock" -n k8s.io "$@" 2>/dev/null; }

# What a loss of power leaves of the node: what is on disk. No process of it, no mount, no network of a pod.
crash_node() {
  local processes
  signal kubelet KILL
  mapfile -t processes < <(
    containers tasks ls | awk '$2 ~ /^[1-9][0-9]*$/ { print $2 }'
    pgrep -f "containerd-shim-runc-v2 .*$run/containerd.sock"
  )
  signal containerd KILL
  kill -KILL "${processes[@]}" 2>/dev/null
  drop_pods
  rm -rf --one-file-system "$run/containerd/state"
}

# And the container runtime, without which it would end.
start_kubelet_again() {
  launch containerd
  wait_for 60 containerd "$bin/ctr" -a "$run/containerd.sock" version
  launch kubelet
}

# What pods whose processes are gone have left in the kernel.
drop_pods() {
  local each
  awk -v run="$run/" 'index($2, run) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r -n1 umount -l 2>/dev/null
  for each in $(ip netns list 2>/dev/null | awk '/^cni-/ { print $1 }'); do ip netns del "$each"; done
}

remove_node_network() {
  local each
  drop_pods
  ip link del tb-pods 2>/dev/null
  ip addr del $node_ip/32 dev lo 2>/dev/null
  for each in nat filter mangle; do
    iptables-save -t $each 2>/dev/null | grep -vE 'KUBE-|CNI-|10\.98\.0\.|testbed' | iptables-restore -T $each 2>/dev/null
  done
}

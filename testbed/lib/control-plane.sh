# Sourced by up: etcd and kube-apiserver, and kube-controller-manager, which comes after JobSet's CRD.
# shellcheck shell=bash

start_api_server() {
  # Tests are short and their data is worth nothing, so etcd need not wait for the disk.
  start etcd "$bin/etcd" --data-dir "$run/etcd" --unsafe-no-fsync --log-level warn --listen-peer-urls http://127.0.0.1:0 \
    --listen-client-urls "http://127.0.0.1:$etcd_port" --advertise-client-urls "http://127.0.0.1:$etcd_port"

  # Pods find the issuer of their tokens by its name in the cluster; without pods its address is what answers.
  local issuer=https://$host_ip:$api_port endpoints=none
  if [[ $node ]]; then issuer=https://kubernetes.default.svc.cluster.local endpoints=lease; fi
  # The limits of requests in flight are those of large clusters: tests and benchmarks come in bursts.
  start kube-apiserver "$bin/kube-apiserver" --v 1 --etcd-servers "http://127.0.0.1:$etcd_port" \
    --max-requests-inflight 2000 --max-mutating-requests-inflight 1000 \
    --secure-port "$api_port" --bind-address "$host_ip" --advertise-address "$host_ip" --endpoint-reconciler-type "$endpoints" \
    --tls-cert-file "$run/pki/apiserver.crt" --tls-private-key-file "$run/pki/apiserver.key" --client-ca-file "$run/pki/ca.crt" \
    --authorization-mode Node,RBAC --allow-privileged --service-cluster-ip-range 10.96.0.0/16 \
    --service-account-issuer "$issuer" --service-account-key-file "$run/pki/sa.pub" --service-account-signing-key-file "$run/pki/sa.key" \
    --kubelet-client-certificate "$run/pki/apiserver-kubelet.crt" --kubelet-client-key "$run/pki/apiserver-kubelet.key" \
    --kubelet-certificate-authority "$run/pki/ca.crt" --kubelet-preferred-address-types InternalIP
  wait_for 90 kube-apiserver k get --raw /readyz
}

# Its garbage collector looks for new kinds every 30 s only, so it is started when JobSet is known.
start_controller_manager() {
  start kube-controller-manager "$bin/kube-controller-manager" --v 1 --kubeconfig "$run/controller-manager.kubeconfig" \
    --controllers "${TESTBED_CONTROLLERS:-*}" --leader-elect=false --secure-port 0 --allocate-node-cidrs=false \
    --kube-api-qps 200 --kube-api-burst 400 \
    --use-service-account-credentials --service-account-private-key-file "$run/pki/sa.key" --root-ca-file "$run/pki/ca.crt"
  wait_for 60 kube-controller-manager k --namespace default get serviceaccount default
}

# Sourced by up: the testbed's own authority, its certificates, and the kubeconfig files made of them.
# shellcheck shell=bash

make_certificates() {
  local here=localhost,IP:127.0.0.1
  local kubernetes=DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local
  mkdir -p "$run/pki"
  openssl req -x509 "${new_key[@]}" -days 30 -subj /CN=testbed -keyout "$run/pki/ca.key" -out "$run/pki/ca.crt" \
    -addext keyUsage=critical,keyCertSign,cRLSign,digitalSignature 2>/dev/null
  issue apiserver /CN=kube-apiserver "DNS:$here,IP:10.96.0.1,IP:$host_ip,$kubernetes"
  issue jobset /CN=jobset "DNS:$here"
  issue apiserver-kubelet /O=system:masters/CN=apiserver-kubelet
  issue admin /O=system:masters/CN=admin
  issue controller-manager /CN=system:kube-controller-manager
  write_kubeconfig admin
  write_kubeconfig controller-manager
  # JSON web tokens of service accounts are signed with RSA, as in most clusters.
  openssl genrsa -out "$run/pki/sa.key" 2048 2>/dev/null
  openssl rsa -in "$run/pki/sa.key" -pubout -out "$run/pki/sa.pub" 2>/dev/null
}

# RSA, since fabric8's client (7.6) doesn't read EC keys in PKCS#8.
new_key=(-newkey rsa:2048 -nodes)

issue() { # name subject [subjectAltName]
  local pair=$run/pki/$1
  openssl req "${new_key[@]}" -subj "$2" -keyout "$pair.key" -out "$pair.csr" 2>/dev/null
  openssl x509 -req -in "$pair.csr" -CA "$run/pki/ca.crt" -CAkey "$run/pki/ca.key" -CAcreateserial -days 30 -out "$pair.crt" \
    -extfile <(printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\nkeyUsage=critical,digitalSignature\n' "${3:-DNS:$1}") 2>/dev/null
}

write_kubeconfig() { # name
  cat >"$run/$1.kubeconfig" <<Y
apiVersion: v1
kind: Config
current-context: testbed
contexts: [{name: testbed, context: {cluster: testbed, user: $1}}]
clusters:
- name: testbed
  cluster: {server: "https://$host_ip:$api_port", certificate-authority-data: $(in_base64 ca.crt)}
users:
- name: $1
  user: {client-certificate-data: $(in_base64 "$1.crt"), client-key-data: $(in_base64 "$1.key")}
Y
  chmod 600 "$run/$1.kubeconfig"
}

in_base64() { base64 -w0 <"$run/pki/$1"; }

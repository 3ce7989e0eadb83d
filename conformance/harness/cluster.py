"""A throw-away control plane, and everything that a Trainer controller finds around it in a real cluster.

The programs of this folder run themselves in private mount, network and process namespaces (`isolate`). So the ports and files of
a controller's pod can be the real ones, nothing outside is touched, and every process dies with the program.
"""
import base64
import os
import shlex
import shutil
import subprocess
import sys
import urllib.request

from kube import Kube, ok, wait

try:
    import yaml
except ImportError:
    sys.exit("conformance: Python's yaml module is needed (Debian: apt-get install python3-yaml; else: pip install pyyaml)")

HERE = os.path.dirname(os.path.abspath(__file__))
CONFORMANCE = os.path.dirname(HERE)
ROOT = os.path.dirname(CONFORMANCE)
TESTBED = f"{ROOT}/testbed"
CRDS = f"{ROOT}/trainer-api/src/main/resources/dev/waymark/trainer/api/crds"
TESTBED_HOME = os.environ.get("TESTBED_HOME") or os.path.expanduser("~/.cache/waymark-testbed")

NAMESPACE = "kubeflow-system"
ACCOUNT = "kubeflow-trainer-controller-manager"
SERVICE = f"{ACCOUNT}.{NAMESPACE}.svc"
CERTIFICATE_SECRET = "kubeflow-trainer-webhook-cert"
ACCOUNT_FILES = "/var/run/secrets/kubernetes.io/serviceaccount"
CERTIFICATE_FILES = "/tmp/k8s-webhook-server/serving-certs"
GROUP = "trainer.kubeflow.org"

ISOLATED = "WAYMARK_CONFORMANCE_ISOLATED"


def isolate():
    """Runs this program again in namespaces of its own, as root in there."""
    if os.environ.get(ISOLATED) == "1":
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        for folder in ("/run", os.path.join(TESTBED_HOME, "run"), os.path.dirname(CERTIFICATE_FILES)):
            os.makedirs(folder, exist_ok=True)
            subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], check=True)
        return
    for tool in ("unshare", "ip", "openssl"):
        if not shutil.which(tool):
            sys.exit(f"conformance: {tool} is needed (Debian: apt-get install util-linux iproute2 openssl)")
    command = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() != 0:
        command += ["--user", "--map-root-user"]
    os.execvpe(command[0], command + [sys.executable] + sys.argv, {**os.environ, ISOLATED: "1"})


class Cluster:
    """etcd, API server, controller manager and JobSet from the testbed, and the surroundings of a controller."""

    def __init__(self, work, crds=None):
        self.work = work
        self.crds = crds or CRDS
        self.run = f"{TESTBED_HOME}/run/default"
        self.kubeconfig = f"{self.run}/admin.kubeconfig"
        self.logs = f"{self.run}/logs"
        self.controller = None
        os.makedirs(f"{work}/serving", exist_ok=True)

    # --- control plane

    def up(self, jobset=True):
        # Fewer controllers are less noise in dumps and measurements.
        controllers = "garbage-collector-controller,serviceaccount-controller,namespace-controller,job-controller"
        subprocess.run([f"{TESTBED}/up"] + ([] if jobset else ["--no-jobset"]), check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "TESTBED_CONTROLLERS": controllers})
        with open(self.kubeconfig, encoding="utf-8") as file:
            server = yaml.safe_load(file)["clusters"][0]["cluster"]["server"]
        self.port = int(server.rsplit(":", 1)[1])
        self.kube = self.client()
        self.install_crds()
        # Its garbage collector would look for the new kinds in half a minute only.
        for verb in ("kill", "start"):
            subprocess.run([f"{TESTBED}/part", verb, "kube-controller-manager"], check=True)

    def client(self):
        pki = f"{self.run}/pki"
        return Kube("127.0.0.1", self.port, f"{pki}/ca.crt", f"{pki}/admin.crt", f"{pki}/admin.key")

    def down(self, keep_logs=None):
        """Stops everything; the logs lie in a private folder and go with it unless they are kept."""
        self.stop_controller()
        if keep_logs and os.path.isdir(self.logs):
            shutil.copytree(self.logs, keep_logs, dirs_exist_ok=True)
        subprocess.run([f"{TESTBED}/down"], check=False)

    def process(self, part):
        """The process id of a part of the control plane."""
        with open(f"{self.run}/pids/{part}", encoding="utf-8") as file:
            return int(file.read().split()[0])

    def install_crds(self):
        files = [f"{self.crds}/{f}" for f in sorted(os.listdir(self.crds)) if GROUP in f and f.endswith((".yaml", ".yml", ".json"))]
        files += [f"{HERE}/crds/{f}" for f in sorted(os.listdir(f"{HERE}/crds"))]
        names = [ok(self.kube.create(crd, strict=False)) and crd["metadata"]["name"] for f in files for crd in documents(f)]
        for name in names:
            wait(f"CRD {name}", lambda name=name: established(self.kube.get("CustomResourceDefinition", None, name)[1]))
        for kind in ("TrainJob", "TrainingRuntime", "ClusterTrainingRuntime", "JobSet", "PodGroup/x-k8s", "PodGroup/volcano"):
            wait(f"the API of {kind}", lambda kind=kind: self.kube.request("GET", self.kube.path(kind))[0] == 200)

    # --- what a controller finds

    def prepare_controller(self, role=f"{HERE}/role.yaml"):
        """Namespace, account, rights (a file with one ClusterRole, or "admin"), certificate, and the files of a pod."""
        kube = self.kube
        ok(kube.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}))
        ok(kube.create({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": ACCOUNT, "namespace": NAMESPACE}}))
        # A token of the system namespace's own account is one of the cases.
        wait("the default account", lambda: kube.get("ServiceAccount", NAMESPACE, "default")[0] == 200)
        name = "cluster-admin"
        if role != "admin":
            rules = documents(role)[0]
            name = rules["metadata"]["name"] = "controller-under-test"
            rules["metadata"].pop("labels", None)
            ok(kube.create(rules))
        ok(kube.create({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "controller-under-test"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
            "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": NAMESPACE}]}))
        make_serving_certificate(f"{self.work}/serving")
        os.makedirs(CERTIFICATE_FILES, exist_ok=True)
        data = {}
        for file in ("ca.crt", "tls.crt", "tls.key"):
            shutil.copy(f"{self.work}/serving/{file}", CERTIFICATE_FILES)
            data[file] = in_base64(f"{self.work}/serving/{file}")
        ok(kube.create({"apiVersion": "v1", "kind": "Secret", "data": data, "metadata": {"name": CERTIFICATE_SECRET, "namespace": NAMESPACE}}))
        os.makedirs(ACCOUNT_FILES, exist_ok=True)
        shutil.copy(f"{self.run}/pki/ca.crt", ACCOUNT_FILES)
        for file, text in (("token", kube.token(NAMESPACE, ACCOUNT)), ("namespace", NAMESPACE)):
            with open(f"{ACCOUNT_FILES}/{file}", "w", encoding="utf-8") as out:
                out.write(text)

    def write_config(self, gate=True, client=None, status=None, concurrency=None):
        """A configuration file; client and status are (qps, burst), None leaves the controller's own defaults."""
        config = {"apiVersion": f"config.{GROUP}/v1alpha1", "kind": "Configuration",
                  "webhook": {"port": 9443},
                  "metrics": {"bindAddress": ":8443", "secureServing": True},
                  "health": {"healthProbeBindAddress": ":8081"},
                  "certManagement": {"enable": False, "webhookServiceName": ACCOUNT, "webhookSecretName": CERTIFICATE_SECRET},
                  "statusServer": {"port": 10443}}
        if client:
            config["clientConnection"] = {"qps": client[0], "burst": client[1]}
        if status:
            config["statusServer"].update(qps=status[0], burst=status[1])
        config["featureGates"] = {"TrainJobStatus": gate}
        if concurrency:
            config["controller"] = {"groupKindConcurrency": {
                f"TrainJob.{GROUP}": concurrency, f"TrainingRuntime.{GROUP}": 1, f"ClusterTrainingRuntime.{GROUP}": 1}}
        path = f"{self.work}/controller-config.yaml"
        with open(path, "w", encoding="utf-8") as file:
            yaml.safe_dump(config, file)
        return path

    def install_webhooks(self):
        """As upstream's kustomization registers them, but by address."""
        unless_disabled = {"objectSelector": {"matchExpressions": [
            {"key": f"{GROUP}/webhook-validation", "operator": "NotIn", "values": ["disabled"]}]}}
        self.register("Mutating", "defaulter", [self.webhook("defaulter", "mutate", "trainjob")])
        self.register("Validating", "validator", [
            self.webhook("validator", "validate", "clustertrainingruntime", **unless_disabled),
            self.webhook("validator", "validate", "trainingruntime", **unless_disabled),
            self.webhook("validator", "validate", "trainjob")])

    def register(self, kind, name, webhooks):
        ok(self.kube.create({"apiVersion": "admissionregistration.k8s.io/v1", "kind": f"{kind}WebhookConfiguration",
                             "metadata": {"name": f"{name}.{GROUP}"}, "webhooks": webhooks}))

    def webhook(self, role, verb, resource, **more):
        return {"name": f"{role}.{resource}.{GROUP}", "admissionReviewVersions": ["v1"], "sideEffects": "None", "failurePolicy": "Fail",
                "clientConfig": {"url": f"https://127.0.0.1:9443/{verb}-trainer-kubeflow-org-v1alpha1-{resource}",
                                 "caBundle": in_base64(f"{self.work}/serving/ca.crt")},
                "rules": [{"apiGroups": [GROUP], "apiVersions": ["v1alpha1"], "resources": [resource + "s"], "operations": ["CREATE", "UPDATE"]}],
                **more}

    # --- the controller

    def start_controller(self, command, config):
        """Starts a controller; {config} and {kubeconfig} in its command line are replaced."""
        arguments = [a.replace("{config}", config).replace("{kubeconfig}", self.kubeconfig) for a in shlex.split(command)]
        environment = {k: v for k, v in os.environ.items() if k not in ("KUBECONFIG", ISOLATED)}
        environment.update(KUBERNETES_SERVICE_HOST="127.0.0.1", KUBERNETES_SERVICE_PORT=str(self.port), POD_NAMESPACE=NAMESPACE)
        with open(f"{self.logs}/controller.log", "ab") as log:
            self.controller = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment,
                                               start_new_session=True)

    def await_controller(self, timeout=120):
        while True:
            try:
                return wait("the controller's /readyz", self.controller_ready, timeout, 0.02)
            except TimeoutError as e:
                sys.exit(f"conformance: {e}; its log ends with\n{self.log_tail()}")

    def controller_ready(self):
        self.require_controller()
        with urllib.request.urlopen("http://127.0.0.1:8081/readyz", timeout=2) as answer:
            return answer.status == 200

    def require_controller(self):
        if self.controller.poll() is not None:
            sys.exit(f"conformance: the controller ended with {self.controller.returncode}; its log ends with\n{self.log_tail()}")

    def stop_controller(self):
        if self.controller and self.controller.poll() is None:
            self.controller.terminate()
            try:
                self.controller.wait(5)
            except subprocess.TimeoutExpired:
                self.controller.kill()
                self.controller.wait()
        self.controller = None

    def log_tail(self, lines=40):
        with open(f"{self.logs}/controller.log", encoding="utf-8", errors="replace") as log:
            return "".join(log.readlines()[-lines:])

    def namespace(self, name):
        ok(self.kube.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}))


def make_serving_certificate(folder):
    """An authority and a certificate for the controller's Service, RSA and PKCS#8, as upstream's own tool makes them."""
    names = f"subjectAltName=DNS:{SERVICE},DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n"
    with open(f"{folder}/extensions", "w", encoding="utf-8") as file:
        file.write(names)
    new_key = ["-newkey", "rsa:2048", "-nodes"]
    openssl(folder, "req", "-x509", *new_key, "-days", "30", "-subj", "/CN=webhook-ca", "-keyout", "ca.key", "-out", "ca.crt",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    openssl(folder, "req", *new_key, "-subj", f"/CN={SERVICE}", "-keyout", "tls.key", "-out", "tls.csr")
    openssl(folder, "x509", "-req", "-in", "tls.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "30",
            "-extfile", "extensions", "-out", "tls.crt")


def openssl(folder, *arguments):
    done = subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"openssl {arguments[0]}: {done.stderr}")


def documents(path):
    with open(path, encoding="utf-8") as file:
        return [document for document in yaml.safe_load_all(file) if document]


def in_base64(path):
    with open(path, "rb") as file:
        return base64.b64encode(file.read()).decode()


def established(crd):
    return any(c["type"] == "Established" and c["status"] == "True" for c in crd.get("status", {}).get("conditions", []))

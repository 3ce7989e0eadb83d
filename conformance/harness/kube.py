"""A very small Kubernetes REST client: one connection per thread, answers as they come."""
import http.client
import json
import ssl
import threading
import time
import urllib.parse

TRAINER = "/apis/trainer.kubeflow.org/v1alpha1"
RBAC = "/apis/rbac.authorization.k8s.io/v1"
ADMISSION = "/apis/admissionregistration.k8s.io/v1"

# kind -> API path, plural, namespaced. Two APIs have a PodGroup.
RESOURCES = {
    "Namespace": ("/api/v1", "namespaces", False),
    "ConfigMap": ("/api/v1", "configmaps", True),
    "Secret": ("/api/v1", "secrets", True),
    "Pod": ("/api/v1", "pods", True),
    "Service": ("/api/v1", "services", True),
    "ServiceAccount": ("/api/v1", "serviceaccounts", True),
    "LimitRange": ("/api/v1", "limitranges", True),
    "Job": ("/apis/batch/v1", "jobs", True),
    "Event": ("/apis/events.k8s.io/v1", "events", True),
    "ClusterRole": (RBAC, "clusterroles", False),
    "ClusterRoleBinding": (RBAC, "clusterrolebindings", False),
    "Role": (RBAC, "roles", True),
    "RoleBinding": (RBAC, "rolebindings", True),
    "CustomResourceDefinition": ("/apis/apiextensions.k8s.io/v1", "customresourcedefinitions", False),
    "MutatingWebhookConfiguration": (ADMISSION, "mutatingwebhookconfigurations", False),
    "ValidatingWebhookConfiguration": (ADMISSION, "validatingwebhookconfigurations", False),
    "PriorityClass": ("/apis/scheduling.k8s.io/v1", "priorityclasses", False),
    "RuntimeClass": ("/apis/node.k8s.io/v1", "runtimeclasses", False),
    "JobSet": ("/apis/jobset.x-k8s.io/v1alpha2", "jobsets", True),
    "TrainJob": (TRAINER, "trainjobs", True),
    "TrainingRuntime": (TRAINER, "trainingruntimes", True),
    "ClusterTrainingRuntime": (TRAINER, "clustertrainingruntimes", False),
    "OptimizationJob": (TRAINER, "optimizationjobs", True),
    "PodGroup/x-k8s": ("/apis/scheduling.x-k8s.io/v1alpha1", "podgroups", True),
    "PodGroup/volcano": ("/apis/scheduling.volcano.sh/v1beta1", "podgroups", True),
}

MERGE = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"


def kind_of(obj):
    kind = obj.get("kind", "")
    if kind == "PodGroup":
        return "PodGroup/volcano" if "volcano" in obj.get("apiVersion", "") else "PodGroup/x-k8s"
    return kind


class Kube:
    """Every request returns (HTTP code, parsed body, warnings)."""

    def __init__(self, host, port, ca, cert=None, key=None):
        self.host, self.port = host, port
        self.tls = ssl.create_default_context(cafile=ca)
        if cert:
            self.tls.load_cert_chain(cert, key)
        self.local = threading.local()

    def request(self, method, path, body=None, content_type="application/json", params=None, raw=False):
        if params:
            path += "?" + urllib.parse.urlencode(params)
        headers = {"Accept": "application/json"}
        if body is not None:
            body = json.dumps(body)
            headers["Content-Type"] = content_type
        for last_try in (False, True):
            try:
                connection = self.connection()
                connection.request(method, path, body=body, headers=headers)
                response = connection.getresponse()
                payload = response.read()
                break
            except (http.client.HTTPException, OSError):
                # The server closes connections that were idle for long.
                self.local.connection = None
                if last_try:
                    raise
        warnings = response.headers.get_all("Warning") or []
        if raw:
            return response.status, payload, warnings
        try:
            parsed = json.loads(payload) if payload else {}
        except ValueError:
            parsed = {"raw": payload.decode(errors="replace")}
        return response.status, parsed, warnings

    def connection(self):
        if getattr(self.local, "connection", None) is None:
            self.local.connection = http.client.HTTPSConnection(self.host, self.port, context=self.tls, timeout=60)
        return self.local.connection

    @staticmethod
    def path(kind, namespace=None, name=None, subresource=None):
        api, plural, namespaced = RESOURCES[kind]
        parts = [api]
        if namespaced and namespace:
            parts += ["namespaces", namespace]
        parts += [plural] + [part for part in (name, subresource) if part]
        return "/".join(parts)

    def create(self, obj, namespace=None, manager="golden", strict=True):
        namespace = obj.get("metadata", {}).get("namespace") or namespace
        return self.request("POST", self.path(kind_of(obj), namespace), obj, params=validation(manager, strict))

    def get(self, kind, namespace, name):
        return self.request("GET", self.path(kind, namespace, name))

    def list(self, kind, namespace=None, params=None):
        code, answer, _ = self.request("GET", self.path(kind, namespace), params=params)
        return answer.get("items", []) if code == 200 else []

    def list_version(self, kind):
        """From which a watch goes on without a gap."""
        return ok(self.request("GET", self.path(kind), params={"limit": "1"}))["metadata"]["resourceVersion"]

    def watch(self, kind, version):
        """The events of all namespaces since a version, until the server ends the watch."""
        path = self.path(kind) + "?" + urllib.parse.urlencode({"watch": "1", "resourceVersion": version, "allowWatchBookmarks": "true"})
        connection = http.client.HTTPSConnection(self.host, self.port, context=self.tls)
        try:
            connection.request("GET", path, headers={"Accept": "application/json"})
            for line in connection.getresponse():
                yield json.loads(line)
        finally:
            connection.close()

    def count(self, kind, namespace):
        code, answer, _ = self.request("GET", self.path(kind, namespace), params={"limit": "1"})
        return len(answer.get("items", [])) + answer.get("metadata", {}).get("remainingItemCount", 0) if code == 200 else 0

    def patch(self, kind, namespace, name, patch, subresource=None, content_type=MERGE, manager="golden"):
        path = self.path(kind, namespace, name, subresource)
        return self.request("PATCH", path, patch, content_type, validation(manager))

    def apply(self, obj, namespace=None, manager="golden"):
        namespace = obj.get("metadata", {}).get("namespace") or namespace
        path = self.path(kind_of(obj), namespace, obj["metadata"]["name"])
        return self.request("PATCH", path, obj, APPLY, {**validation(manager), "force": "true"})

    def delete(self, kind, namespace, name):
        return self.request("DELETE", self.path(kind, namespace, name), {"propagationPolicy": "Background"})

    def token(self, namespace, account, audiences=None):
        spec = {"expirationSeconds": 86400, **({"audiences": audiences} if audiences else {})}
        body = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": spec}
        return ok(self.request("POST", self.path("ServiceAccount", namespace, account, "token"), body))["status"]["token"]


def validation(manager, strict=True):
    return {"fieldManager": manager, "fieldValidation": "Strict" if strict else "Warn"}


def ok(result):
    """The body of a request that must succeed; "exists already" is success."""
    code, body, _ = result
    if code not in (200, 201, 409):
        raise RuntimeError(f"the API server answered {code}: {body.get('message', body)}")
    return body


def wait(what, condition, timeout=60, step=0.1):
    """Polls until the condition holds, and returns its value."""
    end, problem = time.time() + timeout, None
    while time.time() < end:
        try:
            value = condition()
            if value:
                return value
        except Exception as e:  # pylint: disable=broad-except
            problem = e
        time.sleep(step)
    raise TimeoutError(f"{what} did not come within {timeout} s ({problem})")

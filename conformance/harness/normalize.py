"""Turns live API objects into JSON that is the same in every run."""
import base64
import hashlib
import re

import yaml

UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
TIME = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
POINTER = re.compile(r"\b0x[0-9a-f]{8,16}\b")
RESOURCE_VERSION = re.compile(r'(resourceVersion"?: ?"?)\d+')
CHANGING_METADATA = ("uid", "resourceVersion", "creationTimestamp", "managedFields", "selfLink", "generation")
JOB_SPEC = ("parallelism", "completions", "suspend", "completionMode", "backoffLimit")
# What counts in a Flux script; its text is each implementation's own.
FLUX_FACTS = (r"-N \d+ -n \d+(?: -g \d+)?", r"--cores=\S+", r"--gpu=\S+", r'hosts="[^"$]*"', r"default_bind\s*=\s*.*",
              r"default_connect\s*=\s*.*", r"default_port\s*=\s*.*", r"queue-policy\s*=\s*.*", r"curve_cert\s*=\s*\S+")


class Normalizer:
    """Times that occur in the case's own input stay; so does everything that a controller decides."""

    def __init__(self, input_text="", ca=None):
        self.input_text, self.ca = input_text, ca

    def value(self, value):
        if isinstance(value, dict):
            return {k: self.value(v) for k, v in value.items()}
        if isinstance(value, list):
            return [self.value(v) for v in value]
        return self.text(value) if isinstance(value, str) else value

    def text(self, text):
        if self.ca and text.strip() == self.ca.strip():
            return "<ca.crt of the webhook secret>"
        text = UUID.sub("<uid>", text)
        text = TIME.sub(lambda time: time.group() if time.group()[:10] in self.input_text else "<time>", text)
        return POINTER.sub("<pointer>", RESOURCE_VERSION.sub(r"\1<rv>", text))

    def object(self, obj):
        obj = {**obj, "metadata": stable_metadata(obj.get("metadata", {}))}
        kind = obj.get("kind")
        if kind == "ConfigMap":
            obj["data"] = {k: config_value(obj["metadata"]["name"], k, v) for k, v in (obj.get("data") or {}).items()}
        elif kind == "Secret":
            obj = secret(obj)
        elif kind == "Job":
            obj = job(obj)
        return self.value(obj)

    def answer(self, code, body, warnings):
        answer = {"code": code}
        if code >= 400:
            answer.update({k: body[k] for k in ("reason", "message", "details") if k in body})
        if warnings:
            answer["warnings"] = warnings
        return self.value(answer)

    def event(self, event):
        regarding = event["regarding"]
        return self.value({**{k: event.get(k) for k in ("type", "reason", "action", "note", "reportingController")},
                           "regarding": f"{regarding.get('kind')}/{regarding.get('name')}"})

    def managers(self, obj):
        """Who owns which field."""
        owners = []
        for entry in obj.get("metadata", {}).get("managedFields", []):
            owner = {k: entry.get(k) for k in ("manager", "operation", "apiVersion")}
            if entry.get("subresource"):
                owner["subresource"] = entry["subresource"]
            owner["fields"] = sorted(set(field_paths(entry.get("fieldsV1", {}))))
            owners.append(owner)
        return self.value(sorted(owners, key=lambda o: (str(o["manager"]), str(o["operation"]), str(o.get("subresource")))))


def stable_metadata(metadata):
    return {k: v for k, v in metadata.items() if k not in CHANGING_METADATA}


def config_value(name, key, text):
    if name.endswith("-runtime-snapshot") and key == "runtime":
        return snapshot(text)
    if name.endswith("-flux-entrypoint"):
        facts = sorted({fact for pattern in FLUX_FACTS for fact in re.findall(pattern, text)})
        return {"<script>": {"sha256": hashlib.sha256(text.encode()).hexdigest(), "lines": text.count("\n"), "facts": facts}}
    return text


def snapshot(text):
    try:
        runtime = yaml.load(text, Loader=TimesAreText)
    except yaml.YAMLError:
        return text
    if not isinstance(runtime, dict) or not isinstance(runtime.get("metadata"), dict):
        return text
    runtime["<has managedFields>"] = "managedFields" in runtime["metadata"]
    runtime["metadata"] = stable_metadata(runtime["metadata"])
    return {"<yaml>": runtime}


def secret(obj):
    """Keys are random, so only their shape is kept."""
    shape = {}
    for key, encoded in (obj.get("data") or {}).items():
        data = base64.b64decode(encoded)
        if key == "ssh-privatekey":
            shape[key] = data.split(b"\n")[0].decode()
        elif key == "ssh-publickey":
            shape[key] = f"{data.split(b' ')[0].decode()}, {len(data.split())} fields, {data.count(bytes([10]))} newline"
        elif key == "curve.cert":
            lines = [line for line in data.decode().split("\n") if not line.lstrip().startswith("#")]
            shape[key] = [re.sub(r'"[^"]{40}"', '"<40 chars>"', line) for line in lines]
        else:
            shape[key] = "<set>"
    return {"apiVersion": "v1", "kind": "Secret", "metadata": obj["metadata"], "type": obj.get("type"),
            "immutable": obj.get("immutable", False), "shape": shape}


def job(obj):
    """Jobs are JobSet's work; what shows that it got the right JobSet is kept."""
    metadata, spec = obj["metadata"], obj["spec"]
    pod = spec.get("template", {})
    pod_metadata, pod_spec = pod.get("metadata", {}), pod.get("spec", {})
    return {"kind": "Job",
            "metadata": {"name": metadata["name"], "labels": without_uids(metadata.get("labels")),
                         "annotations": without_uids(metadata.get("annotations"))},
            "spec": {k: spec[k] for k in JOB_SPEC if k in spec},
            "pods": {"labels": without_uids(pod_metadata.get("labels")), "annotations": without_uids(pod_metadata.get("annotations")),
                     "nodeSelector": pod_spec.get("nodeSelector"), "hostSubdomain": pod_spec.get("subdomain")}}


def without_uids(values):
    return {k: v for k, v in (values or {}).items() if not k.endswith("-uid") and "job-key" not in k and not UUID.search(str(v))}


def field_paths(fields, prefix=""):
    if not fields:
        return [prefix] if prefix else []
    paths = []
    for key, inner in fields.items():
        if key == ".":
            continue
        kind, _, rest = key.partition(":")
        name = rest if kind == "f" else f"[{rest}]" if kind in ("k", "v", "i") else key
        path = f"{prefix}.{name}" if prefix and not name.startswith("[") else prefix + name
        paths += field_paths(inner, path)
    return paths or [prefix]


class TimesAreText(yaml.SafeLoader):
    """YAML in which timestamps stay text."""


TimesAreText.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}

"""One case: creates its objects, does its steps, and after each, once nothing changes any more, dumps its namespace."""
import json
import os
import shutil
import sys
import time

from cluster import documents
from kube import MERGE
from normalize import Normalizer
from posts import StatusPosts

DUMPED = ["TrainJob", "JobSet", "ConfigMap", "Secret", "PodGroup/x-k8s", "PodGroup/volcano", "Job", "TrainingRuntime", "OptimizationJob"]
WATCHED = DUMPED + ["Pod", "Event"]
# How long nothing may have changed before a state counts; how long that may take; a pause where nothing is waited for.
QUIET_S, QUIET_LIMIT_S, PAUSE_S = 2.2, 40, 0.6


class Case:
    def __init__(self, name, cluster, activity, fence, inputs, out):
        self.activity, self.fence = activity, fence
        self.name, self.cluster, self.kube = name, cluster, cluster.kube
        self.folder, self.out = f"{inputs}/{name}", f"{out}/{name}"
        ca_file = f"{cluster.work}/serving/ca.crt"
        self.normalizer = Normalizer("".join(read(f"{self.folder}/{f}") for f in sorted(os.listdir(self.folder))), read(ca_file))
        self.posts = StatusPosts(self.kube, name, ca_file)
        self.objects = self.documents("objects.yaml")
        self.trainjobs = self.documents("trainjob.yaml")
        self.steps = steps(self.folder)

    def run(self, alone=None):
        """
        With an event, time counts in this case, and nothing else runs until it is set: each state but the last has to be quiet and
        written before the next deadline comes, a few seconds later, so no fence is waited for. The last may take its time.
        """
        shutil.rmtree(self.out, ignore_errors=True)
        created = {"objects": {f"{o['kind']}/{o['metadata']['name']}": self.create(o) for o in self.objects}}
        if self.objects:
            time.sleep(PAUSE_S)
        created["trainjobs"] = {o["metadata"]["name"]: self.create(o) for o in self.trainjobs}
        self.write("create.json", created)
        hurried = alone is not None
        self.await_quiet(fenced=not hurried)
        self.dump(0, {"step": "create"})
        number, done = 0, []
        for index, step in enumerate(self.steps, 1):
            if alone and index == len(self.steps):
                alone.set()
                hurried = False
            answer = self.do(step.lstrip("."))
            done.append({"step": step, "answer": answer})
            if step.startswith("."):
                time.sleep(PAUSE_S)
                continue
            number += 1
            if step.startswith("post ") and answer.get("code") != 200:
                # Nothing can have changed.
                self.write(f"after-{number}.json", {"steps": done})
            else:
                if not refused(done):
                    self.await_quiet(fenced=not hurried, deleted=any(step["step"].lstrip(".").startswith("delete ") for step in done))
                self.dump(number, {"steps": done})
            done = []

    # --- steps

    def create(self, obj):
        return self.normalizer.answer(*self.kube.create(obj, self.name))

    def do(self, step):
        verb, _, rest = step.partition(" ")
        if verb == "wait":
            time.sleep(float(rest))
            return {}
        if verb == "pods":
            return self.set_phase(*rest.split())
        if verb == "post":
            return self.normalizer.value(self.posts.post(rest))
        if verb in ("merge", "json", "status"):
            kind, name, body = rest.split(" ", 2)
            result = self.kube.patch(kind, self.name, name, json.loads(body), subresource="status" if verb == "status" else None,
                                     content_type="application/json-patch+json" if verb == "json" else MERGE)
        elif verb == "delete":
            result = self.kube.delete(rest.split()[0], self.name, rest.split()[1])
        elif verb in ("apply", "create"):
            result = getattr(self.kube, verb)(self.documents(rest.strip())[0], self.name)
        else:
            raise ValueError(f"{self.folder}/steps.txt: unknown step '{step}'")
        return self.normalizer.answer(*result)

    def set_phase(self, phase, trainjob):
        """What a kubelet would do, so that Jobs and JobSets really finish."""
        ready = {"type": "Ready", "status": "True" if phase == "Running" else "False", "lastTransitionTime": "2026-02-03T04:05:06Z"}
        status = {"status": {"phase": phase, "conditions": [ready]}}
        pods = self.kube.list("Pod", self.name, {"labelSelector": f"jobset.sigs.k8s.io/jobset-name={trainjob}"})
        codes = [self.kube.patch("Pod", self.name, pod["metadata"]["name"], status, subresource="status")[0] for pod in pods]
        return {"pods": codes.count(200)}

    # --- quiet

    def await_quiet(self, fenced=True, deleted=False):
        """Until nothing has changed for a while, a fence has passed, and still nothing has changed."""
        start = time.monotonic()
        while time.monotonic() < start + QUIET_LIMIT_S:
            rest = max(start, self.activity.last_change(self.name)) + QUIET_S - time.monotonic()
            if rest > 0:
                time.sleep(rest)
                continue
            seen = self.versions()
            if fenced:
                self.fence.wait(self.name, deleted)
            if self.versions() == seen:
                return
        print(f"{self.name}: never quiet", file=sys.stderr)

    def versions(self):
        return sorted((kind, o["metadata"]["uid"], o["metadata"]["resourceVersion"])
                      for kind in DUMPED + ["Pod"] for o in self.kube.list(kind, self.name))

    # --- dumps

    def dump(self, number, head):
        objects, managers = {}, {}
        for kind in DUMPED:
            for obj in self.kube.list(kind, self.name):
                obj.setdefault("kind", kind.split("/")[0])
                key = f"{kind}/{obj['metadata']['name']}"
                if key == "ConfigMap/kube-root-ca.crt":
                    continue
                objects[key] = self.normalizer.object(obj)
                if kind != "Job":
                    managers[key] = self.normalizer.managers(obj)
        for name in [o["metadata"]["name"] for o in self.objects if o["kind"] == "ClusterTrainingRuntime"]:
            code, obj, _ = self.kube.get("ClusterTrainingRuntime", None, name)
            if code == 200:
                objects[f"ClusterTrainingRuntime/{name}"] = self.normalizer.object(obj)
        self.write(f"after-{number}.json", {**head, "objects": objects, "pods": self.pods(), "events": self.events()})
        self.write(f"managers-{number}.json", managers)

    def pods(self):
        counts = {}
        for pod in self.kube.list("Pod", self.name):
            key = f"{pod['metadata'].get('labels', {}).get('job-name', '?')}/{pod.get('status', {}).get('phase')}"
            counts[key] = counts.get(key, 0) + 1
        return counts

    def events(self):
        events = [self.normalizer.event(e) for e in self.kube.list("Event", self.name) if e.get("regarding", {}).get("kind") == "TrainJob"]
        distinct = {json.dumps(e, sort_keys=True): e for e in events}
        return [distinct[key] for key in sorted(distinct)]

    # --- files

    def documents(self, file):
        path = f"{self.folder}/{file}"
        return documents(path) if os.path.exists(path) else []

    def write(self, file, content):
        os.makedirs(self.out, exist_ok=True)
        with open(f"{self.out}/{file}", "w", encoding="utf-8") as out:
            json.dump(content, out, indent=1, sort_keys=True)
            out.write("\n")


def is_timed(folder):
    """Whether time counts in a case."""
    return any(step.lstrip(".").startswith("wait ") for step in steps(folder))


def refused(done):
    """Whether all steps were refused, so that nothing can have changed."""
    return all(step["answer"].get("code", 0) >= 400 for step in done)


def steps(folder):
    path = f"{folder}/steps.txt"
    lines = read(path).splitlines() if os.path.exists(path) else []
    return [line for line in lines if line.strip() and not line.startswith("#")]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()

#!/usr/bin/env python3
"""Measures a Trainer controller on a throw-away control plane. Absolute figures mean little: compare runs of the same hour.

bench.py startup   exec until /readyz, and until the JobSet of a TrainJob that was waiting; memory then
bench.py jobs      500 TrainJobs by 8 clients until the last JobSet
bench.py floor     the same TrainJobs and the same three applies for each by plain clients, without a controller
bench.py status    16 keep-alive TLS clients post progress for 30 s (needs wrk: apt-get install wrk)
"""
import argparse
import json
import os
import shutil
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../harness")
from cluster import GROUP, HERE as HARNESS, Cluster, isolate  # noqa: E402
from kube import ok, wait  # noqa: E402
from processes import cpu_seconds, memory_mb  # noqa: E402

NAMESPACE = "bench"
# What a profile writes into the configuration file; default leaves the client limits to the controller.
PROFILES = {"default": {"concurrency": 5},
            "raised": {"client": (1000, 2000), "status": (1000, 2000), "concurrency": 16}}
CONTAINER = {"name": "node", "image": "registry.example/app:1", "command": ["java", "-jar", "/opt/app.jar"]}
RESOURCES = {"requests": {"cpu": "1", "memory": "1Gi"}}
ANCESTOR = {"labels": {f"{GROUP}/trainjob-ancestor-step": "trainer"}}
RUNTIME = {"apiVersion": f"{GROUP}/v1alpha1", "kind": "ClusterTrainingRuntime", "metadata": {"name": "bench-plain"}, "spec": {
    "mlPolicy": {"numNodes": 1}, "template": {"spec": {"replicatedJobs": [{"name": "node", "template": {
        "metadata": ANCESTOR, "spec": {"template": {"spec": {"containers": [CONTAINER]}}}}}]}}}}


def main():
    options = parse()
    isolate()
    start = time.time()
    runs = MEASUREMENTS[options.what](options)
    figures = [key for key, value in runs[0].items() if isinstance(value, (int, float))]
    result = {"what": options.what, "profile": options.profile, "with_jobset": options.with_jobset, "command": options.controller_cmd,
              "took_s": round(time.time() - start), "median": {key: statistics.median(run[key] for run in runs) for key in figures}, "runs": runs}
    print(json.dumps(result, indent=1))
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
            file.write("\n")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=list(MEASUREMENTS))
    parser.add_argument("--controller-cmd", default="", help="command line; {config} and {kubeconfig} are replaced; not for floor")
    parser.add_argument("--profile", choices=sorted(PROFILES), default="default")
    parser.add_argument("--rbac", default=f"{HARNESS}/role.yaml", help="the controller's rights")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--count", type=int, default=500, help="TrainJobs (jobs, floor)")
    parser.add_argument("--clients", type=int, default=8, help="that create them")
    parser.add_argument("--connections", type=int, default=16, help="clients that post (status)")
    parser.add_argument("--targets", type=int, default=16, help="TrainJobs that they post for")
    parser.add_argument("--seconds", type=int, default=30, help="how long they post")
    parser.add_argument("--with-jobset", action="store_true", help="jobs: with JobSet's controller, its Jobs and pods")
    parser.add_argument("--out", help="file for the result")
    options = parser.parse_args()
    if options.what != "floor" and not options.controller_cmd:
        parser.error("--controller-cmd says what to measure")
    if options.what == "status" and not shutil.which("wrk"):
        parser.error("wrk is needed (Debian: apt-get install wrk)")
    return options


class Stage:
    """A control plane with the runtime and the namespace of the TrainJobs."""

    def __init__(self, options, jobset=False):
        self.options, self.jobset = options, jobset

    def __enter__(self):
        self.work = tempfile.mkdtemp(prefix="bench-")
        self.cluster = Cluster(self.work)
        try:
            self.cluster.up(jobset=self.jobset)
            self.cluster.prepare_controller(self.options.rbac)
            self.cluster.namespace(NAMESPACE)
            self.kube = self.cluster.kube
            wait("the namespace's account", lambda: self.kube.get("ServiceAccount", NAMESPACE, "default")[0] == 200)
            ok(self.kube.create(RUNTIME))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.cluster.down()
        shutil.rmtree(self.work, ignore_errors=True)

    def start(self):
        self.cluster.start_controller(self.options.controller_cmd, self.cluster.write_config(**PROFILES[self.options.profile]))
        return self.cluster.controller.pid

    def start_and_warm_up(self):
        pid = self.start()
        self.cluster.await_controller()
        self.cluster.install_webhooks()
        wait("the webhooks", lambda: self.create("warm-up")[0] in (201, 409))
        wait("the first JobSet", lambda: self.has_jobset("warm-up"))
        time.sleep(3)
        return pid

    def create(self, name):
        return self.kube.create(trainjob(name), NAMESPACE)

    def has_jobset(self, name):
        return self.kube.get("JobSet", NAMESPACE, name)[0] == 200

    def writes(self):
        """The API server's own count of writes of the objects that count here."""
        _, body, _ = self.kube.request("GET", "/metrics", raw=True)
        lines = [line for line in body.decode().splitlines() if line.startswith("apiserver_request_total{")]
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines
                   if any(f'verb="{verb}"' in line for verb in ("APPLY", "PATCH", "POST", "PUT"))
                   and any(f'resource="{kind}"' in line for kind in ("jobsets", "trainjobs", "configmaps", "secrets")))


def trainjob(name):
    return {"apiVersion": f"{GROUP}/v1alpha1", "kind": "TrainJob", "metadata": {"name": name}, "spec": {
        "runtimeRef": {"name": "bench-plain"},
        "trainer": {"numNodes": 2, "env": [{"name": "A", "value": "1"}], "resourcesPerNode": RESOURCES}}}


# --- startup


def startup(options):
    with Stage(options) as stage:
        return [start_once(stage, f"wait-{i}") for i in range(options.repeat)]


def start_once(stage, name):
    ok(stage.create(name))
    start = time.time()
    pid = stage.start()
    ready = first = None
    while ready is None or first is None:
        stage.cluster.require_controller()
        if ready is None and is_ready():
            ready = time.time() - start
        if first is None and stage.has_jobset(name):
            first = time.time() - start
        if time.time() - start > 120:
            sys.exit(f"bench: not ready or no JobSet after 120 s\n{stage.cluster.log_tail()}")
        time.sleep(0.004)
    time.sleep(2)
    result = {"ready_s": round(ready, 3), "first_jobset_s": round(first, 3), "cpu_s_after_2s": round(cpu_seconds(pid), 2), **memory_mb(pid)}
    stage.cluster.stop_controller()
    return result


def is_ready():
    """/readyz by hand, since a client library would take longer than the answer."""
    try:
        with socket.create_connection(("127.0.0.1", 8081), timeout=1) as connection:
            connection.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return connection.recv(64).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


# --- jobs


def jobs_once(options):
    with Stage(options, jobset=options.with_jobset) as stage:
        pid = stage.start_and_warm_up()
        idle, cpu, writes = memory_mb(pid), cpu_seconds(pid), stage.writes()
        errors, start = [], time.time()
        clients = [threading.Thread(target=create_share, args=(stage, options, k, errors)) for k in range(options.clients)]
        for client in clients:
            client.start()
        half = created = None
        while True:
            jobsets = stage.kube.count("JobSet", NAMESPACE) - 1
            if half is None and jobsets >= options.count // 2:
                half = time.time() - start
            if created is None and not any(client.is_alive() for client in clients):
                created = time.time() - start
            if created is not None and jobsets >= options.count - len(errors):
                break
            if time.time() - start > 300:
                sys.exit(f"bench: only {jobsets} JobSets after 300 s; refused: {errors[:3]}")
            time.sleep(0.05)
        last = time.time() - start
        settled = settle(stage, start)
        return {"count": options.count, "clients": options.clients, "errors": len(errors), "create_acks_s": round(created, 2),
                "half_jobsets_s": round(half, 2), "all_jobsets_s": round(last, 2), "settled_s": round(settled, 2),
                "writes_per_trainjob": round((stage.writes() - writes) / options.count, 2), "cpu_s": round(cpu_seconds(pid) - cpu, 2),
                "idle_rss_mb": idle["rss_mb"], **memory_mb(pid), "controller_metrics": controller_metrics()}


def create_share(stage, options, k, errors):
    for i in range(k, options.count, options.clients):
        code, body, _ = stage.create(f"job-{i}")
        if code != 201:
            errors.append((code, body.get("message")))


def settle(stage, start):
    """When the last write came, seen from two quiet seconds."""
    seen, last = None, time.time()
    while time.time() - last < 2 and time.time() - start < 400:
        writes = stage.writes()
        if writes != seen:
            seen, last = writes, time.time()
        time.sleep(0.2)
    return last - start


def controller_metrics():
    """Series about TrainJobs and API requests, for people to read; their names differ between controllers."""
    try:
        # A certificate of the harness; what is read here is not secret.
        tls = ssl._create_unverified_context()  # pylint: disable=protected-access
        with urllib.request.urlopen("https://127.0.0.1:8443/metrics", context=tls, timeout=3) as answer:
            lines = answer.read().decode().splitlines()
    except OSError as e:
        return {"error": str(e)}
    series = [line.rsplit(" ", 1) for line in lines if not line.startswith("#") and ("trainjob" in line or "requests_total" in line)]
    return {name: float(value) for name, value in series if "_bucket" not in name and float(value)}


# --- floor


def floor_once(options):
    with Stage(options) as stage:
        snapshot = json.dumps(stage.kube.get("ClusterTrainingRuntime", None, "bench-plain")[1], indent=1)
        with open(f"{stage.work}/serving/ca.crt", encoding="utf-8") as file:
            ca = file.read()
        start = time.time()
        # Processes, since Python's threads would be slower than the API server.
        clients = [fork(lambda k=k: floor_share(stage, options, k, snapshot, ca)) for k in range(options.clients)]
        failed = [pid for pid in clients if os.waitpid(pid, 0)[1] != 0]
        took = time.time() - start
        jobsets = stage.kube.count("JobSet", NAMESPACE)
        if failed or jobsets != options.count:
            sys.exit(f"bench: {jobsets} JobSets, {len(failed)} clients failed")
        return {"count": options.count, "clients": options.clients, "floor_s": round(took, 2)}


def fork(work):
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return pid


def floor_share(stage, options, k, snapshot, ca):
    kube = stage.cluster.client()
    for i in range(k, options.count, options.clients):
        name = f"job-{i}"
        created = ok(kube.create(trainjob(name), NAMESPACE))
        owner = {"apiVersion": f"{GROUP}/v1alpha1", "kind": "TrainJob", "name": name, "uid": created["metadata"]["uid"],
                 "controller": True, "blockOwnerDeletion": True}
        for obj in helper_objects(name, snapshot, ca):
            obj["metadata"].update(namespace=NAMESPACE, ownerReferences=[owner])
            ok(kube.apply(obj, NAMESPACE, manager="trainer"))


def helper_objects(name, snapshot, ca):
    """What upstream makes of such a TrainJob, in its size."""
    variable = "KUBEFLOW_TRAINER_SERVER"
    url = f"https://x.svc:10443/apis/{GROUP}/v1alpha1/namespaces/{NAMESPACE}/trainjobs/{name}/status"
    env = [{"name": "A", "value": "1"}, {"name": f"{variable}_URL", "value": url},
           {"name": f"{variable}_CA_CERT", "value": "/var/run/secrets/kubeflow/trainer/ca.crt"},
           {"name": f"{variable}_TOKEN", "value": "/var/run/secrets/kubeflow/trainer/token"}]
    job = {"parallelism": 2, "completions": 2, "template": {"spec": {"containers": [{**CONTAINER, "env": env, "resources": RESOURCES}]}}}
    return [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"{name}-runtime-snapshot"}, "data": {"runtime": snapshot}},
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"{name}-tls-config"}, "data": {"ca.crt": ca}},
            {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": name}, "spec": {
                "suspend": False, "replicatedJobs": [{"name": "node", "replicas": 1, "template": {"metadata": ANCESTOR, "spec": job}}]}}]


# --- status


def status_once(options):
    with Stage(options) as stage:
        pid = stage.start_and_warm_up()
        api_server = stage.cluster.process("kube-apiserver")
        write_targets(stage, options, f"{stage.work}/targets")
        time.sleep(3)
        idle, cpu, api_cpu, writes = memory_mb(pid), cpu_seconds(pid), cpu_seconds(api_server), stage.writes()
        done = subprocess.run(["wrk", "-t", "2", "-c", str(options.connections), "-d", f"{options.seconds}s", "--timeout", "30s", "--latency",
                               "-s", f"{HERE}/post.lua", "https://127.0.0.1:10443"],
                              capture_output=True, text=True, check=False, env={**os.environ, "TARGETS": f"{stage.work}/targets"})
        line = next((line for line in done.stdout.splitlines() if line.startswith("RESULT ")), None)
        if not line:
            sys.exit(f"bench: wrk said\n{done.stdout}{done.stderr}")
        result = json.loads(line.removeprefix("RESULT "))
        return {"ok_per_s": round(result["ok"] / result["seconds"], 1), **result, "connections": options.connections, "targets": options.targets,
                "writes_per_s": round((stage.writes() - writes) / result["seconds"], 1), "cpu_s": round(cpu_seconds(pid) - cpu, 2),
                "apiserver_cpu_s": round(cpu_seconds(api_server) - api_cpu, 2), "idle_rss_mb": idle["rss_mb"], **memory_mb(pid),
                "controller_metrics": controller_metrics()}


def write_targets(stage, options, path):
    """TrainJobs and, for each, a token as its pods have one."""
    names = [f"job-{i}" for i in range(options.targets)]
    with open(path, "w", encoding="utf-8") as file:
        for name in names:
            ok(stage.create(name))
            resource = f"{GROUP}/v1alpha1/namespaces/{NAMESPACE}/trainjobs/{name}/status"
            file.write(f"/apis/{resource} {stage.kube.token(NAMESPACE, 'default', [resource])}\n")
    for name in names:
        wait(f"the JobSet of {name}", lambda name=name: stage.has_jobset(name), 120)


def repeated(measure):
    """Each run on a control plane of its own."""
    return lambda options: [measure(options) for _ in range(options.repeat)]


MEASUREMENTS = {"startup": startup, "jobs": repeated(jobs_once), "floor": repeated(floor_once), "status": repeated(status_once)}

if __name__ == "__main__":
    main()

"""How many reports a second the status server takes, with real tokens over TLS, and what that costs."""
import json
import os
import subprocess
import sys
import time

from cluster import GROUP
from kube import ok, wait
from processes import cpu_seconds, memory_mb
from stage import NAMESPACE, Stage

HERE = os.path.dirname(os.path.abspath(__file__))
PAIRED = False
UNITS = {"answers of 200": "/s", "99th percentile": "ms", "API writes": "/s", "CPU": "s", "CPU of the API server": "s", "highest memory": "MB"}


def title(options):
    return f"Reports by {options.connections} clients for {options.targets} TrainJobs, {options.seconds} s"


def runs(options, cases):
    for _ in range(options.repeat):
        for case in cases:
            yield case, status_once(options, case)


def status_once(options, case):
    with Stage(options.rbac) as stage:
        pid = stage.start_and_warm_up(case)
        api_server = stage.cluster.process("kube-apiserver")
        targets = f"{stage.work}/targets"
        write_targets(stage, options, targets)
        time.sleep(3)
        cpu, api_cpu, writes = cpu_seconds(pid), cpu_seconds(api_server), stage.writes()
        result = post(options, targets)
        return {"answers of 200": round(result["ok"] / result["seconds"], 1), "99th percentile": result["p99_ms"],
                "API writes": round((stage.writes() - writes) / result["seconds"], 1), "CPU": round(cpu_seconds(pid) - cpu, 2),
                "CPU of the API server": round(cpu_seconds(api_server) - api_cpu, 2), "highest memory": memory_mb(pid)["peak"]}


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


def post(options, targets):
    done = subprocess.run(["wrk", "-t", "2", "-c", str(options.connections), "-d", f"{options.seconds}s", "--timeout", "30s", "--latency",
                           "-s", f"{HERE}/post.lua", "https://127.0.0.1:10443"],
                          capture_output=True, text=True, check=False, env={**os.environ, "TARGETS": targets})
    line = next((line for line in done.stdout.splitlines() if line.startswith("RESULT ")), None)
    if not line:
        sys.exit(f"bench: wrk said\n{done.stdout}{done.stderr}")
    result = json.loads(line.removeprefix("RESULT "))
    problems = {key: value for key, value in result.items() if value and not key.endswith("_ms") and key not in ("ok", "seconds")}
    if problems:
        sys.exit(f"bench: not every report was taken: {problems}")
    return result

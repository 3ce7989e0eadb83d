"""How long a controller takes from exec until it is ready, and until the JobSet of a TrainJob that was waiting."""
import socket
import sys
import time

from kube import ok
from processes import cpu_seconds
from stage import Stage

PAIRED = True
UNITS = {"ready": "s", "first JobSet": "s", "CPU until ready": "s"}
LIMIT_S = 120


def title(_):
    return "Start of the controller, from exec"


def runs(options, cases):
    with Stage(options.rbac) as stage:
        for i in range(options.repeat):
            for k, case in enumerate(cases):
                yield case, start_once(stage, case, f"wait-{i}-{k}")


def start_once(stage, case, trainjob):
    ok(stage.create(trainjob))
    start = time.monotonic()
    pid = stage.start(case)
    ready = first = cpu = None
    while ready is None or first is None:
        stage.cluster.require_controller()
        if ready is None and is_ready():
            ready, cpu = time.monotonic() - start, cpu_seconds(pid)
        if first is None and stage.has_jobset(trainjob):
            first = time.monotonic() - start
        if time.monotonic() - start > LIMIT_S:
            sys.exit(f"bench: not ready or no JobSet after {LIMIT_S} s\n{stage.cluster.log_tail()}")
        time.sleep(0.004)
    stage.cluster.stop_controller()
    return {"ready": round(ready, 3), "first JobSet": round(first, 3), "CPU until ready": round(cpu, 2)}


def is_ready():
    """/readyz by hand, since a client library would take longer than the answer."""
    try:
        with socket.create_connection(("127.0.0.1", 8081), timeout=1) as connection:
            connection.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return connection.recv(64).startswith(b"HTTP/1.1 200")
    except OSError:
        return False

"""What of a controller is resident when nothing is to do, and with many TrainJobs."""
import time

from processes import memory_mb
from stage import Clients, Stage, create_share

PAIRED = False
UNITS = {"idle": "MB", "with TrainJobs": "MB", "highest": "MB"}


def title(options):
    return f"Resident memory of the controller, idle and with {options.count:,} TrainJobs"


def runs(options, cases):
    for _ in range(options.repeat):
        for case in cases:
            yield case, memory_once(options, case)


def memory_once(options, case):
    with Stage(options.rbac) as stage:
        pid = stage.start(case)
        stage.cluster.await_controller()
        time.sleep(10)
        idle = memory_mb(pid)["now"]
        stage.open_to_users()
        clients = Clients(options.clients, lambda k: create_share(stage, k, options))
        stage.await_jobsets(options.count, clients)
        stage.settle()
        time.sleep(10)
        after = memory_mb(pid)
        return {"idle": idle, "with TrainJobs": after["now"], "highest": after["peak"]}

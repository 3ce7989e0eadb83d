"""How fast many new TrainJobs become JobSets, beside plain clients that make the same writes without any controller."""
import json
import statistics
import time

from cluster import GROUP
from kube import ok
from processes import cpu_seconds
from stage import ANCESTOR, CONTAINER, NAMESPACE, RESOURCES, Clients, Stage, create_share, timed_create

PAIRED = True
UNITS = {"last JobSet": "s", "a user's create": "ms", "writes per TrainJob": "", "reads per TrainJob": "", "CPU": "s"}


def title(options):
    jobset = ", with JobSet's controller, its Jobs and pods" if options.with_jobset else ""
    return f"{options.count} TrainJobs by {options.clients} clients until the last JobSet{jobset}"


def runs(options, cases):
    for _ in range(options.repeat):
        for case in cases:
            yield case, controller_once(options, case) if case.command else floor_once(options)


def controller_once(options, case):
    with Stage(options.rbac, jobset=options.with_jobset) as stage:
        pid = stage.start_and_warm_up(case)
        cpu, reads, writes = cpu_seconds(pid), stage.reads(), stage.writes()
        start = time.monotonic()
        clients = Clients(options.clients, lambda k: create_share(stage, k, options))
        stage.await_jobsets(options.count, clients)
        last = time.monotonic() - start
        stage.settle()
        return {**common(last, clients.results()), "writes per TrainJob": round((stage.writes() - writes) / options.count, 2),
                "reads per TrainJob": round((stage.reads() - reads) / options.count, 2), "CPU": round(cpu_seconds(pid) - cpu, 2)}


def common(last, creates):
    return {"last JobSet": round(last, 2), "a user's create": round(1000 * statistics.mean(creates), 1)}


# --- the floor: no controller that makes these writes can be faster


def floor_once(options):
    with Stage(options.rbac, jobset=options.with_jobset) as stage:
        snapshot = json.dumps(stage.kube.get("ClusterTrainingRuntime", None, "bench-plain")[1], indent=1)
        with open(f"{stage.work}/serving/ca.crt", encoding="utf-8") as file:
            ca = file.read()
        start = time.monotonic()
        clients = Clients(options.clients, lambda k: floor_share(stage, k, options, snapshot, ca))
        creates = clients.results()
        return common(time.monotonic() - start, creates)


def floor_share(stage, k, options, snapshot, ca):
    kube, times = stage.cluster.client(), []
    for i in range(k, options.count, options.clients):
        name = f"job-{i}"
        took, created = timed_create(kube, name)
        times.append(took)
        owner = {"apiVersion": f"{GROUP}/v1alpha1", "kind": "TrainJob", "name": name, "uid": created["metadata"]["uid"],
                 "controller": True, "blockOwnerDeletion": True}
        for obj in objects(name, snapshot, ca):
            obj["metadata"].update(namespace=NAMESPACE, ownerReferences=[owner])
            ok(kube.apply(obj, NAMESPACE, manager="trainer"))
    return times


def objects(name, snapshot, ca):
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

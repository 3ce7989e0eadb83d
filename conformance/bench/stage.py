"""Where controllers are measured: a control plane with a runtime, and the users who create TrainJobs."""
import multiprocessing
import shutil
import sys
import tempfile
import time

from cluster import GROUP, Cluster
from kube import ok, wait

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
COUNTED = ("jobsets", "trainjobs", "configmaps", "secrets")
LIMIT_S = 300


class Stage:
    """A control plane with the runtime and the namespace of the TrainJobs; everything is gone at its end."""

    def __init__(self, rbac, jobset=False):
        self.rbac, self.jobset = rbac, jobset

    def __enter__(self):
        self.work = tempfile.mkdtemp(prefix="bench-")
        self.cluster = Cluster(self.work)
        try:
            self.cluster.up(jobset=self.jobset)
            self.cluster.prepare_controller(self.rbac)
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

    def start(self, case):
        """Starts a controller and returns its process id at once."""
        self.cluster.start_controller(case.command, self.cluster.write_config(**PROFILES[case.profile]))
        return self.cluster.controller.pid

    def start_and_warm_up(self, case):
        pid = self.start(case)
        self.cluster.await_controller()
        self.open_to_users()
        time.sleep(3)
        return pid

    def open_to_users(self):
        """Puts the controller's webhooks before the users' requests, and sees a first TrainJob through."""
        self.cluster.install_webhooks()
        wait("the webhooks", lambda: self.create("warm-up")[0] in (201, 409))
        wait("the first JobSet", lambda: self.has_jobset("warm-up"))

    def create(self, name):
        return self.kube.create(trainjob(name), NAMESPACE)

    def has_jobset(self, name):
        return self.kube.get("JobSet", NAMESPACE, name)[0] == 200

    def await_jobsets(self, count, clients):
        """Waits until there is a JobSet for each TrainJob of the clients, beside that of the warm-up."""
        end = time.monotonic() + LIMIT_S
        while (jobsets := self.kube.count("JobSet", NAMESPACE) - 1) < count:
            clients.require_success()
            self.cluster.require_controller()
            if time.monotonic() > end:
                sys.exit(f"bench: only {jobsets} JobSets after {LIMIT_S} s\n{self.cluster.log_tail()}")
            time.sleep(0.05)

    def settle(self):
        """Waits for two seconds without a write."""
        end, seen, last = time.monotonic() + LIMIT_S, None, time.monotonic()
        while time.monotonic() < min(last + 2, end):
            writes = self.writes()
            if writes != seen:
                seen, last = writes, time.monotonic()
            time.sleep(0.2)

    def writes(self):
        """The API server's own count of writes of the objects that count here, by whomever."""
        return self.requests("APPLY", "PATCH", "POST", "PUT", "DELETE")

    def reads(self):
        """The same of reads of single objects."""
        return self.requests("GET")

    def requests(self, *verbs):
        _, body, _ = self.kube.request("GET", "/metrics", raw=True)
        lines = [line for line in body.decode().splitlines() if line.startswith("apiserver_request_total{")]
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines
                   if any(f'verb="{verb}"' in line for verb in verbs)
                   and any(f'resource="{kind}"' in line for kind in COUNTED))


def trainjob(name):
    return {"apiVersion": f"{GROUP}/v1alpha1", "kind": "TrainJob", "metadata": {"name": name}, "spec": {
        "runtimeRef": {"name": "bench-plain"},
        "trainer": {"numNodes": 2, "env": [{"name": "A", "value": "1"}], "resourcesPerNode": RESOURCES}}}


class Clients:
    """Users at work: processes, since Python's threads would be slower than the API server."""

    FORK = multiprocessing.get_context("fork")

    def __init__(self, number, share):
        """Starts all at once; share(k) is what the k-th does, and returns a list."""
        self.processes, self.answers = [], []
        for k in range(number):
            ours, theirs = self.FORK.Pipe(duplex=False)
            process = self.FORK.Process(target=lambda k=k, theirs=theirs: theirs.send(share(k)))
            process.start()
            theirs.close()
            self.processes.append(process)
            self.answers.append(ours)

    def require_success(self):
        if any(process.exitcode for process in self.processes):
            sys.exit("bench: a client failed, see above")

    def results(self):
        """Waits for all, and returns what they returned as one list."""
        try:
            return [each for answer in self.answers for each in answer.recv()]
        except EOFError:
            sys.exit("bench: a client failed, see above")


def create_share(stage, k, options):
    """Creates every n-th TrainJob, and returns how long each took, in seconds."""
    kube = stage.cluster.client()
    return [timed_create(kube, f"job-{i}")[0] for i in range(k, options.count, options.clients)]


def timed_create(kube, name):
    start = time.monotonic()
    created = ok(kube.create(trainjob(name), NAMESPACE))
    return time.monotonic() - start, created

"""Proves that controllers have done what came before."""
import sys
import time
import uuid

from cluster import GROUP
from kube import ok

NAMESPACE = "golden-fence"
LIMIT_S = 30


class Fence:
    """
    A new TrainJob, in a namespace of its own: when it has its pod, controllers with one queue, of TrainJobs, JobSets and Jobs, have
    served all that came before it.
    """

    def __init__(self, kube):
        self.kube = kube

    def prepare(self):
        container = {"name": "node", "image": "x"}
        ok(self.kube.create({
            "apiVersion": f"{GROUP}/v1alpha1", "kind": "TrainingRuntime", "metadata": {"name": "fence"}, "spec": {"template": {"spec": {
                "replicatedJobs": [{"name": "node", "template": {"spec": {"template": {"spec": {"containers": [container]}}}}}]}}}}, NAMESPACE))

    def wait(self, who, deleted=False):
        """After deletions it also loses its JobSet again, so the garbage collector has come by."""
        name = "f" + uuid.uuid4().hex[:12]
        ok(self.kube.create({"apiVersion": f"{GROUP}/v1alpha1", "kind": "TrainJob", "metadata": {"name": name}, "spec": {
            "runtimeRef": {"name": "fence", "kind": "TrainingRuntime"}}}, NAMESPACE))
        self.until(lambda: self.kube.list("Pod", NAMESPACE, {"labelSelector": f"jobset.sigs.k8s.io/jobset-name={name}"}),
                   f"{who}: fence {name} got no pod")
        self.kube.delete("TrainJob", NAMESPACE, name)
        if deleted:
            self.until(lambda: self.kube.get("JobSet", NAMESPACE, name)[0] == 404, f"{who}: fence {name} did not lose its JobSet")

    @staticmethod
    def until(condition, otherwise):
        end = time.monotonic() + LIMIT_S
        while not condition():
            if time.monotonic() > end:
                print(f"{otherwise} in {LIMIT_S} s", file=sys.stderr)
                return
            time.sleep(0.1)

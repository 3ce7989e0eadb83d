"""When something last changed in each namespace. Told by watches: asking again and again would keep the machine busier than the cases."""
import http.client
import threading
import time


class Activity:
    """Knows of each change as soon as the API server tells it; after a gap everything counts as changed."""

    def __init__(self, kube, kinds):
        self.kube, self.kinds = kube, kinds
        self.lock = threading.Lock()
        self.changes, self.since = {}, time.monotonic()

    def start(self):
        for kind in self.kinds:
            threading.Thread(target=self.follow, args=(kind,), daemon=True).start()

    def last_change(self, namespace):
        """By time.monotonic()."""
        with self.lock:
            return max(self.since, self.changes.get(namespace, 0))

    def follow(self, kind):
        version = None
        while True:
            try:
                version = version or self.begin(kind)
                for event in self.kube.watch(kind, version):
                    if event["type"] == "ERROR":
                        raise ValueError(event["object"].get("message"))
                    metadata = event["object"]["metadata"]
                    version = metadata["resourceVersion"]
                    if event["type"] != "BOOKMARK":
                        with self.lock:
                            self.changes[metadata.get("namespace")] = time.monotonic()
            except (http.client.HTTPException, OSError, RuntimeError, ValueError, KeyError):
                version = None
                time.sleep(0.2)

    def begin(self, kind):
        version = self.kube.list_version(kind)
        with self.lock:
            self.since = time.monotonic()
        return version

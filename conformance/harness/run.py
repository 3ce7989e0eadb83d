#!/usr/bin/env python3
"""Runs cases against a controller and writes what it did, for compare.py. ../README.md tells what the controller finds.

run.py --controller-cmd 'controller --config {config}' --cases 'torch-*,!torchtune-*' --out /tmp/out
"""
import argparse
import os
import shutil
import sys
import tempfile
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

from activity import Activity
from cases import WATCHED, Case, is_timed, steps
from choice import chosen
from cluster import CONFORMANCE, HERE, Cluster, isolate
from fence import NAMESPACE as FENCE_NAMESPACE
from fence import Fence
from kube import wait


def main():
    options = parse()
    names = chosen(options.inputs, options.cases)
    if not names:
        sys.exit(f"conformance: no case in {options.inputs} is called {options.cases}")
    isolate()
    os.makedirs(options.out, exist_ok=True)
    work = tempfile.mkdtemp(prefix="conformance-")
    cluster = Cluster(work, options.crds)
    start, failed = time.time(), names
    try:
        cluster.up()
        cluster.prepare_controller(options.rbac)
        cluster.start_controller(options.controller_cmd, cluster.write_config(not options.no_gate, client=(1000, 2000), status=(1000, 2000)))
        cluster.await_controller()
        say(f"control plane and controller are up after {time.time() - start:.1f} s")
        if not options.no_webhooks:
            cluster.install_webhooks()
        prepare_namespaces(cluster, names)
        failed = run_all(cluster, names, options)
        say(f"{len(names)} cases in {time.time() - start:.0f} s, harness errors in {failed or 'none'}")
    finally:
        cluster.down(options.keep_logs)
        shutil.rmtree(work, ignore_errors=True)
    return 1 if failed else 0


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--controller-cmd", required=True, help="command line; {config} and {kubeconfig} are replaced")
    parser.add_argument("--out", required=True, help="folder for the results")
    parser.add_argument("--cases", default="*", help="comma list of names or globs; !GLOB leaves cases out")
    parser.add_argument("--inputs", default=f"{CONFORMANCE}/inputs")
    parser.add_argument("--rbac", default=f"{HERE}/role.yaml", help="the controller's rights: a file with one ClusterRole, or admin")
    parser.add_argument("--crds", help="folder with other CRDs of the Trainer (default: the project's; ../crds has upstream's)")
    parser.add_argument("--no-webhooks", action="store_true", help="the controller's webhooks are not installed")
    parser.add_argument("--no-gate", action="store_true", help="feature gate TrainJobStatus off")
    parser.add_argument("--parallel", type=int, default=16, help="cases at a time; they wait, mostly")
    parser.add_argument("--tell-shared", metavar="FILE", help="made once the machine need not be this run's alone any more")
    parser.add_argument("--keep-logs", help="folder for the logs of all processes")
    return parser.parse_args()


def prepare_namespaces(cluster, names):
    for name in names + [FENCE_NAMESPACE]:
        cluster.namespace(name)
    for name in names + [FENCE_NAMESPACE]:
        wait(f"{name}'s account", lambda name=name: cluster.kube.get("ServiceAccount", name, "default")[0] == 200)
    # The controller's informers and the API server's webhooks need a moment, too.
    time.sleep(1.5)


def run_all(cluster, names, options):
    """The names of the cases in which the harness itself failed."""
    failed = []
    activity, fence = Activity(cluster.client(), WATCHED), Fence(cluster.kube)
    activity.start()
    fence.prepare()
    fence.wait("the start")

    def run(name, alone=None):
        try:
            Case(name, cluster, activity, fence, options.inputs, options.out).run(alone)
        except Exception:  # pylint: disable=broad-except
            failed.append(name)
            say(f"{name}: {traceback.format_exc()}")
        finally:
            if alone:
                alone.set()

    # Those in which time counts before all others, then long ones first.
    timed = [name for name in names if is_timed(f"{options.inputs}/{name}")]
    others = sorted(set(names) - set(timed), key=lambda name: (-len(steps(f"{options.inputs}/{name}")), name))
    with ThreadPoolExecutor(options.parallel) as executor:
        for name in timed:
            alone = threading.Event()
            executor.submit(run, name, alone)
            alone.wait()
        if options.tell_shared:
            with open(options.tell_shared, "w", encoding="utf-8"):
                pass
        list(executor.map(run, others))
    return failed


def say(text):
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Measures Trainer controllers on a throw-away control plane. Absolute figures mean little: compare runs of the same hour.

bench.py start     exec until /readyz, and until the JobSet of a TrainJob that was waiting
bench.py jobs      500 TrainJobs by 8 clients until the last JobSet; first of all the floor: the same writes by plain clients
bench.py status    16 keep-alive TLS clients post progress for 30 s (needs wrk: apt-get install wrk)
bench.py memory    resident when idle and with 2,000 TrainJobs

Every controller is measured with every profile, in turn, so that a disturbance of the machine meets all.
"""
import argparse
import os
import shlex
import shutil
import sys
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../harness")
import jobs  # noqa: E402
import memory  # noqa: E402
import start  # noqa: E402
import status  # noqa: E402
from cluster import HERE as HARNESS, isolate  # noqa: E402
from results import write  # noqa: E402
from stage import PROFILES  # noqa: E402

MEASUREMENTS = {"start": start, "jobs": jobs, "status": status, "memory": memory}


class Case(NamedTuple):
    """What is measured: a row of the table. Without a command it is the floor."""
    name: str
    command: str
    profile: str


def main():
    options = parse()
    isolate()
    measurement = MEASUREMENTS[options.what]
    cases = cases_of(options)
    runs = {case.name: [] for case in cases}
    for case, figures in measurement.runs(options, cases):
        runs[case.name].append(figures)
        told = ", ".join(f"{figure} {value} {measurement.UNITS[figure]}" for figure, value in figures.items())
        print(f"{case.name}: {told}", flush=True)
    if options.out:
        write(options.out, measurement.title(options), options.command, measurement.UNITS, measurement.PAIRED, runs)


def cases_of(options):
    cases = [Case("no controller", "", "")] if options.what == "jobs" else []
    for name, command in options.controller:
        for profile in options.profile:
            cases.append(Case(f"{name}, {profile} limits" if len(options.profile) > 1 else name, command, profile))
    return cases


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=list(MEASUREMENTS))
    parser.add_argument("--controller", nargs=2, action="append", default=[], metavar=("NAME", "COMMAND"),
                        help="a controller to measure; {config} and {kubeconfig} in its command line are replaced")
    parser.add_argument("--profile", action="append", choices=sorted(PROFILES), help="limits in the configuration (default: default)")
    parser.add_argument("--rbac", default=f"{HARNESS}/role.yaml", help="the controllers' rights")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each case")
    parser.add_argument("--count", type=int, help="TrainJobs (jobs: 500, memory: 2000)")
    parser.add_argument("--clients", type=int, default=8, help="that create them")
    parser.add_argument("--connections", type=int, default=16, help="clients that post (status)")
    parser.add_argument("--targets", type=int, default=16, help="TrainJobs that they post for (status)")
    parser.add_argument("--seconds", type=int, default=30, help="how long they post (status)")
    parser.add_argument("--with-jobset", action="store_true", help="jobs: with JobSet's controller, its Jobs and pods")
    parser.add_argument("--out", metavar="FILE", help="result file, as those of benchmarks/results")
    parser.add_argument("--command", default=shlex.join(["conformance/bench/bench.py", *sys.argv[1:]]),
                        help="what the result file says makes it again")
    options = parser.parse_args()
    options.profile = options.profile or ["default"]
    options.count = options.count or {"memory": 2000}.get(options.what, 500)
    if options.what != "jobs" and not options.controller:
        parser.error("--controller NAME COMMAND says what to measure")
    if options.what == "status" and not shutil.which("wrk"):
        parser.error("wrk is needed (Debian: apt-get install wrk)")
    return options


if __name__ == "__main__":
    main()

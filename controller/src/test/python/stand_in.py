"""How these programs talk to the Java side, which plays the kubelet: a line out, a line of JSON in."""

import json
import os
import socket
import sys
from urllib.parse import urlparse


def ask(what, train_job):
    """Asks for something to happen to a TrainJob's pods, or for what is stored of it."""
    print(f"kubelet: {what} {train_job}", flush=True)
    answer = sys.stdin.readline()
    if not answer:
        raise EOFError("nobody plays the kubelet")
    return json.loads(answer)


def become(train_job):
    """Goes on as the program of the TrainJob's first pod: with its variables and files, and its cluster's names."""
    os.environ.update(ask("start", train_job))
    host = urlparse(os.environ["KUBEFLOW_TRAINER_SERVER_URL"]).hostname
    resolve = socket.getaddrinfo

    def resolve_here(name, *more, **named):
        return resolve("127.0.0.1" if name == host else name, *more, **named)

    socket.getaddrinfo = resolve_here


def metrics(status):
    return {metric["name"]: metric["value"] for metric in status["metrics"]}

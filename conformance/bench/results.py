"""Result files, as the tables of the documentation are made from: where, when, by which command, and every raw sample."""
import datetime
import json
import os
import platform
import re
import subprocess


def write(path, title, command, units, paired, runs):
    """
    Writes a file.

    units -- of each figure, in the order of the table's columns
    paired -- whether the first case is what the others are compared with, run i of one with run i of the other
    runs -- the figures of each run of each case
    """
    head = {"title": title, "commit": output("git", "rev-parse", "--short=12", "HEAD").strip() or "unknown", "jdk": jdk(), "machine": machine(),
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(), "command": command, "statistic": "MEDIAN", "paired": paired}
    series = [{"name": name, "figure": figure, "unit": unit, "samples": [float(run[figure]) for run in of_case]}
              for name, of_case in runs.items() for figure, unit in units.items() if figure in of_case[0]]
    text = json.dumps({**head, "series": "SERIES"}, indent=2)
    lines = ",\n".join("    " + json.dumps(each) for each in series)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace('"SERIES"', f"[\n{lines}\n  ]") + "\n")


def jdk():
    home = os.environ.get("JAVA_HOME")
    found = re.search(r'version "([^"]+)"', output(f"{home}/bin/java" if home else "java", "-version"))
    return found.group(1) if found else "none"


def machine():
    # As the JVM calls them.
    architecture = {"x86_64": "amd64"}.get(platform.machine(), platform.machine())
    return f"{len(os.sched_getaffinity(0))} processors, {platform.system()} {architecture}"


def output(*command):
    """What a command says, wherever it says it; nothing if it isn't there."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    except OSError:
        return ""

"""Memory and CPU time of a process and all its descendants: a controller's command may be a script."""
import os


def memory_mb(pid):
    """Resident now, and the sum of the processes' own peaks."""
    now = peak = 0
    for each in tree(pid):
        for line in lines(f"/proc/{each}/status"):
            if line.startswith("VmRSS:"):
                now += int(line.split()[1])
            elif line.startswith("VmHWM:"):
                peak += int(line.split()[1])
    return {"now": round(now / 1024, 1), "peak": round(peak / 1024, 1)}


def cpu_seconds(pid):
    """User and system time so far."""
    ticks = 0
    for each in tree(pid):
        for line in lines(f"/proc/{each}/stat"):
            ticks += sum(map(int, after_name(line)[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def tree(pid):
    children = {}
    for each in filter(str.isdigit, os.listdir("/proc")):
        for line in lines(f"/proc/{each}/stat"):
            children.setdefault(int(after_name(line)[1]), []).append(int(each))
    found = [pid]
    for parent in found:
        found += children.get(parent, [])
    return found


def after_name(stat):
    """The fields of /proc/PID/stat from the state on; the name before them may hold anything."""
    return stat.rsplit(")", 1)[1].split()


def lines(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.readlines()
    except OSError:  # It has ended meanwhile.
        return []

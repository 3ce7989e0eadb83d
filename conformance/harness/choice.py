"""Which cases a command line means."""
import fnmatch
import os


def chosen(folder, cases):
    """The names of the case folders that a comma list of names and globs means; !GLOB leaves cases out."""
    globs = cases.split(",")
    wanted = [glob for glob in globs if not glob.startswith("!")] or ["*"]
    unwanted = [glob[1:] for glob in globs if glob.startswith("!")]
    names = sorted(name for name in os.listdir(folder) if os.path.isdir(f"{folder}/{name}"))
    return [name for name in names if matches(name, wanted) and not matches(name, unwanted)]


def matches(name, globs):
    return any(fnmatch.fnmatch(name, glob) for glob in globs)

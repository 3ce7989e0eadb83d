#!/usr/bin/env python3
"""Compares folders of results, case by case.

compare.py EXPECTED OUT [EXPECTED OUT ...] --known ../known-differences.yaml --needed

Classes of differences:
  CODE     another HTTP code or reason of an answer
  MISSING  an object, event or file that only the expected side has
  EXTRA    one that only the other side has
  VALUE    another value, or another order where Kubernetes gives order a meaning (env, args, containers, jobs, conditions)
  TEXT     the same code and reason, other words (refusals, event notes, messages)
  ORDER    the same items in another order, where Kubernetes treats the list as a map or a set
  EMPTY    {}, [], "" or null against absent
The first four make the comparison fail (exit status 1); the others do so with --strict only.

An entry of the list of known differences fits a difference with its path and its values: `upstream` is what is expected, `waymark`
what is got (a whole object where it is EXTRA). Entries without values, as in ../not-compared.yaml, fit any.

With --needed it also fails for entries, of the list of known differences and of ../not-compared.yaml, that no such difference
needs any more; all variants have to be compared together then, since some are needed in one of them only.
"""
import argparse
import fnmatch
import json
import os
import re
import sys
from collections import Counter
from typing import NamedTuple

import yaml

from choice import chosen

HERE = os.path.dirname(os.path.abspath(__file__))
FAILING = ("CODE", "MISSING", "EXTRA", "VALUE")
# Lists that Kubernetes treats as maps, with their key, and as sets.
MAPS = {"volumes": "name", "volumeMounts": "mountPath", "ports": "containerPort", "imagePullSecrets": "name", "schedulingGates": "name",
        "jobsStatus": "name", "replicatedJobsStatus": "name", "ownerReferences": "uid", "resourceClaims": "name", "claims": "name"}
SETS = ("finalizers", "tolerations", "accessModes", "facts")
TEXTS = ("message", "note", "warnings", "sha256", "lines")
ABSENT = "<absent>"


class Difference(NamedTuple):
    kind: str
    path: str
    expected: object
    got: object


def main():
    options = parse()
    known, ignored = Entries(options.known), Entries(f"{HERE}/../not-compared.yaml")
    pairs = list(zip(options.folders[::2], options.folders[1::2]))
    totals, reports, seen = Counter(), [], []
    for expected, out in pairs:
        reports.append({})
        for case in chosen(expected, options.cases):
            known.cases.add(case)
            ignored.cases.add(case)
            unexpected = reports[-1][case] = []
            for difference in compare_case(f"{expected}/{case}", f"{out}/{case}", options.managers):
                fails = options.strict or difference.kind in FAILING
                if ignored.contain(case, difference, fails):
                    continue
                if known.contain(case, difference, fails):
                    totals["KNOWN"] += 1
                    seen.append({"case": case, "path": difference.path, "expected": difference.expected, "got": difference.got})
                    continue
                totals[difference.kind] += 1
                unexpected.append(difference)
        show(reports[-1], options.full)
    unneeded = known.unneeded() + ignored.unneeded() if options.needed else []
    for entry in unneeded:
        print(f"UNNEEDED {entry}")
    compared = [differences for report in reports for differences in report.values()]
    print(f"{len(compared)} cases, {sum(not d for d in compared)} without unexpected differences, {dict(totals)}", file=sys.stderr)
    if options.json:
        write_json(options.json, pairs, reports, seen, unneeded)
    failing = set(totals) - {"KNOWN"} if options.strict else set(totals) & set(FAILING)
    return 1 if failing or unneeded else 0


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="EXPECTED OUT", help="what should be, and what is")
    parser.add_argument("--cases", default="*", help="comma list of names or globs; !GLOB leaves cases out")
    parser.add_argument("--known", help="list of differences on purpose")
    parser.add_argument("--needed", action="store_true", help="fail for entries that nothing needs")
    parser.add_argument("--strict", action="store_true", help="TEXT, ORDER and EMPTY fail, too")
    parser.add_argument("--managers", action="store_true", help="also compare which fields were applied")
    parser.add_argument("--full", action="store_true", help="print whole values")
    parser.add_argument("--json", help="file for the differences as data")
    options = parser.parse_args()
    if len(options.folders) % 2:
        parser.error("folders come in pairs: EXPECTED OUT")
    return options


class Entries:
    """A list of differences that may be, and which of them there were."""

    def __init__(self, path):
        self.entries, self.needed, self.cases = [], set(), set()
        if path:
            with open(path, encoding="utf-8") as file:
                self.entries = yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader)) or []

    def contain(self, case, difference, fails):
        """Whether a difference is in the list; it needs its entry if the comparison would fail without it."""
        found = [i for i, entry in enumerate(self.entries) if fnmatch.fnmatchcase(case, entry.get("case", "*")) and
                 fnmatch.fnmatchcase(difference.path, entry["path"]) and
                 entry.get("upstream", difference.expected) == difference.expected and
                 entry.get("waymark", difference.got) == difference.got]
        if fails:
            self.needed.update(found)
        return bool(found)

    def unneeded(self):
        """Entries of cases that were compared; those that are left to chance need not come."""
        return [f"{entry.get('case', 'all cases')}, {entry['path']}: {cut(entry.get('waymark', '<any value>'))}"
                for i, entry in enumerate(self.entries)
                if i not in self.needed and not entry.get("chance") and ("case" not in entry or entry["case"] in self.cases)]


def write_json(path, pairs, reports, seen, unneeded):
    folders = [{"expected": expected, "cases": {case: [d._asdict() for d in differences] for case, differences in report.items()}}
               for (expected, _), report in zip(pairs, reports)]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"folders": folders, "known": seen, "unneeded": unneeded}, file, indent=1)


def show(report, full):
    for case, differences in report.items():
        if differences:
            print(f"== {case}")
        for kind, path, expected, got in differences:
            shown = as_json if full else cut
            print(f"  {kind} {path}\n     expected {shown(expected)}\n     got      {shown(got)}")


# --- a case


def compare_case(expected, out, with_managers=False):
    if not os.path.isdir(out):
        return [Difference("MISSING", "the result", "<a folder>", ABSENT)]
    comparison = Comparison()
    for file in sorted(os.listdir(expected)):
        if not file.endswith(".json") or (file.startswith("managers-") and not with_managers):
            continue
        if not os.path.exists(f"{out}/{file}"):
            comparison.add("MISSING", file, file, ABSENT)
            continue
        a, b = load(f"{expected}/{file}"), load(f"{out}/{file}")
        tag = file[:-len(".json")] + ":"
        if file.startswith("managers-"):
            comparison.managers(tag, a, b)
        elif file == "create.json":
            for section in ("objects", "trainjobs"):
                for key in both(a[section], b[section]):
                    comparison.answer(f"{tag} {section} {key}", a[section].get(key, {}), b[section].get(key, {}))
        else:
            comparison.state(tag, a, b)
    return comparison.differences


class Comparison:
    def __init__(self):
        self.differences = []

    def add(self, kind, path, expected, got):
        self.differences.append(Difference(kind, path, expected, got))

    def state(self, tag, a, b):
        for x, y in zip(a.get("steps", []), b.get("steps", [])):
            self.answer(f"{tag} answer to '{x['step'][:60]}'", x["answer"], y["answer"])
        old, new = a.get("objects", {}), b.get("objects", {})
        for key in both(old, new):
            if key not in new:
                self.add("MISSING", f"{tag} {key}", "<object>", ABSENT)
            elif key not in old:
                self.add("EXTRA", f"{tag} {key}", ABSENT, new[key])
            else:
                self.walk(f"{tag} {key}", old[key], new[key])
        self.walk(f"{tag} pods", a.get("pods", {}), b.get("pods", {}))
        self.events(f"{tag} events", a.get("events", []), b.get("events", []))

    def answer(self, path, a, b):
        if (a.get("code"), a.get("reason")) != (b.get("code"), b.get("reason")):
            self.add("CODE", path, a, b)
            return
        for key in both(a, b):
            x, y = a.get(key), b.get(key)
            if key in ("message", "details", "warnings"):
                if x != y:
                    self.add("ORDER" if key == "message" and same_parts(x, y) else "TEXT", f"{path} {key}", x, y)
            elif key == "body" and isinstance(x, dict) and "message" in x:
                y = y if isinstance(y, dict) else {}
                self.walk(f"{path} body", without(x, "message"), without(y, "message"))
                if x["message"] != y.get("message"):
                    self.add("TEXT", f"{path} body.message", x["message"], y.get("message"))
            elif key not in ("code", "reason"):
                self.walk(f"{path} {key}", x, y, key)

    def events(self, path, a, b):
        """As sets; the same event with another note is TEXT."""
        missing = [e for e in a if e not in b]
        extra = [e for e in b if e not in a]
        for event in list(missing):
            twin = next((e for e in extra if without(e, "note") == without(event, "note")), None)
            if twin:
                self.add("TEXT", f"{path}[{event['regarding']}].note", event.get("note"), twin.get("note"))
                missing.remove(event)
                extra.remove(twin)
        for event in missing:
            self.add("MISSING", f"{path}[{event.get('regarding')}]", event, ABSENT)
        for event in extra:
            self.add("EXTRA", f"{path}[{event.get('regarding')}]", ABSENT, event)

    def managers(self, tag, a, b):
        """Which fields were applied, by whom; who updated what in other ways says little."""
        for key in sorted(set(a) & set(b)):
            old, new = applied(a[key]), applied(b[key])
            for manager in sorted(set(old) | set(new), key=str):
                x, y = old.get(manager, set()), new.get(manager, set())
                if x != y:
                    self.add("VALUE", f"{tag} {key} applied by {manager[0]}", sorted(x - y), sorted(y - x))

    # --- values

    def walk(self, path, a, b, key=""):
        if a == b:
            return
        if is_empty(a) and is_empty(b):
            self.add("EMPTY", path, a, b)
        elif isinstance(a, dict) and isinstance(b, dict):
            self.walk_map(path, a, b)
        elif isinstance(a, list) and isinstance(b, list):
            self.walk_list(path, a, b, key)
        elif key in TEXTS:
            self.add("ORDER" if same_parts(a, b) else "TEXT", path, a, b)
        else:
            self.add("VALUE", path, a, b)

    def walk_map(self, path, a, b):
        for key in both(a, b):
            if key in a and key in b:
                self.walk(f"{path}.{key}", a[key], b[key], key)
            else:
                self.add("EMPTY" if is_empty(a.get(key, b.get(key))) else "VALUE", f"{path}.{key}", a.get(key, ABSENT), b.get(key, ABSENT))

    def walk_list(self, path, a, b, key):
        if key in SETS:
            missing, extra = [x for x in a if x not in b], [x for x in b if x not in a]
            self.add("VALUE" if missing or extra or len(a) != len(b) else "ORDER", path, missing or a, extra or b)
            return
        map_key = MAPS.get(key)
        if map_key and is_map(a, map_key) and is_map(b, map_key):
            self.walk_keyed(path, a, b, map_key)
            return
        if all(isinstance(x, dict) and "name" in x for x in a + b) and [x["name"] for x in a] != [x["name"] for x in b]:
            self.add("VALUE", path + " (names, in order)", [brief(x) for x in a], [brief(x) for x in b])
            self.walk_common(path, a, b)
        elif len(a) != len(b):
            self.add("VALUE", path, a, b)
        else:
            for i, (x, y) in enumerate(zip(a, b)):
                self.walk(f"{path}[{x.get('name', i) if isinstance(x, dict) else i}]", x, y)

    def walk_common(self, path, a, b):
        """Of names on both sides, the first of each with the first, and so on: another order must not hide another value."""
        for name in dict.fromkeys(x["name"] for x in a):
            for x, y in zip(*([item for item in items if item["name"] == name] for items in (a, b))):
                self.walk(f"{path}[{name}]", x, y)

    def walk_keyed(self, path, a, b, map_key):
        old, new = {x[map_key]: x for x in a}, {x[map_key]: x for x in b}
        if list(old) != list(new) and set(old) == set(new):
            self.add("ORDER", path, list(old), list(new))
        for key in list(old) + [key for key in new if key not in old]:
            if key in old and key in new:
                self.walk(f"{path}[{key}]", old[key], new[key])
            else:
                self.add("VALUE", f"{path}[{key}]", old.get(key, ABSENT), new.get(key, ABSENT))


def both(a, b):
    return sorted(set(a) | set(b), key=str)


def without(value, key):
    return {k: v for k, v in value.items() if k != key}


def is_empty(value):
    return all(map(is_empty, value.values())) if isinstance(value, dict) else value in ([], "", None)


def is_map(items, key):
    return all(isinstance(x, dict) and key in x for x in items) and len({x[key] for x in items}) == len(items)


def applied(owners):
    return {(o["manager"], o.get("subresource")): set(o["fields"]) for o in owners if o["operation"] == "Apply"}


def brief(item):
    value = "=" + str(item["value"]) if "value" in item else "<-" + as_json(item["valueFrom"]) if "valueFrom" in item else ""
    return item["name"] + value


def same_parts(a, b):
    """Whether two refusals hold the same errors, whatever their order: "words: [a, b]"."""
    return isinstance(a, str) and isinstance(b, str) and parts(a) == parts(b)


def parts(message):
    aggregate = re.match(r"^(.*?: )?\[(.*)\]$", message, re.S)
    if not aggregate:
        return message
    return aggregate[1], sorted(re.split(r", (?=[a-zA-Z<][\w.\[\]/-]*[>\w\])]: )", aggregate[2]))


def cut(value):
    text = as_json(value)
    return text if len(text) < 320 else text[:320] + "..."


def as_json(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


if __name__ == "__main__":
    sys.exit(main())

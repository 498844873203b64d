# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks a SARIF log as far as it is of use to code scanning, from the text of the OASIS standard (SARIF 2.1.0, 2020).

usage: sarif.py LOG [RACES]
  LOG    cdrgrind races --format=sarif
  RACES  cdrgrind races --format=json: the log must have its roots, and a result for each tangle

Each object has its known properties with their checks; any other property is wrong (section 3.1.2). Numbers in comments are
sections of the standard.
"""
import json
import re
import sys
import urllib.parse

LEVELS = ("none", "note", "warning", "error")
problems = []


def complain(path, what):
    problems.append(f"{path}: {what}")


def check_string(path, value, pattern=None):
    if not isinstance(value, str):
        complain(path, "no string")
    elif pattern and not re.fullmatch(pattern, value):
        complain(path, f"'{value}' is not like {pattern}")


def string(pattern=None):
    return lambda path, value: check_string(path, value, pattern)


def number(least):
    def check(path, value):
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            complain(path, f"{value!r} is no number from {least} on")
    return check


def one_of(*words):
    return lambda path, value: value in words or complain(path, f"{value!r} is none of {words}")


def boolean(path, value):
    if not isinstance(value, bool):
        complain(path, "no boolean")


def anything(_path, _value):
    pass


def list_of(check, least=0):
    def check_list(path, value):
        if not isinstance(value, list) or len(value) < least:
            complain(path, f"no list of {least} or more")
            return
        for i, one in enumerate(value):
            check(f"{path}[{i}]", one)
    return check_list


def strings_by_name(path, value):
    if not isinstance(value, dict):
        complain(path, "no object")
        return
    for name, one in value.items():
        check_string(f"{path}.{name}", one)


def record(required, **properties):
    """An object with these properties and no others."""
    def check(path, value):
        if not isinstance(value, dict):
            complain(path, "no object")
            return
        for name in required:
            if name not in value:
                complain(path, f"no {name}")
        for name, one in value.items():
            if name not in properties:
                complain(path, f"unknown property {name}")
            else:
                properties[name](f"{path}.{name}", one)
    return check


def uri_reference(path, value):
    check_string(path, value)
    if not re.fullmatch(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+", value):
        complain(path, f"'{value}' is no URI reference")  # RFC 3986
    if value.startswith("/") and not value.startswith("//"):
        complain(path, f"'{value}' has no scheme")


message = record(["text"], text=string(".+(?s:.*)"))                                   # 3.11
artifact_location = record(["uri"], uri=uri_reference, uriBaseId=string(), index=number(0))  # 3.4
region = record(["startLine"], startLine=number(1), startColumn=number(1), endLine=number(1), endColumn=number(1))  # 3.30
physical = record(["artifactLocation"], artifactLocation=artifact_location, region=region)   # 3.29
logical = record([], name=string(), fullyQualifiedName=string(), kind=string(), index=number(0))  # 3.33
location = record([], id=number(0), physicalLocation=physical, logicalLocations=list_of(logical), message=message)  # 3.28
step = record([], location=location, nestingLevel=number(0), importance=one_of("important", "essential", "unimportant"),
              executionOrder=number(0))                                                  # 3.38
thread_flow = record(["locations"], id=string(), message=message, locations=list_of(step, 1))  # 3.37
code_flow = record(["threadFlows"], message=message, threadFlows=list_of(thread_flow, 1))     # 3.36
result = record(                                                                        # 3.27
    ["message"], ruleId=string(), ruleIndex=number(0), level=one_of(*LEVELS), message=message, locations=list_of(location),
    relatedLocations=list_of(location), codeFlows=list_of(code_flow), partialFingerprints=strings_by_name,
    fingerprints=strings_by_name, baselineState=one_of("new", "unchanged", "updated", "absent"), properties=anything)
rule = record(["id"], id=string(), name=string(), shortDescription=message, fullDescription=message, help=message,
              defaultConfiguration=record([], level=one_of(*LEVELS)), helpUri=uri_reference)  # 3.49
driver = record(["name"], name=string(), version=string(), semanticVersion=string(r"\d+\.\d+\.\d+.*"),
                informationUri=uri_reference, rules=list_of(rule))                       # 3.19
run = record(["tool"], tool=record(["driver"], driver=driver),                           # 3.14
             invocations=list_of(record(["executionSuccessful"], commandLine=string(), executionSuccessful=boolean)),
             originalUriBaseIds=anything, columnKind=one_of("utf16CodeUnits", "unicodeCodePoints"), results=list_of(result))
log = record(["version", "runs"], version=one_of("2.1.0"), runs=list_of(run), **{"$schema": uri_reference})  # 3.13


def locations_in(value):
    """All artifactLocation objects."""
    if isinstance(value, dict):
        if "artifactLocation" in value:
            yield value["artifactLocation"]
        for one in value.values():
            yield from locations_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from locations_in(one)


def check_run(one):
    rules = [r["id"] for r in one["tool"]["driver"].get("rules", [])]
    if len(set(rules)) != len(rules):
        complain("rules", "an id stands twice")
    bases = one.get("originalUriBaseIds", {})
    for name, base in bases.items():
        # 3.14.14: absolute, and ends with a slash.
        if not re.match(r"file:///.*/$", base["uri"]) and base["uri"] != "file:///":
            complain(f"originalUriBaseIds.{name}", base["uri"])
    for place in locations_in(one["results"]):
        absolute = urllib.parse.urlparse(place["uri"]).scheme != ""
        if "uriBaseId" in place and (absolute or place["uriBaseId"] not in bases):  # 3.4.4
            complain("uriBaseId", str(place))
    prints = []
    for i, r in enumerate(one["results"]):
        path = f"results[{i}]"
        # 3.27.5, 3.27.6: they name the same rule.
        if r.get("ruleId") not in rules or rules[r["ruleIndex"]] != r["ruleId"]:
            complain(path, f"rule {r.get('ruleId')}, {r.get('ruleIndex')}")
        prints.append(json.dumps(r.get("partialFingerprints"), sort_keys=True))
        if not r.get("partialFingerprints"):
            complain(path, "no fingerprint")
        flows = [f for c in r.get("codeFlows", []) for f in c["threadFlows"]]
        if len(flows) != 2 or flows[0].get("id") == flows[1].get("id"):
            complain(path, "a race has two threads")
        ids = [l["id"] for l in r.get("locations", []) + r.get("relatedLocations", []) if "id" in l]
        if len(set(ids)) != len(ids):  # 3.28.2
            complain(path, "ids of locations repeat")
        # The last step of each flow is the access.
        ends = {(f["locations"][-1]["location"].get("physicalLocation", {}).get("region", {}).get("startLine"))
                for f in flows}
        if not ends:
            complain(path, "no ends")
    if len(set(prints)) != len(prints):
        complain("partialFingerprints", "two results have the same")


def main():
    with open(sys.argv[1]) as f:
        text = json.load(f)
    log("log", text)
    if not problems:
        for one in text["runs"]:
            check_run(one)
    if len(sys.argv) > 2 and not problems:
        with open(sys.argv[2]) as f:
            races = [r for r in json.load(f)["races"] if r["labels"]["status"] != "artifact"
                     and not any(n.startswith("one tangle with") for n in r["notes"])]
        want = sorted((r["variable"], r["first"]["line"], r["second"]["line"], r["instances"]) for r in races)
        got = sorted((r["properties"]["variable"],
                      r["relatedLocations"][0]["physicalLocation"].get("region", {}).get("startLine", 0),
                      r["locations"][0]["physicalLocation"].get("region", {}).get("startLine", 0),
                      r["properties"]["instances"]) for one in text["runs"] for r in one["results"])
        if want != got:
            complain("results", f"{got}, not {want}")
    for p in problems[:20]:
        print(p)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

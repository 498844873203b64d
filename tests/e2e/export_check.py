# SPDX-License-Identifier: GPL-2.0-or-later
# export_check.py FOLDER: FOLDER/tables/*.csv against the JSON of the commands in FOLDER.
import csv
import json
import os
import sys

folder = sys.argv[1]
csv.field_size_limit(1 << 30)


def table(name):
    path = os.path.join(folder, "tables", name)
    info = json.load(open(path + ".json"))
    assert info["schema"] == "cdrgrind.table/1" and info["table"] == name and info["file"] == name + ".csv.zst"
    with open(path + ".csv", newline="", encoding="utf-8") as f:
        reader = csv.reader(f)
        names = next(reader)
        assert names == [c["name"] for c in info["columns"]], names
        assert all(c["meaning"] for c in info["columns"]), name
        rows = []
        for cells in reader:
            assert len(cells) == len(names), cells
            row = {}
            for cell, column in zip(cells, info["columns"]):
                kind = column["type"]
                if kind == "string":
                    row[column["name"]] = cell
                elif cell == "":
                    row[column["name"]] = None
                elif kind == "double":
                    row[column["name"]] = float(cell)
                else:
                    row[column["name"]] = int(cell)
                    assert kind != "bool" or cell in "01"
                    assert kind != "uint64" or row[column["name"]] >= 0
            rows.append(row)
    assert len(rows) == info["rows"], (name, len(rows), info["rows"])
    return rows


def document(name):
    return json.load(open(os.path.join(folder, name + ".json")))


def equal(name, got, want):
    assert len(got) == len(want), (name, len(got), len(want))
    for g, w in zip(got, want):
        assert g == w, (name, g, w)


events = [json.loads(l) for l in open(os.path.join(folder, "events.json"))][1:]
code = [e for e in events if e["event"] in ("block", "partial")]
keys = ("event", "thread", "block", "module", "address", "exit", "instructions", "accesses")
equal("blocks", [tuple(r[k] for k in keys) for r in table("blocks")],
      [(e["i"], e["thread"], e["block"], e["module"], e["addr"],
        e["exit"]["kind"] if e["event"] == "block" else "partial", len(e["insns"]), len(e["accesses"])) for e in code])

keys = ("event", "thread", "kind", "ip", "address", "size", "store", "atomic")
want = []
for e in events:
    for a in e.get("accesses", []):
        want.append((e["i"], e["thread"], "instruction", a["ip"], a["addr"], a["width"], int(a["store"]),
                     int("atomic" in a["flags"])))
    for m in e.get("memory", []):
        want.append((e["i"], e["thread"], "syscall", e["ip"], m["addr"], m["size"], int(m["store"]), 0))
accesses = table("accesses")
equal("accesses", [tuple(r[k] for k in keys) for r in accesses], want)
assert all(a["access"] < b["access"] for a, b in zip(accesses, accesses[1:]) if a["event"] == b["event"])

steps = {e["i"]: e for e in events if e["event"] in ("sync-enter", "sync-leave")}
chart = {r["event"]: r for r in document("sync")["chart"] if "op" in r}
rows = table("sync")
got = [r for r in rows if r["what"] in ("enter", "leave")]
equal("sync", [(r["event"], r["thread"], "sync-" + r["what"], r["op"], r["address"], r["address2"], r["value"])
               for r in got],
      [(e["i"], e["thread"], e["event"], e["op"], e["object"], e["object2"], e["value"]) for e in steps.values()])
assert [r["number"] for r in got] == list(range(1, len(got) + 1))
named = 0
for r in got:
    c = chart.get(r["event"])
    if c is None:
        continue
    # An operation that went through at once has one row in the chart, with the number of its leave.
    number = r["number"] + (c["what"] == "whole" and c["number"] != r["number"])
    assert (number, r["thread"], r["op"], r["instructions"]) == (c["number"], c["thread"], c["op"], c["insns"]), (r, c)
    assert (r["file"], r["line"] or 0, r["function"]) == (c["at"]["file"], c["at"]["line"], c["at"]["function"]), (r, c)
    if "object" in c:
        assert r["object"] == c["object"], (r, c)
    named += 1
assert named > 0 or not got
starts = [e for e in events if e["event"] in ("thread-start", "thread-end", "thread-create")]
equal("starts", [(r["event"], r["thread"], "thread-" + r["what"]) for r in rows if r not in got],
      [(e["i"], e["thread"], e["event"]) for e in starts])

# Where there is no line the cell is empty.
assert not any(r.get(k) == 0 for name in ("dependences", "races", "loops") for r in table(name)
               for k in ("line", "last_line", "source_line", "target_line", "first_line", "second_line"))
assert all(r["file"] for r in table("loops"))
got = [(r["kind"], r["class"], r["ancestor"], r["source_file"], r["source_line"] or 0, r["source_code"], r["target_file"],
        r["target_line"] or 0, r["target_code"], r["count"],
        [r["source_thread"], r["target_thread"]] if r["source_thread"] else None) for r in table("dependences")]
equal("dependences", got,
      [(d["kind"], d["class"], d["ancestor"], d["source"]["file"], d["source"]["line"], d["source"]["code"],
        d["target"]["file"], d["target"]["line"], d["target"]["code"], d["count"], d.get("threads"))
       for d in document("dependences")["dependences"]])

side = lambda r, s: tuple(r[s + k] or ("" if k != "_line" else 0) for k in ("_thread", "_access", "_file", "_line", "_function", "_locks"))
have = lambda d, s: tuple(d[s][k] for k in ("thread", "access", "file", "line", "function")) + ("; ".join(d["locks"][s]),)
equal("races", [(r["id"], r["variable"], r["location"], r["name"], r["type"], r["status"], r["of"], r["schedulable"],
                 r["instances"], r["judged"], side(r, "first"), side(r, "second")) for r in table("races")],
      [(d["id"], d["variable"], d["location"]["kind"], d["location"]["name"], d["location"]["type"],
        d["labels"]["status"], d["labels"]["of"], int(d["labels"]["schedulable"]), d["instances"], d["judged"],
        have(d, "first"), have(d, "second")) for d in document("races")["races"]])

same = ("last_line", "header", "depth", "verdict", "instances", "iterations", "instructions", "longest_iteration",
        "interval", "pragma")
close = lambda a, b: abs(a - b) <= 1e-5 * max(1, abs(a))
rows, want = table("loops"), document("loops")["loops"]
equal("loops", [(r["file"], r["line"] or 0, r["function"], r["irregular"]) + tuple(r[k] or 0 if k == "last_line" else r[k] for k in same) for r in rows],
      [(l["place"]["file"] or r["file"], l["place"]["line"] or 0, l["place"]["function"], int(l["irregular"])) +
       tuple(l[k] or 0 if k == "last_line" else l[k] for k in same) for r, l in zip(rows, want)])
assert all(close(r[k], l[k]) for r, l in zip(rows, want) for k in ("speed_up", "run_speed_up"))

timeline = json.load(open(os.path.join(folder, "tables", "timeline.json")))["traceEvents"]
turns = [(e["tid"], e["ts"]) for e in timeline if e["ph"] == "X" and e["name"] == "runs"]
assert turns == [(1, 0)] + [(e["thread"], e["i"]) for e in events if e["event"] == "turn"], turns[:9]
runs = sorted((e["ts"], e["ts"] + e["dur"]) for e in timeline if e["ph"] == "X" and e["name"] == "runs")
assert runs[-1][1] == len(events) and all(a[1] == b[0] for a, b in zip(runs, runs[1:]))
operations = {e["args"]["number"]: e for e in timeline if e["ph"] == "X" and e["name"] != "runs"}
for r in chart.values():
    if r["what"] in ("whole", "leave"):
        assert operations[r["number"]]["tid"] == r["thread"] and operations[r["number"]]["name"].startswith(r["op"]), r
threads = {e["thread"] for e in events}
assert {e["tid"] for e in timeline if e["ph"] == "M"} <= threads
flows = {}
for e in timeline:
    if e["ph"] in "sf":
        flows.setdefault(e["id"], []).append(e)
assert all([e["ph"] for e in pair] == ["s", "f"] and pair[0]["ts"] <= pair[1]["ts"] and pair[0]["tid"] != pair[1]["tid"]
           for pair in flows.values())
assert flows or len(threads) == 1

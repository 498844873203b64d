# SPDX-License-Identifier: GPL-2.0-or-later
"""The slow reference of cdrgrind mpi: matching, matrix, classes and late senders of dumped events, by the definitions.

    mpi.py REPORT.json EVENTS.json...

EVENTS.json: `cdrgrind dump --format=json --events=mpi,block` of each rank. Ends with 1 and a line for each difference from
`cdrgrind mpi --format=json`. Knows the calls that tests/programs/traces/mpi_ranks.cc and kernels.c make: blocking and
non-blocking messages, requests, collectives."""
import collections
import json
import sys

COMM, PEER, TAG, BYTES, RPEER, RTAG, RBYTES, ROOT, REQUESTS, NEW_COMM, SELF, MEMBERS, DONE = range(1, 14)
FLAG, STATUS, MESSAGE, WINDOW, LOCAL, LIBRARY = range(14, 20)
ANY, NULL = -1, -2
SENDS = {"Send", "Isend", "Ssend", "Issend"}
RECEIVES = {"Recv", "Irecv"}


def keyed(words):
    found = collections.defaultdict(list)
    at = 0
    while at < len(words):
        count = words[at] >> 8
        found[words[at] & 255].append(words[at + 1:at + 1 + count])
        at += 1 + count
    return found


def one(found, key):
    return found[key][0][0] if key in found else None


class Call:
    pass


def calls_of(path):
    calls, open_call, clock = [], None, 0
    for line in open(path, encoding="utf-8"):
        e = json.loads(line)
        kind = e.get("event")
        if kind == "block":
            if open_call is None and "shim" not in e["flags"]:
                clock += len(e["insns"])
        elif kind == "mpi-enter":
            open_call = Call()
            open_call.name, open_call.clock, open_call.site = e["function"][4:], clock, e["return_to"]
            open_call.words = {"arguments": [], "results": []}
            calls.append(open_call)
        elif kind == "mpi-words":
            open_call.words[e["what"]] += e["words"]
        elif kind == "mpi-leave":
            open_call = None
    for c in calls:
        c.given, c.got = keyed(c.words["arguments"]), keyed(c.words["results"])
    return calls


class Rank:
    """Communicators by handle are lists of world ranks; posts are dictionaries."""

    def __init__(self, path):
        self.calls = calls_of(path)
        self.posts, self.comms, self.made = [], {}, []
        waiting = collections.defaultdict(list)
        for number, c in enumerate(self.calls):
            c.done = []
            if NEW_COMM in c.got:
                members = [first + step * i for first, step, count in c.got[MEMBERS] for i in range(count)]
                handle = one(c.got, NEW_COMM)
                if c.name.startswith("Init"):
                    self.rank, self.ranks = c.got[SELF][0][0], c.got[SELF][0][1]
                    label = ""
                else:
                    label = "c%d" % (len(self.made) + 1)
                    self.made.append(members)
                # Which of this rank's communicators of these members it is.
                like = sum(1 for m, _, _ in self.comms.values() if m == tuple(members))
                self.comms[handle] = (tuple(members), like, label)
            c.comm = self.comms.get(one(c.given, COMM))
            if c.name in SENDS | RECEIVES and one(c.given, PEER) != NULL:
                post = {"send": c.name in SENDS, "call": number, "peer": one(c.given, PEER), "tag": one(c.given, TAG),
                        "bytes": one(c.given, BYTES), "comm": c.comm, "sync": c.name in ("Ssend", "Issend")}
                self.posts.append(post)
                if REQUESTS in c.got:
                    waiting[one(c.got, REQUESTS)].append(post)
                else:
                    c.done.append(post)
                    if STATUS in c.got:
                        self.resolve(post, *c.got[STATUS][0])
            if DONE in c.got:
                handles, done = c.given[REQUESTS][0], c.got[DONE][0]
                for i in range(0, len(done), 3):
                    if waiting[handles[done[i]]]:
                        post = waiting[handles[done[i]]].pop(0)
                        c.done.append(post)
                        self.resolve(post, done[i + 1], done[i + 2])

    @staticmethod
    def resolve(post, source, tag):
        if not post["send"]:
            if post["peer"] == ANY and source >= 0:
                post["peer"] = source
            if post["tag"] == ANY and tag >= 0:
                post["tag"] = tag


def match(ranks):
    for r in ranks:
        for p in r.posts:
            p["rank"], p["partner"] = r.rank, None
            p["world"] = p["comm"][0][p["peer"]]
    for r in ranks:
        for p in r.posts:
            if p["send"]:
                for q in ranks[p["world"]].posts:
                    if not q["send"] and q["partner"] is None and q["world"] == r.rank and q["tag"] == p["tag"] \
                            and q["comm"][:2] == p["comm"][:2]:
                        p["partner"], q["partner"] = q, p
                        break


def relations(rank, size, peer):
    return [("+", peer - rank), ("mod", (peer - rank) % size), ("xor", rank ^ peer), ("rank", peer)]


def sequences(ranks):
    votes = collections.Counter()
    for r in ranks:
        for name, comm, peer in {(c.name, c.comm, one(c.given, PEER)) for c in r.calls if PEER in c.given}:
            if peer >= 0:
                for relation in relations(comm[0].index(r.rank), len(comm[0]), peer):
                    votes[name, comm[2], relation] += 1
    result = []
    for r in ranks:
        sequence = []
        for c in r.calls:
            text = c.name + ("[%s]" % c.comm[2] if c.comm and c.comm[2] else "")
            inside = []
            if PEER in c.given:
                peer = one(c.given, PEER)
                if peer < 0:
                    inside.append("any" if peer == ANY else "null")
                else:
                    size = len(c.comm[0])
                    found = relations(c.comm[0].index(r.rank), size, peer)
                    kind, value = max(found, key=lambda x: (votes[c.name, c.comm[2], x], -found.index(x)))
                    inside.append({"+": "%+d" % value, "mod": "+%d mod %d" % (value, size), "xor": "xor %d" % value,
                                   "rank": "rank %d" % value}[kind])
            if ROOT in c.given:
                inside.append("root %d" % one(c.given, ROOT))
            if BYTES in c.given:
                inside.append(str(one(c.given, BYTES)))
            if REQUESTS in c.given and len(c.given[REQUESTS][0]) > 1:
                inside.append("%d requests" % len(c.given[REQUESTS][0]))
            sequence.append(text + ("(%s)" % ", ".join(inside) if inside else ""))
        result.append(sequence)
    return result


def ranks_in(text):
    ranks = []
    for part in text.split(","):
        span, _, step = part.partition(":")
        first, _, last = span.partition("-")
        ranks += range(int(first), int(last or first) + 1, int(step or 1))
    return ranks


def expanded(nest, rank=None):
    calls = []
    for item in nest:
        if isinstance(item, str):
            calls.append(item)
        elif rank is not None and rank not in ranks_in(item["ranks"]):
            continue
        elif "call" in item:
            calls.append(item["call"])
        else:
            calls += expanded(item["body"], rank) * item["count"]
    return calls


WAITS_FOR_ROOT, ROOT_WAITS = {"Bcast", "Scatter"}, {"Reduce", "Gather"}
FOR_ALL = {"Barrier", "Allreduce", "Alltoall", "Alltoallv", "Allgather", "Comm_dup", "Finalize"}


def late(ranks):
    """Times of all calls as the least ones that are early enough, by going round until nothing changes."""
    world = tuple(range(len(ranks)))
    for r in ranks:
        count = collections.Counter()
        for c in r.calls:
            c.instance = None
            if c.name in FOR_ALL | WAITS_FOR_ROOT | ROOT_WAITS:
                comm = c.comm[:2] if c.comm else (world, 0)
                c.instance = (comm, count[comm])
                count[comm] += 1
            c.begin = c.end = 0
    parts = collections.defaultdict(list)
    for r in ranks:
        for c in r.calls:
            if c.instance:
                parts[c.instance].append((r.rank, c))
    changed = True
    while changed:
        changed = False
        for r in ranks:
            time, clock = 0, 0
            for c in r.calls:
                time += c.clock - clock
                clock = c.clock
                begin = end = time
                for p in c.done:
                    q = p["partner"]
                    if q and (not p["send"] or p["sync"]):
                        end = max(end, ranks[q["rank"]].calls[q["call"]].begin)
                if c.instance:
                    root = one(c.given, ROOT)
                    for rank, other in parts[c.instance]:
                        if c.name in FOR_ALL or (c.name in WAITS_FOR_ROOT and rank == root) or \
                                (c.name in ROOT_WAITS and r.rank == root):
                            end = max(end, other.begin)
                if (begin, end) != (c.begin, c.end):
                    c.begin, c.end, changed = begin, end, True
                time = end
    return sum(c.end - c.begin for r in ranks for c in r.calls), max(c.end for r in ranks for c in r.calls)


def main():
    report = json.load(open(sys.argv[1], encoding="utf-8"))
    ranks = sorted((Rank(path) for path in sys.argv[2:]), key=lambda r: r.rank)
    wrong = []

    def same(what, mine, theirs):
        if mine != theirs:
            wrong.append("%s: %s, not %s" % (what, str(theirs)[:400], str(mine)[:400]))

    match(ranks)
    same("ranks", len(ranks), report["ranks"])
    same("matched", sum(1 for r in ranks for p in r.posts if p["send"] and p["partner"]), report["messages"]["matched"])
    mine = sorted((r.rank, p["send"], p["world"], p["tag"]) for r in ranks for p in r.posts if not p["partner"])
    theirs = sorted((u["rank"], u["send"], u["peer"], u["tag"]) for u in report["messages"]["unmatched"])
    same("unmatched", mine, theirs)
    cells = collections.defaultdict(lambda: [0, 0])
    for r in ranks:
        for p in r.posts:
            if p["send"]:
                cells[r.rank, p["world"]][0] += 1
                cells[r.rank, p["world"]][1] += p["bytes"]
    same("matrix", sorted((a, b, n, m) for (a, b), (n, m) in cells.items()),
         sorted((c["from"], c["to"], c["messages"], c["bytes"]) for c in report["matrix"]))
    mine = sequences(ranks)
    theirs = {r: expanded(c["nest"]) for c in report["classes"] for r in ranks_in(c["ranks"])}
    for r, sequence in enumerate(mine):
        same("sequence of rank %d" % r, sequence, theirs.get(r))
        same("merged nest for rank %d" % r, sequence, expanded(report["merged"], r))
    alike = collections.defaultdict(list)
    for r, sequence in enumerate(mine):
        alike[tuple(sequence)].append(r)
    same("classes", sorted(alike.values()), sorted(ranks_in(c["ranks"]) for c in report["classes"]))
    same("late", report["waited"], sum(w["instructions"] for w in report["late"]))
    if not report["forced"]:  # else somebody waits for ever
        waited, length = late(ranks)
        same("instructions waited", waited, report["waited"])
        same("length", length, report["length"])
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


main()

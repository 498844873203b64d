# SPDX-License-Identifier: GPL-2.0-or-later
"""A slow count of what `cdrgrind sync` says of objects, over dumped events.

usage: sync.py EVENTS SYNC [--rerun]
  EVENTS  cdrgrind dump --format=json
  SYNC    cdrgrind sync --format=json
  --rerun: what threads would wait for, too; for runs with locks, conditions, semaphores and barriers alone

Written from docs/sync.md, without a look at the program's own code: every object has its history, and each question is
answered by reading the history from its beginning.
"""
import collections
import json
import sys

LOCKS = {"mutex", "spin lock", "rwlock"}
OWNER_DIED, TIMED_OUT = 130, 110
MARKS = {"happens-before", "happens-after"}


def kind_of(op):
    for prefix, kind in (("mutex", "mutex"), ("cond", "condition"), ("barrier", "barrier"), ("sem", "semaphore"),
                         ("rw", "rwlock"), ("spin", "spin lock"), ("once", "once"), ("guard", "guard"),
                         ("channel", "channel")):
        if op.startswith(prefix):
            return kind
    return "order" if op in MARKS else "thread"


class Operation:
    """One operation of one thread on an object: when it was entered and left (None: never), as numbers of events."""

    def __init__(self, event, insns):
        self.op, self.thread = event["op"], event["thread"]
        self.object, self.mutex = event["object"], event["object2"]
        self.value_entered = event["value"]
        self.entered, self.left = event["i"], None
        self.insns_entered, self.insns_left = insns, None
        self.ok = None
        self.result = 0

    def leave(self, event, insns):
        self.left, self.insns_left, self.result = event["i"], insns, event["result"]
        self.flags, self.units = event["flags"], event["value"]
        self.ok = not self.flags or ("mutex" in self.op and "lock" in self.op and self.result == OWNER_DIED)


LIVES = []  # (event, kind, thread, child, insns) of starts and ends of threads, and of their creation


def read(name):
    """Operations in the order in which they were entered."""
    operations, insns, open_ones = [], collections.Counter(), collections.defaultdict(list)
    with open(name) as events:
        next(events)
        for line in events:
            e = json.loads(line)
            t = e["thread"]
            if e["event"] == "block" and "shim" not in e["flags"]:
                insns[t] += len(e["insns"])
            elif e["event"] == "sync-enter":
                operations.append(Operation(e, insns[t]))
                open_ones[t].append(operations[-1])
            elif e["event"] == "sync-leave":
                while open_ones[t][-1].op != e["op"]:
                    open_ones[t].pop()
                open_ones[t].pop().leave(e, insns[t])
            elif e["event"] == "thread-end":
                open_ones[t].clear()
            if e["event"] in ("thread-create", "thread-start", "thread-end"):
                LIVES.append((e["i"], e["event"], t, e.get("child"), insns[t]))
    return operations


def moments_of_lock(kind, address, operations):
    """(event, what, thread, shared, insns) of a lock: 'want', 'get' and 'give', by time."""
    moments = []
    for o in operations:
        wait = o.op in ("cond-wait", "cond-timed-wait")
        if wait and kind == "mutex" and o.mutex == address:
            gave = o.ok or o.left is None or "unwound" in o.flags or o.result == TIMED_OUT
            if gave:
                moments.append((o.entered, "give", o.thread, False, o.insns_entered))
                if o.left is not None:
                    moments.append((o.left, "get", o.thread, False, o.insns_left))
        elif o.object == address and kind_of(o.op) == kind and not o.op.endswith(("init", "destroy")):
            shared = "read" in o.op
            if o.op.endswith("unlock"):
                if o.ok or o.left is None:
                    moments.append((o.entered, "give", o.thread, False, o.insns_entered))
            else:
                moments.append((o.entered, "want", o.thread, shared, o.insns_entered))
                if o.ok:
                    moments.append((o.left, "get", o.thread, shared, o.insns_left))
        elif o.object == address and kind_of(o.op) == kind:
            moments.append((o.entered, "new", o.thread, False, 0))
    return sorted(moments)


def count_lock(kind, address, operations, to):
    holders = {}   # thread -> [times, shared, insns]
    givers = []    # (thread, shared) since the last writer, that first
    for _, what, thread, shared, insns in moments_of_lock(kind, address, operations):
        if what == "new":
            holders, givers = {}, []
        elif what == "want":
            others = [h for t, h in holders.items() if t != thread]
            to["contended"] += any(not (shared and h[1]) for h in others)
        elif what == "get":
            if thread in holders:
                holders[thread][0] += 1
                continue
            holders[thread] = [1, shared, insns]
            got(to, {t for t, as_reader in givers if not (shared and as_reader)}, thread)
            to["shared"] += shared
        elif thread in holders:
            holders[thread][0] -= 1
            if holders[thread][0]:
                continue
            _, as_reader, since = holders.pop(thread)
            givers = givers + [(thread, True)] if as_reader else [(thread, False)]
            to["insns_held"] += insns - since
            to["longest"] = max(to["longest"], insns - since)
        else:
            givers = [(thread, False)]


def got(to, givers, thread):
    givers = set(givers) - {thread}
    to["acquisitions"] += 1
    to["hand_overs"] += bool(givers)
    for g in givers:
        to["pairs"][(g, thread)] += 1


def count_semaphore(operations, to):
    initial, posts = 0, []
    moments = []
    for o in operations:
        if o.op == "sem-init":
            moments.append((o.entered, "new", o))
        elif o.op == "sem-post":
            if o.ok or o.left is None:
                moments.append((o.entered, "post", o))
        elif o.op != "sem-destroy":
            moments.append((o.entered, "want", o))
            if o.ok:
                moments.append((o.left, "get", o))
    for _, what, o in sorted(moments, key=lambda m: m[0]):
        if what == "new":
            initial, posts = o.value_entered, []
        elif what == "post":
            posts.append(o.thread)
        elif what == "want":
            to["contended"] += not initial and not posts
        elif initial:
            initial -= 1
            got(to, (), o.thread)
        else:
            got(to, [posts.pop(0)] if posts else (), o.thread)


def count_barrier(operations, to):
    size, arrivals = 0, []
    phases = collections.defaultdict(set)
    of = {}
    moments = [(o.entered, o) for o in operations] + [(o.left, o) for o in operations if o.left is not None]
    for at, o in sorted(moments, key=lambda m: m[0]):
        if o.op == "barrier-init" and at == o.entered:
            size, arrivals, phases = o.value_entered, [], collections.defaultdict(set)
        elif o.op == "barrier-wait" and at == o.entered:
            phase = len(arrivals) // size if size else 0
            arrivals.append(o)
            phases[phase].add(o.thread)
            of[o] = phases[phase]
            to["contended"] += not size or len(arrivals) % size != 0
        elif o.op == "barrier-wait" and o.ok:
            got(to, of[o], o.thread)


def count_condition(operations, to):
    """A wait gets the earliest signal that was not left before it began, and that no other wait has got."""
    signals = [o for o in operations if o.op in ("cond-signal", "cond-broadcast")]
    taken = set()
    waits = [o for o in operations if o.op in ("cond-wait", "cond-timed-wait")]
    to["contended"] = len(waits)
    for w in sorted((w for w in waits if w.ok), key=lambda w: w.left):
        for s in signals:
            if s.entered < w.left and (s.left is None or s.left > w.entered) and s not in taken:
                if s.op == "cond-signal":
                    taken.add(s)
                got(to, [s.thread], w.thread)
                break
        else:
            got(to, (), w.thread)


def count_channel(operations, to):
    """Of calls that do not overlap: bytes or messages go over in order. Kind 4 is of eventfds; of 5 and from 7 on all get all."""
    sent, ended, taken = [], set(), 0
    for o in sorted((o for o in operations if o.ok), key=lambda o: o.left):
        shared = o.object >> 56 in (5, 7, 8, 9)
        if o.op == "channel-send":
            if o.units and not shared:
                sent += [o.thread] * o.units
            else:
                ended.add(o.thread)
            continue
        end = len(sent) if o.object >> 56 == 4 else min(taken + o.units, len(sent))
        got(to, set(sent[taken:end]) | (ended if shared or not o.units else set()), o.thread)
        if not o.mutex:
            taken = end


def count_once(operations, to):
    givers = []
    moments = []
    for o in operations:
        if o.op in ("guard-release", "guard-abort", "happens-before"):
            moments.append((o.entered, "give", o))
        elif o.op == "once-run":
            # Behind a routine that was left before it was done.
            moments.append((o.entered, "start", o))
            if o.left is not None:
                moments.append((o.left, "give", o))
        elif o.op in ("once", "guard-acquire", "happens-after") and o.ok:
            moments.append((o.left, "get", o))
    for _, what, o in sorted(moments, key=lambda m: m[0]):
        if what == "get" or (what == "start" and givers):
            got(to, givers, o.thread)
        elif what == "give":
            givers = givers + [o.thread] if o.op == "happens-before" else [o.thread]


def count(kind, address, operations):
    own = [o for o in operations if o.object == address and kind_of(o.op) == kind]
    to = {"acquisitions": 0, "shared": 0, "releases": 0, "contended": 0, "hand_overs": 0, "insns_held": 0, "longest": -1,
          "pairs": collections.Counter()}
    releases = ("sem-post", "cond-signal", "cond-broadcast", "happens-before", "channel-send")
    to["releases"] = sum(o.op in releases and o.ok is not False for o in own)
    gets = [o for o in own if o.op not in releases and not o.op.endswith(("init", "destroy", "unlock", "release", "abort", "run"))]
    to["failed"] = sum(o.ok is False for o in gets)
    threads = {o.thread for o in own}
    if kind in LOCKS:
        count_lock(kind, address, operations, to)
        threads |= {o.thread for o in operations if o.mutex == address and kind == "mutex" and "wait" in o.op}
    else:
        {"semaphore": count_semaphore, "barrier": count_barrier, "condition": count_condition,
         "channel": count_channel}.get(kind, count_once)(own, to)
    to["threads"] = sorted(threads)
    return to


def main():
    operations = read(sys.argv[1])
    with open(sys.argv[2]) as f:
        said = json.load(f)
    objects = {(kind_of(o.op), o.object) for o in operations} - {k for o in operations for k in [("thread", o.object)]}
    objects |= {("mutex", o.mutex) for o in operations if o.op in ("cond-wait", "cond-timed-wait")
                if o.left is None or o.ok or "unwound" in o.flags or o.result == TIMED_OUT}
    told = {(o["kind"], o["address"]): o for o in said["objects"]}
    assert set(told) == objects, (set(told) ^ objects)
    assert said["events"] == len(operations) + sum(o.left is not None for o in operations)
    for key, o in told.items():
        want = count(*key, operations)
        o = dict(o, longest=o["longest"]["insns"] if o["longest"] else -1,
                 pairs={(p["from"], p["to"]): p["count"] for p in o["pairs"]})
        for name, value in want.items():
            assert o[name] == value, f"{key} {o['name']}: {name} is {value}, not {o[name]}"
    check_sections(said)
    if "--rerun" in sys.argv:
        check_rerun(operations, said)
    check_chart(operations, said["chart"])
    print(len(told), "objects,", len(said["chart"]), "rows")


def check_sections(said):
    """The lines of each lock add up to what is said of the lock."""
    objects = {(o["kind"], o["address"]): o for o in said["objects"]}
    for s in said["sections"]:
        o = objects[(s["kind"], s["address"])]
        for of_line, of_object in (("times", "acquisitions"), ("shared", "shared"), ("insns_held", "insns_held")):
            assert sum(line[of_line] for line in s["lines"]) == o[of_object], (of_line, s, o)
        assert sum(line["contended"] for line in s["lines"]) <= o["contended"], (s, o)
        assert max(line["longest"] for line in s["lines"]) == (o["longest"] or {"insns": 0})["insns"], (s, o)
        for line in s["lines"]:
            assert sum(b["times"] for b in line["behind"]) == line["would_wait"], line
            assert sum(b["insns"] for b in line["behind"]) == line["insns_would_wait"], line


def actions_of(operations):
    """What each thread does: (event, insns, what, ...), in its order."""
    actions = collections.defaultdict(list)
    depth = collections.Counter()
    signals = [o for o in operations if o.op in ("cond-signal", "cond-broadcast")]
    taken, posts, initial, arrivals = set(), collections.defaultdict(list), {}, collections.defaultdict(list)

    def add(thread, event, insns, *what):
        actions[thread].append((event, insns, *what))

    def free(o, lock):
        depth[o.thread, lock] -= 1
        if depth[o.thread, lock] == 0:
            add(o.thread, o.entered, o.insns_entered, "free", lock)

    def lock(o, key, shared, counted):
        depth[o.thread, key] += 1
        if depth[o.thread, key] == 1:
            add(o.thread, o.left, o.insns_left, "lock", key, shared, counted)

    for event, kind, thread, child, insns in LIVES:
        if kind == "thread-create":
            add(thread, event, insns, "give", ("create", child))
        elif kind == "thread-end":
            add(thread, event, insns, "give", ("end", thread))
        elif thread != 1:
            add(thread, event, insns, "get", None, [("create", thread)])
    moments = [(o.entered, "enter", o) for o in operations]
    moments += [(o.left, "leave", o) for o in operations if o.left is not None and o.ok]
    for _, when, o in sorted(moments, key=lambda m: m[0]):
        kind = kind_of(o.op)
        wait = o.op in ("cond-wait", "cond-timed-wait")
        if when == "enter":
            if o.op == "sem-init":
                initial[o.object] = o.value_entered
            elif o.op == "barrier-init":
                initial[o.object] = o.value_entered
                arrivals[o.object] = []
            elif o.op.endswith("unlock"):
                free(o, (kind, o.object))
            elif wait:
                free(o, ("mutex", o.mutex))
            elif o.op in ("cond-signal", "cond-broadcast", "sem-post", "barrier-wait"):
                add(o.thread, o.entered, o.insns_entered, "give", o.entered)
                if o.op == "sem-post":
                    posts[o.object].append(o.entered)
                if o.op == "barrier-wait":
                    size, come = initial.get(o.object, 0), arrivals[o.object]
                    o.first, o.size, o.come = len(come) // size * size if size else 0, size or 1 << 60, come
                    come.append(o.entered)
        elif o.op == "thread-join":
            add(o.thread, o.left, o.insns_left, "get", None, [("end", o.units)])
        elif wait:
            givers = [s for s in signals if s.object == o.object and s.entered < o.left and s not in taken
                      and (s.left is None or s.left > o.entered)]
            if givers and givers[0].op == "cond-signal":
                taken.add(givers[0])
            add(o.thread, o.left, o.insns_left, "get", o.object, [g.entered for g in givers[:1]])
            lock(o, ("mutex", o.mutex), False, False)
        elif kind == "semaphore" and "wait" in o.op:
            token = []
            if initial.get(o.object, 0):
                initial[o.object] -= 1
            else:
                token = [posts[o.object].pop(0)]
            add(o.thread, o.left, o.insns_left, "get", o.object, token)
        elif o.op == "barrier-wait":
            add(o.thread, o.left, o.insns_left, "get", o.object, o.come[o.first:o.first + o.size])
        elif kind in LOCKS and "lock" in o.op and "unlock" not in o.op:
            lock(o, (kind, o.object), "read" in o.op, True)
    for thread in actions:
        actions[thread].sort(key=lambda a: a[0])
    return actions


def check_rerun(operations, said):
    """Every thread on a processor of its own, a step at a time: always the one that is the furthest back."""
    actions = actions_of(operations)
    ahead, at = collections.Counter(), collections.Counter()
    given, holders, queue = {}, collections.defaultdict(dict), collections.defaultdict(list)
    waited, length = collections.Counter(), 0

    def ready(t):
        """When its next action happens; None: not yet."""
        if at[t] == len(actions[t]):
            return None
        _, insns, what, *rest = actions[t][at[t]]
        now = insns + ahead[t]
        if what == "get":
            if not all(g in given for g in rest[1]):
                return None
            return max([now] + [given[g] for g in rest[1]])
        return None if t in queue[rest[0]] else now

    def let_in(lock, now):
        while queue[lock]:
            t = queue[lock][0]
            _, insns, _, _, shared, counted = actions[t][at[t]]
            if holders[lock] and not (shared and all(holders[lock].values())):
                return
            queue[lock].pop(0)
            holders[lock][t] = shared
            if counted:
                waited[lock] += now - insns - ahead[t]
            ahead[t] = now - insns
            at[t] += 1

    while True:
        times = sorted((r, t) for t in list(actions) for r in [ready(t)] if r is not None)
        if not times:
            break
        now, t = times[0]
        length = max(length, now)
        _, insns, what, *rest = actions[t][at[t]]
        if what == "lock":
            queue[rest[0]].append(t)
            let_in(rest[0], now)
            continue
        if what == "get" and rest[0] is not None:
            waited[rest[0]] += now - insns - ahead[t]
        ahead[t] = now - insns
        at[t] += 1
        if what == "give":
            given[rest[0]] = now
        elif what == "free":
            holders[rest[0]].pop(t)
            let_in(rest[0], now)
    assert all(at[t] == len(actions[t]) for t in actions) == said["rerun"]["ended"]
    assert length == said["rerun"]["insns"], (length, said["rerun"])
    for s in said["sections"]:
        told = sum(line["insns_would_wait"] for line in s["lines"])
        assert told == waited[s["kind"], s["address"]], (s["name"], told, waited[s["kind"], s["address"]])
    for b in said["barriers"]:
        if b["kind"] == "barrier":
            assert b["insns_would_wait"] == waited[b["address"]], (b, waited[b["address"]])


def check_chart(operations, chart):
    """Every operation has a row where it is entered, and one where it is left if others came between and it gets."""
    times = sorted([o.entered for o in operations] + [o.left for o in operations if o.left is not None])
    after = dict(zip(times, times[1:]))
    rows = collections.Counter(r["event"] for r in chart if r["what"] not in ("start", "end"))
    by_event = {r["event"]: r for r in chart}
    for o in operations:
        assert rows[o.entered] == 1, o.entered
        row = by_event[o.entered]
        assert row["thread"] == o.thread and row["op"] == o.op, row
        assert row["insns"] == o.insns_entered, row
        if row["what"] == "whole":
            assert after[o.entered] == o.left, row
        elif o.left is not None and o.left in rows:
            assert by_event[o.left]["op"] == o.op, by_event[o.left]
        for g in row["got"]:
            assert o.thread not in g["from"], row
    assert sum(rows.values()) == len(rows)


if __name__ == "__main__":
    main()

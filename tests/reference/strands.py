# SPDX-License-Identifier: GPL-2.0-or-later
"""The slow reference of `cdrgrind races --atomics=race --adhoc=race' for programs with OpenMP.

    strands.py [FILE]

Reads what `cdrgrind dump --format=json' prints, makes a graph of it and compares every access to the program's static
variables with all others to the same bytes. A node of the graph is an access or an operation, an edge is what the pragmas
say of order (docs/openmp.md); one node is before another if there is a way. For each node the set of all that are before
it is kept, as the bits of a number: no clocks, no numbers of strands, nothing is forgotten. It shares no code with the
program, so that the two can be held against each other.

An iteration of a shared loop begins where the program stores 10 bytes at once, and the loop is left where it loads them, as is
the body of a single. In an
iteration what the words of 4 bytes hold that several iterations of one share touch (Words) is the iteration's, all else what
the iteration lies on: a chunk, a task, an implicit task; an access to words of both is one of each. Which words these are is found
in a first look at the events. Where chunks of several iterations are asked for, those of one chunk are one iteration; if the loop is
no longer than a chunk, those of the largest part of one, without remainder, that is shorter than the loop.

A line for each pair of instructions that race, sorted: IP IP INSTANCES schedulable|unschedulable, the lower address
first. An instance is a pair of accesses of two strands, at least one of them a store, with a byte in common, no common lock,
and no way from the one to the other. It is schedulable if there is none either when each read comes behind the store that
it saw (Mathur, Kini and Viswanathan 2018).
"""
import collections
import json
import os
import sys

CRITICAL, NAMED, ATOMIC, LOCK, NEST, ORDERED = range(6)
UNDEFERRED, FINAL, LOOP, NO_GROUP, DETACHED = 1, 2, 4, 8, 16
IN, OUT, MUTEX, INOUTSET = 1, 2, 3, 4
AS_WRITTEN = os.environ.get("OPTIMISED") != "yes"  # else iterations of two loops are not told to be the same
DIVIDED = {2, 3, 4}  # schedules that share a loop out while it runs


class Graph:
    """Twice: with what orders, and with the order of reads behind the stores that they saw."""

    def __init__(self):
        self.before = []
        self.seen = []

    def node(self, preds, saw=()):
        number = len(self.before)
        before = seen = 0
        for p in preds:
            before |= self.before[p] | 1 << p
            seen |= self.seen[p] | 1 << p
        self.before.append(before)
        self.seen.append(seen)
        self.saw(number, saw)
        return number

    def saw(self, number, stores):
        for p in stores:
            self.seen[number] |= self.seen[p] | 1 << p

    def ordered(self, a, b):
        return self.before[b] >> a & 1 or self.before[a] >> b & 1


class NoGraph:
    """For the first look: nothing is before anything."""

    before = seen = ()

    def node(self, *_):
        return 0

    def saw(self, *_):
        pass


class Words:
    """Which words two iterations of one share touch, one of them with a store: as far as the last one to touch each tells."""

    def __init__(self):
        self.last = {}  # by word: number of the iteration; stored; several did
        self.shared = set()

    def touch(self, number, floor, place, width, store):
        for word in range(place >> 2, (place + width - 1 >> 2) + 1):
            if word in self.shared:
                continue
            before, stored, several = self.last.get(word, (0, False, False))
            if before < floor:
                stored = several = False
            elif before != number:
                several = True
            self.last[word] = number, stored or store, several
            if several and (stored or store):
                self.shared.add(word)

    def pieces(self, place, width):
        """Of an access: whether they are shared, and their bytes."""
        found = []
        for byte in range(place, place + width):
            shared = byte >> 2 in self.shared
            if not found or found[-1][0] != shared:
                found.append((shared, []))
            found[-1][1].append(byte)
        return found


class Strand:
    def __init__(self, kind, at, task):
        self.kind = kind
        self.below = []       # of a part: its implicit task; of an iteration: what it lies on, and what that does
        self.arrivals = 0     # iterations that began on it
        self.number = self.floor = 0  # of the present one, and of the first of the share
        self.count = 0        # of the iterations that its share has; 0: not told
        self.iterations = []  # ends of those that it has not got
        self.ends = {}        # of iterations of static loops since the last barrier, by which they are of their loop
        self.loops_begin = None  # what lies before the first of these loops
        self.in_turn = False  # nothing else has come since the last of these loops
        self.static_shares = 0  # begun since then
        self.looped = None    # phase of the last static loop
        self.loop = False
        self.step = 0
        self.at = at          # its last node
        self.task = task
        self.sections = []    # [lock, depth, [the node at its end]]
        self.share_begin = None
        self.divided = False
        self.copying = self.single = False
        self.constructs = 0   # worksharing constructs that the member has come to
        self.pending = []     # ends of its parts


class Task:
    def __init__(self, parent=None, team=None):
        self.parent = parent
        self.team = team
        self.of_loop = False
        self.phase = parent.phase if parent else 0
        self.final = False
        self.undeferred = False
        self.done = []        # nodes: its end, and that of its event
        self.children = []
        self.groups = list(parent.groups) if parent else []
        self.siblings = []    # of its children those with depend clauses: (task, clauses)
        self.created = []
        self.waits_for = []
        self.exclusive = []


class Team:
    def __init__(self, fork, alone):
        self.fork = fork
        self.alone = alone    # the program asks for one thread
        self.ends = []
        self.barriers = collections.defaultdict(list)
        self.posts = {}
        self.ordered = []


class Access:
    def __init__(self, strand, ip, store, locks, node):
        self.strand, self.ip, self.store, self.locks, self.node = strand, ip, store, locks, node


class Thread:
    def __init__(self):
        self.running = []
        self.open = []


class Strands:
    def __init__(self, words=None):
        self.words = words if words else Words()
        self.looks = words is None  # the first look
        self.iterations = 0
        self.graph = NoGraph() if self.looks else Graph()
        self.threads = {}
        self.teams = {}
        self.tasks = {}
        self.detached = {}
        self.accesses = collections.defaultdict(list)  # by byte
        self.last = {}                                 # by byte: the last store
        self.program = self.module = self.bias = None
        self.maps = []
        self.static = None

    # --- strands ---

    def now(self, t):
        return self.threads[t].running[-1]

    def begin(self, t, kind, preds, task):
        strand = Strand(kind, self.graph.node(preds), task)
        self.threads[t].running.append(strand)
        return strand

    def end(self, t):
        strand = self.threads[t].running.pop()
        strand.below = []
        return self.release(strand)

    # A part goes on in its implicit task with what is private to that: they give and get together.
    def release(self, strand):
        all_ = [strand, *strand.below]
        given = self.graph.node([s.at for s in all_])
        for s in all_:
            s.at = self.graph.node([s.at])
        return given

    def acquire(self, strand, nodes):
        for s in [strand, *strand.below]:
            s.at = self.graph.node([s.at, *nodes])

    def member(self, t):
        running = self.threads[t].running
        lowest = next(s for s in reversed(running) if s.kind not in ("part", "iteration"))
        return lowest if lowest.kind == "implicit" else None

    # --- iterations ---

    def base(self, t):
        running = self.threads[t].running
        return running[-2] if running[-1].kind == "iteration" else running[-1]

    @staticmethod
    def keep_turn(op, event, member):
        """A static loop of which no iteration was seen is none in turn. Without a call gcc only asks for the thread's number."""
        next_part = op == "work_next" and member.divided
        if op not in ("work_begin", "work_end", "thread_number") and not next_part:
            member.in_turn = False
        asks = op == "thread_number" and event.get("value", 0) != 2
        member.static_shares += asks or op == "work_begin" and member.loop and not member.divided

    def before_shares(self, member):
        """Others might have executed a member's iterations of static loops: what is shared out behind does not know them."""
        if member.in_turn and member.static_shares <= 1 and member.looped == member.task.phase:
            return member.loops_begin
        member.in_turn, member.ends = False, {}
        return self.release(member)

    def begin_iteration(self, t):
        base = self.base(t)
        member = self.member(t)
        if base.kind == "thread" or base.kind == "task" and not base.task.of_loop:
            return
        if base.kind != "task" and (member.count == 1 or base.task.team.alone):
            return
        if base.kind == "part" and member.chunk and base.arrivals % member.chunk:
            base.arrivals += 1
            return
        self.end_iteration(t)
        if base.arrivals == 0 and base.kind == "implicit":
            base.share_begin = base.loops_begin = self.before_shares(base)
        base.arrivals += 1
        self.iterations += 1
        base.number = self.iterations
        if base.arrivals == 1:
            if base.looped is None or base.looped != base.task.phase:
                base.floor = base.number
            base.looped = base.task.phase if AS_WRITTEN else None
            if base.kind != "implicit":
                return
        preds = [member.share_begin if base.kind == "part" else base.share_begin]
        if base.kind == "implicit" and base.arrivals in base.ends:
            preds.append(base.ends[base.arrivals])
        strand = self.begin(t, "iteration", preds, base.task)
        strand.below = [base, *base.below]
        strand.sections = [list(s) for s in base.sections]

    def end_iteration(self, t):
        if self.now(t).kind == "iteration":
            end = self.end(t)
            base = self.now(t)
            (self.member(t).pending if base.kind == "part" else base.iterations).append(end)
            if base.kind == "implicit":
                base.ends[base.arrivals] = end

    def leave_loop(self, t):
        base = self.base(t)
        if base.kind != "implicit":
            return
        self.end_iteration(t)
        if base.arrivals:
            base.in_turn, base.static_shares = AS_WRITTEN, 0
        base.arrivals = 0
        if base.iterations:
            self.acquire(base, base.iterations)
            base.iterations = []

    # --- operations ---

    def operation(self, event):
        t, op = event["thread"], event["op"][4:].replace("-", "_")
        thread = self.threads[t]
        if event["event"] == "sync-enter":
            thread.open.append(event)
            action = getattr(self, "enter_" + op, None)
            if action:
                action(t, event)
            if self.member(t):
                self.keep_turn(op, event, self.member(t))
            return
        while thread.open[-1]["op"] != event["op"]:
            thread.open.pop()
        begun = thread.open.pop()
        action = getattr(self, "leave_" + op, None)
        if action:
            action(t, begun, event)

    def in_runtime(self, t):
        open_ = self.threads[t].open
        return bool(open_) and open_[-1]["op"] not in ("omp-implicit-task", "omp-task-data", "omp-task")

    def enter_parallel(self, t, e):
        self.teams[e["object"]] = Team(self.release(self.now(t)), e.get("value") == 1)

    def leave_parallel(self, t, begun, _):
        team = self.teams[begun["object"]]
        self.acquire(self.now(t), team.ends + [n for nodes in team.barriers.values() for n in nodes])

    def enter_implicit_task(self, t, e):
        team = self.teams[e["object"]]
        self.begin(t, "implicit", [team.fork], Task(None, team))

    def leave_implicit_task(self, t, begun, _):
        self.end_part(t)
        member = self.now(t)
        team = member.task.team
        team.ends += member.pending
        team.ends.append(self.end(t))

    def arrive(self, t):
        self.leave_loop(t)
        member = self.member(t)
        member.task.team.barriers[member.task.phase] += [*member.pending, self.release(self.now(t))]
        member.pending = []

    def pass_barrier(self, t):
        member = self.member(t)
        self.acquire(self.now(t), member.task.team.barriers[member.task.phase])
        member.task.phase += 1

    def enter_barrier(self, t, _):
        if self.member(t):
            self.arrive(t)

    def leave_barrier(self, t, _, left):
        if self.member(t) and not left.get("result"):
            self.pass_barrier(t)

    # --- worksharing ---

    def end_part(self, t):
        self.end_iteration(t)
        self.leave_loop(t)
        if self.now(t).kind == "part":
            end = self.end(t)
            self.now(t).pending.append(end)

    def begin_part(self, t):
        member = self.now(t)
        part = self.begin(t, "part", [member.share_begin], member.task)
        part.below = [member]
        if member.looped == member.task.phase:
            self.iterations += 1
            part.number, part.floor, part.looped = self.iterations, member.floor, member.looped
        part.sections = [list(s) for s in member.sections]

    def enter_work_begin(self, t, e):
        self.end_part(t)
        member = self.member(t)
        if not member:
            return
        kind, schedule = e["value"] & 15, e["value"] >> 4 & 7
        member.divided = not member.task.team.alone and (kind in (2, 3) or (kind == 1 and schedule in DIVIDED))
        member.single = kind == 3
        member.loop = kind == 1
        member.count = 0
        member.chunk = 0
        member.whole = e["object"], e.get("object2", 0)
        member.asked = e["value"] >> 8 if kind == 1 and schedule == 2 else 0
        member.constructs += 1
        member.share_begin = self.before_shares(member)
        member.copying = kind == 4
        if member.copying:
            self.arrive(t)

    def leave_work_begin(self, t, begun, left):
        member = self.member(t)
        if not member:
            return
        if begun["op"] == "omp-work-begin":
            member.step = left.get("result", 0)
        step = member.step or left.get("result", 0)
        if member.divided:
            member.count = count_of(left.get("object2", 0), left.get("value", 0), step)
            count, asked = count_of(*member.whole, step), member.asked
            shorter = (part for part in range(min(asked, count - 1), 0, -1) if asked % part == 0)
            member.chunk = asked if count > asked else next(shorter, 0)
        elif member.loop and begun["op"] == "omp-work-begin":
            member.count = count_of(begun["object"], begun.get("object2", 0), step)
        if member.copying and not left.get("result"):
            self.pass_barrier(t)
            member.copying = False
        elif member.divided and left.get("result"):
            self.begin_part(t)

    def enter_work_next(self, t, _):
        self.end_part(t)

    leave_work_next = leave_work_begin

    def enter_work_end(self, t, e):
        self.end_part(t)
        member = self.member(t)
        if not member:
            return
        member.divided = member.loop = False
        member.count = 0
        if member.copying:
            member.task.team.barriers[member.task.phase].append(self.release(member))
            member.copying = False
        elif not e.get("value"):
            self.arrive(t)

    def leave_work_end(self, t, begun, left):
        if self.member(t) and not begun.get("value") and not left.get("result"):
            self.pass_barrier(t)

    def enter_doacross_post(self, t, e):
        member = self.member(t)
        member.task.team.posts[member.constructs, e["object"]] = self.release(self.now(t))

    def leave_doacross_wait(self, t, begun, _):
        member = self.member(t)
        post = member.task.team.posts.get((member.constructs, begun["object"]))
        if post is not None:
            self.acquire(self.now(t), [post])

    # --- locks ---

    def lock(self, strand, key):
        for s in strand.sections:
            if s[0] == key:
                s[1] += 1
                return
        strand.sections.append([key, 1, []])

    def unlock(self, strand, key):
        for s in strand.sections:
            if s[0] == key:
                s[1] -= 1
                if s[1] == 0:
                    strand.sections.remove(s)
                    s[2].append(self.release(strand))
                return

    def leave_exclusive_begin(self, t, begun, left):
        if not left.get("result"):
            return
        if begun.get("value", 0) == ORDERED:
            self.acquire(self.now(t), self.now(t).task.team.ordered)
        else:
            self.lock(self.now(t), begun["object"])

    def enter_exclusive_end(self, t, e):
        if e.get("value", 0) == ORDERED:
            self.now(t).task.team.ordered = [self.release(self.now(t))]
        else:
            self.unlock(self.now(t), e["object"])

    # --- tasks ---

    def clauses(self, t, op):
        for e in reversed(self.threads[t].open):
            if e["op"] in op:
                return e
        return None

    def enter_task_depend(self, t, e):
        around = self.clauses(t, ("omp-task-create", "omp-taskwait"))
        around.setdefault("depends", []).append((e["object"], e["value"]))

    @staticmethod
    def depends_on(parent, clauses):
        """Of the siblings before it those that a task with these clauses waits for."""
        found = []
        for sibling, theirs in parent.siblings:
            for address, kind in clauses:
                if any(a == address and (OUT in (kind, k) or kind != k) for a, k in theirs):
                    found.append(sibling)
                    break
        return found

    def enter_task_create(self, t, e):
        flags = e.get("value", 0)
        e["group"] = [] if flags & LOOP and not flags & NO_GROUP else None
        e["undeferred"] = []

    def leave_task_data(self, t, begun, left):
        creation = self.clauses(t, ("omp-task-create",))
        parent = self.now(t).task
        task = Task(parent, parent.team)
        flags = creation.get("value", 0)
        task.of_loop = bool(flags & LOOP)
        task.final = bool(flags & FINAL) or parent.final
        task.undeferred = bool(flags & UNDEFERRED) or parent.final or not task.team
        task.created = [self.release(self.now(t))]
        if creation["group"] is not None:
            task.groups.append(creation["group"])
        clauses = creation.get("depends", [])
        task.waits_for = self.depends_on(parent, clauses)
        task.exclusive = sorted({("set", a) for a, k in clauses if k == MUTEX})
        if clauses:
            parent.siblings.append((task, clauses))
        parent.children.append(task)
        if task.undeferred:
            creation["undeferred"].append(task)
        if flags & DETACHED:
            self.detached[left["result"]] = task
        self.tasks[begun["object"]] = task

    def leave_task_create(self, t, begun, _):
        for task in begun["undeferred"]:
            self.acquire(self.now(t), task.done)
        if begun["group"]:
            self.acquire(self.now(t), begun["group"])

    def enter_task(self, t, e):
        task = self.tasks[e["object"]]
        outer = self.now(t) if task.undeferred else None
        preds = task.created + [n for other in task.waits_for for n in other.done]
        strand = self.begin(t, "task", preds, task)
        strand.share_begin = strand.at
        if outer:
            strand.sections = [list(s) for s in outer.sections]
        for key in task.exclusive:
            self.lock(strand, key)

    def leave_task(self, t, begun, _):
        self.end_iteration(t)
        strand = self.now(t)
        for key in strand.task.exclusive:
            self.unlock(strand, key)
        self.is_done(strand.task, self.graph.node([*strand.iterations, self.end(t)]))

    @staticmethod
    def is_done(task, node):
        task.done.append(node)
        for group in task.groups:
            group.append(node)
        if task.team:
            task.team.barriers[task.phase].append(node)

    def enter_task_fulfil(self, t, e):
        task = self.detached.pop(e["object"])
        self.is_done(task, self.release(self.now(t)))

    def leave_taskwait(self, t, begun, _):
        task = self.now(t).task
        waits_for = self.depends_on(task, begun.get("depends", [])) if begun.get("value") else task.children
        self.acquire(self.now(t), [n for other in waits_for for n in other.done])

    def enter_taskgroup_begin(self, t, _):
        self.now(t).task.groups.append([])

    def leave_taskgroup_end(self, t, *_):
        self.acquire(self.now(t), self.now(t).task.groups.pop())

    # --- accesses ---

    def access(self, t, ip, place, width, store):
        if not self.static[0] <= place < self.static[1]:
            return
        top = self.now(t)
        base = self.base(t)
        if self.looks:
            if base.arrivals or base.kind == "part" and base.number:
                self.words.touch(base.number, base.floor, place, width, store)
            return
        if top is base:
            return self.piece(ip, top, base, range(place, place + width), store)
        for shared, bytes_ in self.words.pieces(place, width):
            self.piece(ip, top, top if shared else base, bytes_, store)

    def piece(self, ip, top, strand, bytes_, store):
        last = {id(self.last[b]): self.last[b] for b in bytes_ if b in self.last}
        ends = []
        if not store:
            for other in last.values():
                for lock, _, end in other.sections:
                    if any(s[0] == lock and s[2] is not end for s in top.sections):
                        ends += end
        if ends:
            self.acquire(top, ends)
        node = strand.at = self.graph.node([strand.at])
        this = Access(strand, ip, store, {s[0] for s in top.sections}, node)
        this.sections = [tuple(s) for s in top.sections]
        this.seen = self.graph.seen[node]
        if not store:
            self.graph.saw(node, [other.node for other in last.values()])
        for b in bytes_:
            self.accesses[b].append(this)
            if store:
                self.last[b] = this

    def lines(self):
        pairs, schedulable, done = collections.Counter(), set(), set()
        for all_ in self.accesses.values():
            for j, b in enumerate(all_):
                for a in all_[:j]:
                    if not (a.store or b.store) or a.locks & b.locks or (a.node, b.node) in done:
                        continue
                    if a.strand is b.strand or self.graph.ordered(a.node, b.node):
                        continue
                    done.add((a.node, b.node))
                    pair = min(a.ip, b.ip), max(a.ip, b.ip)
                    pairs[pair] += 1
                    if not b.seen >> a.node & 1:
                        schedulable.add(pair)
        for pair in sorted(pairs):
            yield f"{pair[0]} {pair[1]} {pairs[pair]} {'' if pair in schedulable else 'un'}schedulable"

    # --- events ---

    def see(self, event):
        kind = event.get("event")
        if kind is None:
            self.program = os.path.basename(event.get("program", self.program or ""))
        elif kind == "module-mapped" and self.module is None and os.path.basename(event["path"]) == self.program:
            self.module, self.bias = event["module"], event["bias"]
        elif kind == "map":
            self.maps.append(event)
        elif kind == "thread-start":
            thread = self.threads[event["thread"]] = Thread()
            thread.running.append(Strand("thread", self.graph.node([]), Task()))
        elif kind in ("sync-enter", "sync-leave") and event["op"].startswith("omp-"):
            self.operation(event)
        elif kind in ("block", "partial") and event["module"] == self.module and "plt" not in event["flags"]:
            self.block(event)

    def block(self, event):
        if self.in_runtime(event["thread"]):
            return
        if self.static is None:
            end = self.bias
            for m in sorted(self.maps, key=lambda m: m["begin"]):
                if m["begin"] <= end and "heap" not in m["flags"]:
                    end = max(end, m["end"])
            self.static = self.bias, end
        for a in event["accesses"]:
            t = event["thread"]
            in_single = self.now(t).kind == "part" and self.member(t).single
            if a["width"] == 10 and not in_single:
                (self.begin_iteration if a["store"] else self.leave_loop)(t)
            self.access(t, a["ip"], a["addr"], a["width"], a["store"])
            if a["width"] == 10 and in_single:
                self.end_part(t)


def count_of(begin, end, step):
    """Of a loop's variable that goes from begin to end; 0: not told."""
    width = (end - begin + 2**63) % 2**64 - 2**63
    if step == 0 or width == 0 or (width < 0) != (step < 0):
        return 0
    return (abs(width) + abs(step) - 1) // abs(step)


def main():
    strands, lines = Strands(), []
    with open(sys.argv[1], encoding="utf-8") if len(sys.argv) > 1 else sys.stdin as file:
        for line in file:
            # A thread that waits in LLVM's library executes millions of its blocks.
            if '"event":"block"' not in line or f'"module":{strands.module},' in line:
                lines.append(line)
                strands.see(json.loads(line))
    strands = Strands(strands.words)
    for line in lines:
        strands.see(json.loads(line))
    print("".join(line + "\n" for line in strands.lines()), end="")


main()

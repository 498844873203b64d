# SPDX-License-Identifier: GPL-2.0-or-later
"""A slow count of what loops carry through memory, over dumped events, held against `cdrgrind advise`.

usage: advice.py PROGRAM EVENTS ADVICE
  PROGRAM  the executable, compiled without jump tables; one thread
  EVENTS   cdrgrind dump --format=json
  ADVICE   cdrgrind advise --format=json

Written from docs/advice.md and docs/dependences.md, without a look at the program's own code: loops of the instructions
that objdump shows, a node for every activation, loop instance and iteration, and for every byte its last write and all
readers since. Compares, loop by loop, instances, iterations, whether it is irregular, instructions, and the rows through
memory: kind, both ends, count, distances. Registers, classes and verdicts are not compared. Status 1 if anything differs.

Programs without jump tables have no threaded loops.

Where the page is silent: entered elsewhere than at the header, an irregular loop begins its first iteration there. What the
arrival does that is no iteration is carried to it as if it were one. Of an access to which a row comes over several distances
the least is counted. The header's own branch is the first one after an arrival there.
"""
import bisect
import collections
import json
import re
import subprocess
import sys

FUTEX = 202


# ---- Loops ----

class Loop:
    def __init__(self, header, nodes, irregular):
        self.header = header
        self.nodes = nodes
        self.irregular = irregular
        self.own_exit = None  # the header's own first branch, if it may leave the loop and does not repeat it
        self.instances = 0
        self.iterations = 0
        self.instructions = 0  # those of outermost instances
        self.longest = 0       # iteration of these
        self.rows = collections.defaultdict(collections.Counter)  # (kind, source, target) -> distance -> accesses


def disassemble(program):
    """The functions: name, entry, {address: (mnemonic, operands, next address)}."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-w", program], check=True, capture_output=True, text=True)
    functions, code = [], None
    for line in text.stdout.splitlines():
        label = re.match(r"([0-9a-f]+) <(.*)>:$", line)
        if label:
            code = []
            functions.append((label[2], int(label[1], 16), code))
            continue
        insn = re.match(r"\s*([0-9a-f]+):\s+(\S.*)$", line)
        if insn:
            code.append((int(insn[1], 16), insn[2]))
    for name, entry, code in functions:
        addresses = [a for a, _ in code]
        yield name, entry, {a: (t, n) for (a, t), n in zip(code, addresses[1:] + [None])}


def successors_in(code):
    """The graph of a function's instructions. What leaves the function has no edge."""
    graph = {}
    for address, (text, following) in code.items():
        words = [w for w in text.split() if w not in ("bnd", "notrack", "lock", "data16", "cs")]
        name, operand = (words + ["", ""])[:2]
        after = []
        if name.startswith("j"):
            target = None if operand.startswith("*") else int(operand.rstrip(",pnt"), 16)
            after = [target] if name.startswith("jmp") else [following, target]
        elif not name.startswith(("ret", "hlt", "ud2", "(bad)")) and words[:2] != ["repz", "ret"]:
            after = [following]
        graph[address] = list(dict.fromkeys(a for a in after if a in code))
    return graph


def reachable(graph, entry):
    seen, todo = {entry}, [entry]
    while todo:
        for following in graph[todo.pop()]:
            if following not in seen:
                seen.add(following)
                todo.append(following)
    return seen


def components(graph, nodes):
    """The sets of nodes that lie on common cycles, within `nodes`."""
    order, seen = [], set()
    for start in sorted(nodes):
        if start in seen:
            continue
        seen.add(start)
        path = [(start, iter(graph[start]))]
        while path:
            node, rest = path[-1]
            fresh = next((n for n in rest if n in nodes and n not in seen), None)
            if fresh is None:
                order.append(node)
                path.pop()
            else:
                seen.add(fresh)
                path.append((fresh, iter(graph[fresh])))
    before = collections.defaultdict(list)
    for node in nodes:
        for following in graph[node]:
            if following in nodes:
                before[following].append(node)
    seen = set()
    for start in reversed(order):
        if start in seen:
            continue
        seen.add(start)
        component, todo = {start}, [start]
        while todo:
            for n in before[todo.pop()]:
                if n not in seen:
                    seen.add(n)
                    component.add(n)
                    todo.append(n)
        if len(component) > 1 or start in graph[start]:
            yield component


def own_exit(graph, loop):
    node = loop.header
    for _ in loop.nodes:
        following = graph[node]
        if len(following) == 2:
            stays = [f for f in following if f in loop.nodes]
            return node if len(stays) == 1 and stays[0] != loop.header else None
        if not following or following[0] not in loop.nodes:
            return None
        node = following[0]
    return None


def entries_of(graph, entry, component, everything):
    return {n for n in component if n == entry} | {
        n for b in everything - component for n in graph[b] if n in component}


def turned(graph, entry, component, entries, everything, ran):
    """The lowest beginning of a straight way to an entry that all cycles pass which would be irregular, if there is one."""
    before = collections.defaultdict(set)
    for node in everything:
        for following in graph[node]:
            before[following].add(node)
    starts = set()
    for node in {b for e in entries for b in before[e] & component & ran}:
        while len(before[node]) == 1 and len(set(graph[min(before[node])])) == 1:
            node = min(before[node])
        starts.add(node)
    for start in sorted(starts & component - entries)[:8]:
        inner = list(components(graph, component - {start}))
        if all(len(entries_of(graph, entry, i, everything)) == 1 and not i & entries for i in inner):
            return start
    return None


def loops_among(graph, entry, nodes, everything, ran):
    for component in components(graph, nodes):
        entries = entries_of(graph, entry, component, everything)
        header, irregular = min(entries & ran or entries or component), len(entries) != 1
        within = components(graph, component - {header})
        if any(len(entries_of(graph, entry, i, everything)) != 1 for i in within):
            other = turned(graph, entry, component, entries, everything, ran)
            header, irregular = other or header, irregular or other is not None
        loop = Loop(header, component, irregular)
        loop.own_exit = own_exit(graph, loop)
        yield loop
        yield from loops_among(graph, entry, component - {loop.header}, everything, ran)


class Code:
    """The loops around each instruction of the program, outermost first, and what repeats itself."""
    def __init__(self, program, ran):
        self.around = collections.defaultdict(list)
        self.repeats = set()
        self.entries = {}
        self.loops = []
        for name, entry, code in disassemble(program):
            self.entries[name] = entry
            graph = successors_in(code)
            nodes = reachable(graph, entry) if code else set()
            for address, (text, _) in code.items():
                if text.startswith("rep"):
                    self.repeats.add(address)
            for loop in loops_among(graph, entry, nodes, nodes, ran):
                self.loops.append(loop)
                for address in loop.nodes:
                    self.around[address].append(loop)
        for around in self.around.values():
            around.sort(key=lambda l: -len(l.nodes))


def ran_of(events, path):
    """The addresses in the program's file of all instructions that were executed."""
    ran, bias, module = set(), None, None
    for line in events:
        if '"event":"module-mapped"' in line:
            e = json.loads(line)
            if e["path"] == path:
                bias, module = e["bias"], e["module"]
        elif '"event":"block"' in line or '"event":"partial"' in line:
            e = json.loads(line)
            if e["module"] == module:
                ran.update(ip - bias for ip in e["insns"])
    return ran


# ---- Regions ----

class Region:
    """An activation (loop and number are None), an instance of a loop, or an iteration, which has a number."""
    def __init__(self, above, loop=None, number=None, site=None, hidden=False):
        self.above = above
        self.depth = above.depth + 1 if above else 0
        self.loop = loop
        self.number = number
        self.site = site
        self.hidden = hidden
        self.length = 0       # of an iteration: instructions
        self.in_head = False  # of an iteration: it has not passed the loop's own exit


class Frame:
    def __init__(self, region):
        self.region = region
        self.inside = []  # the open loops: [instance, iteration], outermost first
        self.latest = None
        self.named = False
        self.left = (False, False, False)  # the latest block left by a jump, was of a PLT, of ld.so
        self.lazy = False

    def here(self):
        return self.inside[-1][1] if self.inside else self.region

    def step(self, code, address):
        """The next instruction of the frame, as objdump counts."""
        if address == self.latest and address in code.repeats:
            return
        around = code.around.get(address, [])
        left = len(self.inside)
        while left and self.inside[left - 1][0].loop not in around:
            left -= 1
        for instance, iteration in self.inside[left:]:
            loop = instance.loop
            if self.latest == loop.own_exit and iteration.in_head:
                loop.iterations -= 1
        del self.inside[left:]
        for loop in around[left:]:
            loop.instances += 1
            instance = Region(self.here(), loop)
            self.inside.append([instance, Region(instance, loop, 0)])
            if address != loop.header:  # one of several entries, so the first iteration begins here
                self.inside[-1][1] = self.iteration(instance, 1)
        for entry in self.inside:
            instance, iteration = entry
            loop = instance.loop
            if address == loop.header:
                entry[1] = self.iteration(instance, iteration.number + 1)
            elif self.latest == loop.own_exit:
                iteration.in_head = False
        self.latest = address

    @staticmethod
    def iteration(instance, number):
        loop = instance.loop
        loop.iterations += 1
        begun = Region(instance, loop, number)
        begun.in_head = loop.own_exit is not None
        return begun


class Access:
    def __init__(self, at, region, ip, store, linkage, lazy, sp, sp_after):
        self.at = at
        self.region = region
        self.ip = ip
        self.store = store
        self.linkage = linkage
        self.lazy = lazy
        self.sp = sp              # the lower of the values before and after the instruction
        self.sp_after = sp_after


class Ascent:
    """The way up from an access: a region that holds it, the one below that, and what the access is called there."""
    def __init__(self, access):
        self.region = access.region
        self.below = None
        self.end = ("-", access.ip)
        self.hidden = False

    def up(self):
        self.below = self.region
        if self.below.site is not None:
            self.end = ("c", self.below.site)
            self.hidden = self.hidden or self.below.hidden
        self.region = self.below.above


def meet(source, target):
    """The ways up to the innermost region that holds both."""
    s, t = Ascent(source), Ascent(target)
    while s.region is not t.region:
        deeper = s if s.region.depth >= t.region.depth else t
        deeper.up()
    return s, t


class Machine:
    def __init__(self, code, path):
        self.code = code
        self.path = path
        self.bias = None
        self.module = None
        self.frames = []
        self.now = 1
        self.sp = 0
        self.stack = (0, 0)
        self.heights = []  # the stack pointer's changes: (time, value), without what was exceeded since
        self.heap = []     # (time, allocated, begin, end)
        self.got = {}      # by module
        self.memory = {}   # byte -> [the last write, readers since]
        self.carried = {}  # of the present access: (loop, kind, source, target) -> distances

    # Before main only where things lie is looked at.
    def run(self, events):
        next(events)
        main = None
        early = re.compile(r'"event":"(thread-start|module-mapped|module-unmapped)"')
        for line in events:
            if main is None or not self.frames:
                if early.search(line):
                    self.layout(json.loads(line))
                    if self.bias is not None:
                        main = self.code.entries["main"] + self.bias
                        at_main = f'"addr":{main},'
                    continue
                if main is None or at_main not in line:
                    continue
                e = json.loads(line)
                if e["event"] != "block" or e["addr"] != main:
                    continue
                self.frames.append(Frame(Region(None)))
                self.sp = e["sp_in"]
            else:
                e = json.loads(line)
            self.now += 1
            self.event(e)
            if not self.frames:
                return

    def layout(self, e):
        if e["event"] == "thread-start":
            if e["thread"] != 1:
                raise ValueError("a second thread")
            self.stack = (e["begin"], e["end"])
        elif e["event"] == "module-mapped":
            self.got[e["module"]] = [(e["got_begin"], e["got_end"]), (e["got_plt_begin"], e["got_plt_end"])]
            if e["path"] == self.path:
                self.bias, self.module = e["bias"], e["module"]
        else:
            self.got.pop(e["module"], None)

    def event(self, e):
        kind = e["event"]
        if kind in ("block", "partial"):
            self.block(e)
        elif kind == "call":
            self.frames.append(Frame(Region(self.frames[-1].here(), site=e["ip"])))
        elif kind == "return":
            self.frames.pop()
        elif kind == "pop":
            del self.frames[len(self.frames) - e["count"]:]
        elif kind == "stack-pointer":
            self.set_sp(e["sp"])
        elif kind == "syscall":
            self.syscall(e)
        elif kind == "alloc":
            self.heap.append((self.now, True, e["addr"], e["addr"] + e["size"]))
        elif kind == "free":
            self.heap.append((self.now, False, e["addr"], e["addr"] + e["size"]))
        elif kind == "resize":
            before, after = e["addr"] + e["size"], e["addr"] + e["new_size"]
            self.heap.append((self.now, after > before, min(before, after), max(before, after)))
        elif kind in ("map", "unmap"):
            for byte in [b for b in self.memory if e["begin"] <= b < e["end"]]:
                del self.memory[byte]
        elif kind in ("module-mapped", "module-unmapped"):
            self.layout(e)
        elif kind in ("stack-switch", "signal-enter", "signal-leave", "gap-begin", "gap-end", "enter", "thread-start"):
            raise ValueError(f"{kind}: more than this reference knows")

    def set_sp(self, sp):
        self.sp = sp
        while self.heights and self.heights[-1][1] <= sp:
            self.heights.pop()
        self.heights.append((self.now, sp))

    def block(self, e):
        frame, flags = self.frames[-1], e["flags"]
        jumped, from_plt, from_ldso = frame.left
        if not frame.named or ("entry" in flags and jumped):
            frame.named = True
            frame.region.hidden = "hidden" in flags
        if jumped and from_plt and "ldso" in flags:
            frame.lazy = True
        if jumped and from_ldso and "ldso" not in flags:
            frame.lazy = False
        frame.left = (e.get("exit", {}).get("kind") in ("branch", "indirect-jump"), "plt" in flags, "ldso" in flags)
        if e["sp_in"] != self.sp:
            self.set_sp(e["sp_in"])
        lazy = any(f.lazy for f in self.frames)
        heights = {s["insn"]: s["sp"] for s in e["sp"]}
        accesses = collections.defaultdict(list)
        for a in e["accesses"]:
            accesses[a["insn"]].append(a)
        own = e["module"] == self.module
        for k, ip in enumerate(e["insns"]):
            self.now += 1
            if own:
                frame.step(self.code, ip - self.bias)
            self.count()
            after = heights.get(k, self.sp)
            if "shim" not in flags:
                for a in accesses[k]:
                    self.access(Access(self.now, frame.here(), ip, a["store"], "linkage" in a["flags"], lazy,
                                       min(self.sp, after), after), a["addr"], a["width"])
            if k in heights:
                self.set_sp(after)
        self.now += 1

    def count(self):
        """The instruction counts for every loop that is open, in its outermost instance."""
        counted = set()
        for frame in self.frames:
            for instance, iteration in frame.inside:
                loop = instance.loop
                if loop not in counted:
                    counted.add(loop)
                    loop.instructions += 1
                    iteration.length += 1
                    loop.longest = max(loop.longest, iteration.length)

    def syscall(self, e):
        if e["number"] == FUTEX:
            return
        lazy = any(f.lazy for f in self.frames)
        for m in e["memory"]:
            self.access(Access(self.now, self.frames[-1].here(), e["ip"], m["store"], False, lazy, self.sp, self.sp),
                        m["addr"], m["size"])

    def access(self, a, addr, width):
        if not any(f.inside for f in self.frames):
            self.memory.clear()  # both ends of what a loop carries lie within it
            return
        self.carried = collections.defaultdict(set)
        for byte in range(addr, addr + width):
            state = self.memory.setdefault(byte, [None, []])
            if a.store:
                for reader in state[1]:
                    self.depend("war", reader, a, byte)
                if state[0]:
                    self.depend("waw", state[0], a, byte)
                state[0], state[1] = a, []
            else:
                if state[0]:
                    self.depend("raw", state[0], a, byte)
                state[1].append(a)
        for (loop, *key), distances in self.carried.items():
            loop.rows[tuple(key)][min(distances)] += 1

    def depend(self, kind, source, target, byte):
        if source.at == target.at:
            return
        s, t = meet(source, target)
        loop = s.region.loop
        if loop is None or s.region.number is not None or s.hidden or t.hidden:
            return
        if self.linkage(source, target, byte) or self.recycled(source, target, byte) or self.false(source, target, byte):
            return
        self.carried[loop, kind, s.end, t.end].add(t.below.number - s.below.number)

    def linkage(self, source, target, byte):
        return (source.linkage and target.linkage) or source.lazy or target.lazy or any(
            begin <= byte < end for ranges in self.got.values() for begin, end in ranges)

    def recycled(self, source, target, byte):
        freed = False
        for _, allocated, begin, end in self.heap[bisect.bisect(self.heap, (source.at,)):]:
            if begin <= byte < end:
                if allocated and freed:
                    return True
                freed = freed or not allocated
        return False

    def false(self, source, target, byte):
        if not self.stack[0] <= byte < self.stack[1]:
            return False
        since = bisect.bisect(self.heights, (source.at + 1,))
        greatest = max([source.sp_after] + [sp for _, sp in self.heights[since:since + 1]])
        return greatest > byte and greatest > source.sp


# ---- Comparison ----

# Of a loop, here and there.
NUMBERS = {"instances": "instances", "iterations": "iterations", "irregular": "irregular", "instructions": "instructions",
           "longest": "longest_iteration"}


def buckets(distances):
    """Counts of 1, 2, 3 and 4, 5 to 8 …"""
    found = collections.Counter()
    for distance, count in distances.items():
        found[(distance - 1).bit_length()] += count
    return [found[k] for k in range(max(found) + 1)]


def reference_rows(machine):
    found = {}
    for loop in machine.code.loops:
        if not loop.instances:
            continue
        rows = {}
        for (kind, s, t), distances in loop.rows.items():
            rows[kind, s[1] - machine.bias, s[0], t[1] - machine.bias, t[0]] = (
                sum(distances.values()), buckets(distances), min(distances), max(distances))
        found[loop.header] = ([getattr(loop, a) for a in NUMBERS], rows)
    return found


def advised_rows(advice, bias):
    """A row of several objects is one here."""
    found = {}
    for loop in json.load(open(advice))["loops"]:
        rows = {}
        for item in loop["carried"]:
            if re.search(r"(^|\()register |^x87", item["object"]):
                continue
            for r in item["rows"]:
                if r["between"]:
                    continue
                ends = [x for end in (r["source"], r["target"]) for x in (end["ip"] - bias, "c" if end["call"] else "-")]
                count, distances, least, greatest = rows.get((r["kind"], *ends), (0, [], 1 << 62, 0))
                length = max(len(distances), len(r["distances"]))
                both = [sum(d[k] for d in (distances, r["distances"]) if k < len(d)) for k in range(length)]
                rows[(r["kind"], *ends)] = (count + r["count"], both, min(least, r["least"]), max(greatest, r["greatest"]))
        found[loop["header"] - bias] = ([loop[name] for name in NUMBERS.values()], rows)
    return found


def compare(want, got):
    wrong = []
    for header in sorted(want.keys() | got.keys()):
        if header not in got or header not in want:
            wrong.append(f"loop {header:#x}: only in the {'advice' if header in got else 'reference'}")
            continue
        for name, w, g in zip(NUMBERS.values(), want[header][0], got[header][0]):
            if w != g:
                wrong.append(f"loop {header:#x}: {name}: {g}, not {w}")
        w, g = want[header][1], got[header][1]
        for key in sorted(w.keys() | g.keys()):
            if w.get(key) != g.get(key):
                kind, source, s, target, t = key
                wrong.append(f"loop {header:#x}: {kind} {source:#x}{s} {target:#x}{t}: {g.get(key)}, not {w.get(key)}")
    return wrong


def main():
    program, events, advice = sys.argv[1:]
    with open(events) as lines:
        code = Code(program, ran_of(lines, program))
    machine = Machine(code, program)
    with open(events) as lines:
        machine.run(lines)
    want = reference_rows(machine)
    wrong = compare(want, advised_rows(advice, machine.bias))
    print("\n".join(wrong[:20] + [f"{len(want)} loops, {sum(len(w[1]) for w in want.values())} rows, {len(wrong)} wrong"]))
    sys.exit(bool(wrong))


main()

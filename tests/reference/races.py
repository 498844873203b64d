# SPDX-License-Identifier: GPL-2.0-or-later
"""The slow reference of `cdrgrind races --atomics=race --adhoc=race'.

    races.py [FILE]

Reads what `cdrgrind dump --format=json' prints and compares every access of the program's own code with all earlier
ones to the same bytes. It keeps everything: each access with its vector clocks, each byte's accesses. It shares no
code with the program, so that the two can be held against each other.

A line for each pair of instructions that race, sorted: IP IP INSTANCES schedulable|unschedulable, the lower address
first. An instance is a pair of accesses of two threads in one generation of the memory, not both loads, with a byte
in common, that nothing orders. It is schedulable if the reads between, which saw what another thread had written, do
not order it either: Mathur, Kini, Viswanathan, "What happens-after the first race?" (2018).
"""
import collections
import json
import os
import sys

# An access. `tick' numbers the thread's accesses; `seen' is what the thread knew then, reads included.
Access = collections.namedtuple("Access", "thread tick ip store seen")


def join(clock, other):
    for thread, tick in other.items():
        clock[thread] = max(clock.get(thread, 0), tick)


class Clocks:
    """What a thread knows, thread by thread: the last access that happened before. Once by synchronisation alone,
    once with an order from each write to the reads that saw it."""

    def __init__(self):
        self.synchronised = {}
        self.observed = {}

    def copy(self):
        other = Clocks()
        other.synchronised.update(self.synchronised)
        other.observed.update(self.observed)
        return other

    def join(self, other):
        join(self.synchronised, other.synchronised)
        join(self.observed, other.observed)


class Thread:
    def __init__(self, number):
        self.number = number
        self.clocks = Clocks()
        self.stack = (0, 0)
        self.hidden = False
        self.ip = 0         # the last instruction of the program's own code
        self.undo = {}      # object -> its releases before the unlock that is under way
        self.waits = {}     # condition -> when this thread's wait began
        self.phases = {}    # barrier -> the phase this thread is in
        self.creating = []  # what it knew when it entered the creation of a thread

    def know(self, *releases):
        for clocks in releases:
            self.clocks.join(clocks)


class Signal:
    """Of a condition, or a broadcast."""

    def __init__(self, clocks, everybody):
        self.clocks = clocks
        self.everybody = everybody
        self.left = None
        self.given = False

    def wakes(self, began):
        return not self.given and (self.left is None or self.left > began)


class Object:
    """What has been released of a lock, a semaphore, a condition …; there are copies of clocks in all lists."""

    def __init__(self):
        self.writes = []    # the last release, of a read-write lock that of a writer
        self.reads = []     # of readers since then
        self.writer = None
        self.signals = []
        self.posts = []
        self.initial = 0    # a semaphore's value
        self.waits = 0      # successful ones
        self.count = 0      # a barrier's
        self.arrivals = []
        self.all = []       # of `once', and of HAPPENS_BEFORE


class Synchronisation:
    """The order of what releases by its enter event, of what acquires by its leave event."""

    def __init__(self, threads):
        self.threads = threads
        self.objects = collections.defaultdict(Object)
        self.signalling = {}  # thread -> its signal that is not left

    def see(self, event):
        thread = self.threads[event["thread"]]
        phase = event["event"][5:]
        flags = event.get("flags", [])
        name = event["op"].replace("timed-", "").replace("try-", "").replace("-", "_")
        action = getattr(self, f"{phase}_{name}", None)
        if action and (not flags or name in ("mutex_unlock", "rw_unlock", "spin_unlock", "cond_wait")):
            action(thread, self.objects[event["object"]], event)

    # Locks.

    def enter_rw_unlock(self, thread, o, event):
        thread.undo[event["object"]] = (o.writes, o.reads, o.writer)
        if o.writer == thread.number:
            o.writes, o.reads, o.writer = [thread.clocks.copy()], [], None
        else:
            o.reads = o.reads + [thread.clocks.copy()]

    def leave_rw_unlock(self, thread, o, event):
        before = thread.undo.pop(event["object"])
        if event["flags"]:
            o.writes, o.reads, o.writer = before

    def leave_rw_read_lock(self, thread, o, _):
        thread.know(*o.writes)

    def leave_rw_write_lock(self, thread, o, _):
        thread.know(*o.writes, *o.reads)
        o.writer = thread.number

    # A mutex is a read-write lock without readers; an unlock by whom it does not belong to fails.
    def enter_mutex_unlock(self, thread, o, event):
        thread.undo[event["object"]] = (o.writes, o.reads, o.writer)
        o.writes = [thread.clocks.copy()]

    leave_mutex_unlock = leave_rw_unlock
    enter_spin_unlock = enter_mutex_unlock
    leave_spin_unlock = leave_rw_unlock

    def leave_mutex_lock(self, thread, o, _):
        thread.know(*o.writes)

    leave_spin_lock = leave_mutex_lock

    # Conditions. A signal wakes one that waits before the signal is left, the earliest such signal first.

    def enter_cond_wait(self, thread, o, event):
        self.objects[event["object2"]].writes = [thread.clocks.copy()]
        thread.waits[event["object"]] = event["i"]

    def leave_cond_wait(self, thread, o, event):
        thread.know(*self.objects[event["object2"]].writes)
        began = thread.waits.pop(event["object"])
        woken = [signal for signal in o.signals if signal.wakes(began)]
        if woken and not event["flags"]:
            thread.know(woken[0].clocks)
            woken[0].given = not woken[0].everybody

    def enter_cond_signal(self, thread, o, event):
        signal = Signal(thread.clocks.copy(), event["op"] == "cond-broadcast")
        self.signalling[thread.number] = signal
        o.signals.append(signal)

    def leave_cond_signal(self, thread, o, event):
        self.signalling.pop(thread.number).left = event["i"]

    enter_cond_broadcast = enter_cond_signal
    leave_cond_broadcast = leave_cond_signal

    # Semaphores and barriers.

    def enter_sem_init(self, thread, o, event):
        self.objects[event["object"]] = Object()
        self.objects[event["object"]].initial = event["value"]

    def enter_sem_post(self, thread, o, _):
        o.posts.append(thread.clocks.copy())

    def leave_sem_wait(self, thread, o, _):
        if o.waits >= o.initial:
            thread.know(o.posts[o.waits - o.initial])
        o.waits += 1

    def enter_barrier_init(self, thread, o, event):
        self.objects[event["object"]] = Object()
        self.objects[event["object"]].count = event["value"]

    def enter_barrier_wait(self, thread, o, event):
        thread.phases[event["object"]] = len(o.arrivals) // o.count
        o.arrivals.append(thread.clocks.copy())

    def leave_barrier_wait(self, thread, o, event):
        first = thread.phases.pop(event["object"]) * o.count
        thread.know(*o.arrivals[first:first + o.count])

    # Threads. What the joined one did in its last steps counts, be it after pthread_exit() was called.

    def enter_thread_create(self, thread, o, event):
        thread.creating = [thread.clocks.copy()]

    def leave_thread_create(self, thread, o, event):
        thread.creating = []

    def leave_thread_join(self, thread, o, event):
        if event["value"]:
            thread.know(self.threads[event["value"]].clocks)

    def leave_once_run(self, thread, o, _):
        o.all.append(thread.clocks.copy())

    def leave_once(self, thread, o, event):
        if not event["value"]:
            thread.know(*o.all)

    def enter_guard_release(self, thread, o, _):
        o.all.append(thread.clocks.copy())

    enter_guard_abort = enter_guard_release
    leave_guard_acquire = leave_once
    enter_happens_before = enter_guard_release

    def leave_happens_after(self, thread, o, _):
        thread.know(*o.all)


class Memory:
    """Every byte's accesses in its present generation."""

    def __init__(self):
        self.accesses = {}  # byte -> thread -> accesses
        self.last = {}      # byte -> the last store
        self.pairs = collections.Counter()
        self.schedulable = set()

    def forget(self, begin, end):
        for byte in [b for b in self.accesses if begin <= b < end]:
            del self.accesses[byte]
        for byte in [b for b in self.last if begin <= b < end]:
            del self.last[byte]

    def touched(self, begin, end):
        return any(begin <= b < end for b in self.accesses)

    def access(self, thread, ip, place, width, store):
        if thread.hidden:
            return
        bytes_ = range(place, place + width)
        clocks, number = thread.clocks, thread.number
        tick = clocks.synchronised.get(number, 0) + 1
        clocks.synchronised[number] = clocks.observed[number] = tick
        before = dict(clocks.observed)
        if not store:
            for byte in bytes_:
                if byte in self.last:
                    join(clocks.observed, self.last[byte].seen)
        this = Access(number, tick, ip, store, dict(clocks.observed))
        self.compare(this, clocks.synchronised, before, bytes_)
        for byte in bytes_:
            if store:
                self.last[byte] = this
            self.accesses.setdefault(byte, {}).setdefault(number, []).append(this)

    def compare(self, this, synchronised, before, bytes_):
        earlier = {}  # by identity: an access counts once, whatever the overlap
        for byte in bytes_:
            for thread, accesses in self.accesses.get(byte, {}).items():
                if thread != this.thread:
                    earlier.update((id(a), a) for a in accesses if a.store or this.store)
        for access in earlier.values():
            if synchronised.get(access.thread, 0) < access.tick:
                pair = (min(access.ip, this.ip), max(access.ip, this.ip))
                self.pairs[pair] += 1
                if before.get(access.thread, 0) < access.tick:
                    self.schedulable.add(pair)


class Races:
    def __init__(self):
        self.threads = {}
        self.born = {}      # thread -> what its creator knew, nothing in a hide region
        self.program = None
        self.module = None  # that of the program
        self.maps = []
        self.linker = (0, 0)  # the dynamic linker's code and data: its locks order nothing
        self.memory = Memory()
        self.synchronisation = Synchronisation(self.threads)

    def lines(self):
        memory = self.memory
        for pair in sorted(memory.pairs):
            label = "schedulable" if pair in memory.schedulable else "unschedulable"
            yield f"{pair[0]} {pair[1]} {memory.pairs[pair]} {label}"

    # Most of a trace is other code, and parsing is slow.
    def wanted(self, line):
        return '"event":"block"' not in line or f'"module":{self.module},' in line

    def see(self, event):
        if event.get("event", "").startswith("sync-"):
            if not self.linker[0] <= event["object"] < self.linker[1]:
                self.synchronisation.see(event)
        else:
            action = getattr(self, "see_" + event.get("event", "header").replace("-", "_"), None)
            if action:
                action(event)

    def see_header(self, event):
        self.program = os.path.basename(event.get("program", ""))

    def see_module_mapped(self, event):
        if self.module is None and os.path.basename(event["path"]) == self.program:
            self.module = event["module"]
        if "ldso" in event["flags"]:
            self.linker = self.extent(event["bias"])

    def extent(self, begin):
        """What is mapped from there on without a gap, the heap left out."""
        heap = min((m["begin"] for m in self.maps if "heap" in m["flags"] and m["begin"] > begin), default=2**64)
        end = begin
        for m in sorted(self.maps, key=lambda m: m["begin"]):
            if m["begin"] <= end:
                end = max(end, min(m["end"], heap))
        return begin, end

    def see_thread_create(self, event):
        self.born[event["child"]] = self.threads[event["thread"]].creating

    def see_thread_start(self, event):
        thread = self.threads[event["thread"]] = Thread(event["thread"])
        thread.know(*self.born.get(event["thread"], []))
        thread.stack = (event["begin"], event["end"])
        self.memory.forget(*thread.stack)

    def see_thread_end(self, event):
        self.memory.forget(*self.threads[event["thread"]].stack)

    def see_hide_begin(self, event):
        self.threads[event["thread"]].hidden = True

    def see_hide_end(self, event):
        self.threads[event["thread"]].hidden = False

    def see_block(self, event):
        if event["module"] != self.module or "plt" in event["flags"]:
            return
        thread = self.threads[event["thread"]]
        for a in event["accesses"]:
            self.memory.access(thread, a["ip"], a["addr"], a["width"], a["store"])
        if event["insns"]:
            thread.ip = event["insns"][-1]

    see_partial = see_block

    def see_alloc(self, event):
        self.memory.forget(event["addr"], event["addr"] + event["size"])

    # A store to the whole block by the call in the program's own code. It stays that block until it is given out again.
    def see_free(self, event):
        thread, begin, end = self.threads[event["thread"]], event["addr"], event["addr"] + event["size"]
        if self.memory.touched(begin, end):
            self.memory.access(thread, thread.ip, begin, event["size"], True)

    def see_unmap(self, event):
        self.memory.forget(event["begin"], event["end"])

    def see_map(self, event):
        self.see_unmap(event)
        self.maps.append(event)


def main():
    races = Races()
    with open(sys.argv[1], encoding="utf-8") if len(sys.argv) > 1 else sys.stdin as lines:
        for line in lines:
            if races.wanted(line):
                races.see(json.loads(line))
    print("".join(line + "\n" for line in races.lines()), end="")


if __name__ == "__main__":
    main()

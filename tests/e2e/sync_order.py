# SPDX-License-Identifier: GPL-2.0-or-later
"""The log of synchronisation orders what the program did.

Reads `cdrgrind dump --format=json --events=sync,thread,turn' and replays it: what releases counts when it is
entered, what acquires when it is left with success. A lock that two threads hold, a wait that nothing ended, a
routine that was to run once and ran twice: each is a line on stdout, and the status is 1.
"""
import collections
import json
import sys


class Object:
    """What is known of one lock, semaphore, barrier, condition, once control or guard."""

    def __init__(self):
        self.holders = collections.Counter()  # thread -> how often it holds the lock
        self.writer = None
        self.tokens = 0                       # of a semaphore
        self.need = 0                         # threads of a barrier
        self.arrived = self.left = 0
        self.signals = {}                     # of a condition, that can still wake somebody: index -> waiters left
        self.waiters = {}                     # thread -> index of its enter
        self.done = False                     # the routine has returned, the variable is there
        self.initialiser = None


class Replay:
    def __init__(self):
        self.objects = collections.defaultdict(Object)
        self.ended = set()
        self.created = set()
        self.errors = []
        self.event = None
        self.taken = {}  # thread -> what its wait has given up

    def bad(self, text):
        e = self.event
        self.errors.append(f"event {e['i']}, thread {e['thread']}: {e['event']} {e.get('op', '')}: {text}")

    def see(self, e):
        self.event = e
        kind, thread = e["event"], e["thread"]
        if kind == "thread-create":
            self.created.add(e["child"])
        elif kind == "thread-start" and thread != 1 and thread not in self.created:
            self.bad("nobody has created it")
        elif kind == "thread-end":
            self.ended.add(thread)
        elif kind in ("sync-enter", "sync-leave"):
            name = f"{kind[5:]}_{e['op'].replace('-', '_')}"
            failed = bool(e.get("flags"))
            self.operate(name, thread, self.objects[e["object"]], failed, e)

    def operate(self, name, thread, o, failed, e):
        phase, op = name.split("_", 1)
        if op in ("mutex_unlock", "rw_unlock", "spin_unlock"):
            self.unlock(phase, thread, o, failed)
        elif op.startswith("rw_") and op.endswith("_lock"):
            if phase == "leave" and not failed:
                self.lock(thread, o, "write" in op)
        elif op.endswith("_lock"):
            if phase == "leave" and not failed:
                self.lock(thread, o, True)
        elif op in ("cond_wait", "cond_timed_wait"):
            self.wait(phase, thread, o, self.objects[e["object2"]], failed)
        else:
            method = getattr(self, name, None)
            if method:
                method(thread, o, failed, e)

    def lock(self, thread, o, write):
        others = [t for t in o.holders if t != thread and o.holders[t] > 0]
        if (write and others) or (o.writer not in (None, thread)):
            self.bad(f"held by {others or o.writer}")
        o.holders[thread] += 1
        if write:
            o.writer = thread

    def unlock(self, phase, thread, o, failed):
        if phase == "enter" and o.holders[thread] > 0:
            o.holders[thread] -= 1
            if o.holders[thread] == 0 and o.writer == thread:
                o.writer = None
        elif phase == "leave" and failed and o.writer is None and o.holders[thread] > 0:
            o.writer = thread

    def wait(self, phase, thread, o, mutex, failed):
        if phase == "enter":
            o.waiters[thread] = self.event["i"]
            self.taken[thread] = mutex.holders[thread]
            mutex.holders[thread], mutex.writer = 0, None
            return
        for _ in range(self.taken.pop(thread, 0)):
            self.lock(thread, mutex, True)
        self.woken(thread, o, failed)

    # The earliest signal or broadcast that was under way or entered while the thread waited.
    def woken(self, thread, o, failed):
        since = o.waiters.pop(thread)
        if failed:
            return
        for index, signal in sorted(o.signals.items()):
            if signal["left"] is None or signal["left"] > since:
                signal["count"] -= 1
                if signal["count"] == 0:
                    del o.signals[index]
                return
        self.bad("nobody has signalled")

    def enter_cond_signal(self, thread, o, failed, e):
        o.signals[e["i"]] = {"thread": thread, "left": None, "count": 1}

    def enter_cond_broadcast(self, thread, o, failed, e):
        o.signals[e["i"]] = {"thread": thread, "left": None, "count": 1 << 30}

    def leave_cond_signal(self, thread, o, failed, e):
        for signal in o.signals.values():
            if signal["thread"] == thread and signal["left"] is None:
                signal["left"] = e["i"]

    leave_cond_broadcast = leave_cond_signal

    def enter_sem_init(self, thread, o, failed, e):
        o.tokens = e["value"]

    def enter_sem_post(self, thread, o, failed, e):
        o.tokens += 1

    def leave_sem_wait(self, thread, o, failed, e):
        if failed:
            return
        o.tokens -= 1
        if o.tokens < 0:
            self.bad("no post before")

    leave_sem_try_wait = leave_sem_timed_wait = leave_sem_wait

    def enter_barrier_init(self, thread, o, failed, e):
        o.need, o.arrived, o.left = e["value"], 0, 0

    def enter_barrier_wait(self, thread, o, failed, e):
        o.arrived += 1

    def leave_barrier_wait(self, thread, o, failed, e):
        o.left += 1
        if o.need and o.left > o.arrived // o.need * o.need:
            self.bad(f"{o.arrived} of {o.need} have come")

    def leave_thread_join(self, thread, o, failed, e):
        if not failed and e["value"] not in self.ended:
            self.bad(f"thread {e['value']} has not ended")

    def leave_once_run(self, thread, o, failed, e):
        if not failed and o.done:
            self.bad("it has run before")
        o.done = o.done or not failed

    def leave_once(self, thread, o, failed, e):
        if not failed and not o.done:
            self.bad("the routine has not returned")

    def leave_guard_acquire(self, thread, o, failed, e):
        if e["value"] == 1 and (o.done or o.initialiser is not None):
            self.bad("another initialises, or has")
        if e["value"] == 1:
            o.initialiser = thread
        elif not o.done:
            self.bad("the variable is not there yet")

    def enter_guard_release(self, thread, o, failed, e):
        o.done, o.initialiser = True, None

    def enter_guard_abort(self, thread, o, failed, e):
        o.initialiser = None


def main():
    replay = Replay()
    with open(sys.argv[1], encoding="utf-8", errors="replace") as lines:
        for line in lines:
            event = json.loads(line)
            if "event" in event:
                replay.see(event)
    for error in replay.errors:
        print(error)
    return bool(replay.errors)


if __name__ == "__main__":
    sys.exit(main())

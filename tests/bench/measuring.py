# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs kernels under tools, one at a time, and keeps what each run took.

A run's result must be what the kernel gives without Valgrind. Traces are removed as soon as their size is known, and
nothing is left behind when the measuring is interrupted.
"""
import contextlib
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass


class Failure(Exception):
    pass


@dataclass(frozen=True)
class Sample:
    cpu_ms: int
    wall_ms: int
    peak_kb: int
    trace_bytes: int


@dataclass(frozen=True)
class Counts:
    """What a recording of some rounds holds."""

    events: int
    blocks: int
    words: int
    accesses: int

    def continued(self, later, rounds_before, rounds_later, rounds):
        """By two recordings, for any number of rounds: every round adds the same."""

        def one(a, b):
            return a + (b - a) * (rounds - rounds_before) // (rounds_later - rounds_before)

        return Counts(*(one(a, b) for a, b in zip(vars(self).values(), vars(later).values())))


class Progress:
    """One line that is written over on a terminal; elsewhere a line for every kernel."""

    def __init__(self):
        self.terminal = sys.stderr.isatty()

    def step(self, text):
        if self.terminal:
            print(f"\r{text:<79.79}\r", end="", file=sys.stderr, flush=True)

    def line(self, text):
        self.step("")
        print(text, file=sys.stderr, flush=True)


class Machine:
    """How much of the processors others used meanwhile."""

    def __init__(self):
        self.start = self._busy()
        self.own_ms = 0

    @staticmethod
    def _busy():
        with open("/proc/stat") as f:
            ticks = [int(n) for n in f.readline().split()[1:9]]
        return sum(ticks) - ticks[3] - ticks[4], sum(ticks)

    def used_by_others(self):
        """The share of all processor time since the start."""
        busy, total = (now - then for now, then in zip(self._busy(), self.start))
        own_ticks = self.own_ms * os.sysconf("SC_CLK_TCK") / 1000
        return max(0.0, (busy - own_ticks) / total) if total else 0.0


class Bench:
    def __init__(self, build, valgrind):
        self.programs = f"{build}/tests/bench/programs"
        self.measure = f"{build}/tests/programs/measure"
        self.cdrgrind = f"{build}/cdrgrind/cli/cdrgrind"
        self.valgrind = valgrind + ".bin" if os.access(valgrind + ".bin", os.X_OK) else valgrind
        self.work = tempfile.mkdtemp(prefix="cdrgrind-bench-")
        self.progress = Progress()
        self.machine = Machine()
        self.samples = defaultdict(list)  # (kernel's name, threads, configuration's name)
        self.counts = {}  # (kernel's name, threads)
        self.rounds = {}  # kernel's name
        self.wanted = {}  # command line: what it prints
        self.running = None

    def close(self):
        if self.running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.running.pid, signal.SIGKILL)
            self.running.wait()
        shutil.rmtree(self.work, ignore_errors=True)

    # The child leads a session of its own, so that an interrupt reaches this program first.
    def _run(self, command):
        with open(f"{self.work}/out", "w+") as out, open(f"{self.work}/err", "w+") as err:
            self.running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                            start_new_session=True)
            status = self.running.wait()
            self.running = None
            out.seek(0)
            err.seek(0)
            printed, complaint = out.read(), err.read()
        if status != 0:
            raise Failure(f"status {status}: {' '.join(command)}\n{complaint[-2000:]}")
        return printed, complaint

    def _remove_traces(self):
        names = [f"{self.work}/{n}" for n in os.listdir(self.work) if n.startswith("trace")]
        size = sum(os.path.getsize(n) for n in names)
        for name in names:
            os.remove(name)
        return size

    def run(self, configuration, program):
        """One run of a program, a command line."""
        tool = configuration.command(self.valgrind, f"{self.work}/trace")
        printed, complaint = self._run([self.measure, *tool, *program])
        trace_bytes = self._remove_traces()
        if printed != self.wanted.setdefault(" ".join(program), printed):
            raise Failure(f"another result than before: {' '.join(tool + program)}\n{printed}")
        cpu_ms, wall_ms, peak_kb = (int(n) for n in complaint.splitlines()[-1].split())
        self.machine.own_ms += cpu_ms
        return Sample(cpu_ms, wall_ms, peak_kb, trace_bytes)

    def empty(self, configuration):
        self.samples["empty", 1, configuration.name].append(self.run(configuration, [f"{self.programs}/empty"]))

    def measure_kernel(self, kernel, threads, configuration):
        program = kernel.command(self.programs, threads, self.rounds[kernel.name])
        self.samples[kernel.name, threads, configuration.name].append(self.run(configuration, program))

    def calibrate(self, kernel, none, seconds):
        """As many rounds as take that long under none with one thread."""
        start_ms = min(self.run(none, [f"{self.programs}/empty"]).cpu_ms for _ in range(2))
        rounds, net_ms, want_ms = 1, 0, seconds * 1000
        while want_ms:
            net_ms = self.run(none, kernel.command(self.programs, 1, rounds)).cpu_ms - start_ms
            if net_ms >= min(400, want_ms) or net_ms >= want_ms / 3:
                rounds = math.ceil(rounds * max(1, want_ms / net_ms))
                break
            rounds *= 4
        self.rounds[kernel.name] = rounds

    def count(self, kernel, threads, data):
        """What the recording with data holds, from two short ones."""
        few, more = (self._count_rounds(kernel, threads, data, rounds) for rounds in (1, 3))
        self.counts[kernel.name, threads] = few.continued(more, 1, 3, self.rounds[kernel.name])

    def _count_rounds(self, kernel, threads, data, rounds):
        totals = self.stats(kernel, threads, data, rounds)["totals"]
        return Counts(totals["events"], totals["blocks"] + totals["wrapper_blocks"], totals["words"],
                      totals["loads"] + totals["stores"])

    def stats(self, kernel, threads, configuration, rounds, *options):
        """What `cdrgrind stats' says of a recording."""
        tool = configuration.command(self.valgrind, f"{self.work}/trace")
        started = time.monotonic()
        self._run(tool + kernel.command(self.programs, threads, rounds))
        printed, _ = self._run([self.cdrgrind, "stats", "--format=json", *options, f"{self.work}/trace"])
        self.machine.own_ms += (time.monotonic() - started) * 1000
        self._remove_traces()
        return json.loads(printed)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How fast `cdrgrind races` is (docs/races.md, "Measured"): what recording and `races` take on kernels, on threads one by
one and on a server; and what ten times the rounds of a nest cost, without synchronisation and with a barrier in each
round. Run in the build folder, after `make all tests/bench/programs/{lu,water,particles,nest,one_by_one,server}':

    python3 ../tests/bench/race_speed.py [--from-events] [--runs N] [PROGRAM...]
    python3 ../tests/bench/race_speed.py --tools [--timeout SECONDS] [--runs N] [PROGRAM...]

Times are medians of N runs, one process at a time; memory is the most that one of them had. Programs are recorded
without dependences: with a helper for the time by the clock, without one for user and system time, as a helper's own is
not told. What `races` takes for an empty trace is given beside; *analysis* is the time less that. --from-events: without
the compact form, to compare. --tools: a table that has helgrind and drd beside, each in turn with its defaults; user and
system time and memory of the whole run. `> N s': it was killed, or stopped by --timeout, after so long.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

CDRGRIND = os.path.abspath("cdrgrind/cli/cdrgrind")
PROGRAMS = os.path.abspath("tests/bench/programs")
VALGRIND = os.environ.get("VALGRIND", "/usr/bin/valgrind")
LIBRARY = os.environ.get("VALGRIND_LIB", os.path.abspath("vglib"))
KERNELS = {
    "lu": "lu -t 2 -n 256",
    "water": "water -t 2 -n 100 -r 12",
    "particles": "particles -t 2 -n 20000 -r 12",
    "barriers": "nest -t 2 -l barriers -n 10 -r 100000",
    "threads": "one_by_one -r 500",
    "server": "server -t 4 -r 5600",
}
SMALL, LARGE = 400, 4000  # rounds


@dataclass(frozen=True)
class Usage:
    clock: float
    cpu: float  # user and system, seconds
    peak: float  # MB
    status: int = 0  # less than 0: killed

    def __str__(self):
        return f"> {int(self.clock)} s" if self.status < 0 else f"{self.cpu:.2f} s, {self.peak:.0f} MB"


def used_by(command, environment=None, timeout=None):
    """What one run of a command takes; races that are found may give it a status of its own."""
    started = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    timer = threading.Timer(timeout or threading.TIMEOUT_MAX, process.kill)
    timer.daemon = True
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Usage(time.monotonic() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6,
                 process.returncode)


def median(usages):
    """Of the runs' times, and the most memory. A run that was killed stands for all."""
    killed = [u for u in usages if u.status < 0]
    return killed[0] if killed else Usage(statistics.median(u.clock for u in usages),
                                          statistics.median(u.cpu for u in usages), max(u.peak for u in usages))


def line_of(program):
    name, *options = program.split()
    return [os.path.join(PROGRAMS, name), "-q", *options]


def record(trace, program, helper="yes"):
    command = [VALGRIND, "--tool=cdrgrind", "-q", "--vgdb=no", "--deps=no", f"--helper={helper}",
               f"--cdr-out-file={trace}", *line_of(program)]
    usage = used_by(command, dict(os.environ, VALGRIND_LIB=LIBRARY))
    # What there is to read is the program's whole run.
    subprocess.run([CDRGRIND, "verify", trace], check=True, stdout=subprocess.DEVNULL)
    return usage


def recorded(trace, program, runs):
    """The last recording with a helper stays; time by the clock is of these, processor time of those without."""
    alone = median([record(trace, program, "no") for _ in range(runs)])
    helped = median([record(trace, program) for _ in range(runs)])
    return Usage(helped.clock, alone.cpu, alone.peak)


def races(trace, options, runs):
    usages = [used_by([CDRGRIND, "races", "--format=json", *options, trace]) for _ in range(runs)]
    for usage in usages:
        if usage.status not in (0, 1):
            sys.exit(f"races: status {usage.status}")
    return median(usages)


def other_tool(name, program, arguments):
    environment = {k: v for k, v in os.environ.items() if k != "VALGRIND_LIB"}
    command = [VALGRIND, f"--tool={name}", "-q", "--vgdb=no", *line_of(program)]
    usages = []
    for _ in range(arguments.runs):
        usages.append(used_by(command, environment, arguments.timeout))
        if usages[-1].status < 0:
            break
    return median(usages)


def totals_of(trace):
    """Events and accesses, and instructions, of the program's run."""
    text = subprocess.run([CDRGRIND, "stats", trace], check=True, capture_output=True, text=True).stdout
    numbers = lambda line: [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", line)]
    lines = {line.split(":")[0]: numbers(line.split(":", 1)[1]) for line in text.splitlines() if ":" in line}
    return lines["Events"][0] + sum(lines["Accesses"]), lines["Instructions"][0]


def operations_of(trace):
    text = subprocess.run([CDRGRIND, "dump", "--events=sync", trace], check=True, capture_output=True, text=True).stdout
    return sum("sync-leave" in line or "leave" in line.split()[2:3] for line in text.splitlines())


def print_program(program, trace, idle, options, runs):
    recording = recorded(trace, program, runs)
    (events, instructions), found = totals_of(trace), races(trace, options, runs)
    rate = events / 1e6 / max(found.cpu - idle, 0.005)
    print(f"{program}: {events / 1e6:.1f} M events and accesses, {instructions / 1e6:.1f} M instructions; recording "
          f"{recording.clock:.2f} s by the clock; races {found}, {found.cpu / recording.clock:.2f} times that; "
          f"analysis {rate:.1f} M/s, whole {events / 1e6 / found.cpu:.1f} M/s", flush=True)


def print_rounds(folder, layout, size, idle, options, runs):
    """What ten times the rounds of a nest cost."""
    times = []
    for rounds in (SMALL, LARGE):
        trace = os.path.join(folder, f"{layout}{rounds}")
        record(trace, f"nest -t 2 -l {layout} -n {size} -r {rounds}")
        times.append(races(trace, options, runs).cpu)
    small, large = times
    print(f"nest {layout}: {SMALL} rounds {small:.2f} s, {LARGE} rounds {large:.2f} s: "
          f"{large / small:.2f} times, {(large - idle) / max(small - idle, 0.005):.1f} times the analysis")
    if layout == "barriers":
        operations = operations_of(trace)
        print(f"  {operations} synchronisation operations: {operations / 1e6 / max(large - idle, 0.005):.2f} M/s")


def print_speeds(folder, arguments, options):
    trace = os.path.join(folder, "trace")
    record(trace, "nest -t 2 -n 3")
    idle = races(trace, options, arguments.runs).cpu
    print(f"an all but empty run: {idle:.2f} s")
    for name in arguments.programs or KERNELS:
        print_program(KERNELS[name], trace, idle, options, arguments.runs)
    if not arguments.programs:
        print_rounds(folder, "free", 1000, idle, options, arguments.runs)
        print_rounds(folder, "barriers", 10, idle, options, arguments.runs)


def print_tools(folder, arguments, options):
    trace = os.path.join(folder, "trace")
    print("| program | recording, clock | recording, user and system | `races` | helgrind | drd |")
    print("|---|---|---|---|---|---|")
    for name in arguments.programs or KERNELS:
        program = KERNELS[name]
        recording = recorded(trace, program, arguments.runs)
        found = races(trace, options, arguments.runs)
        helgrind, drd = (other_tool(tool, program, arguments) for tool in ("helgrind", "drd"))
        print(f"| `{program}` | {recording.clock:.2f} s | {recording} | {found} | {helgrind} | {drd} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description="How fast races is; beside helgrind and drd, how fast they are.")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(KERNELS)} [all]")
    parser.add_argument("--from-events", action="store_true")
    parser.add_argument("--tools", action="store_true", help="a table with helgrind and drd")
    parser.add_argument("--timeout", type=float, default=600, metavar="SECONDS", help="of a run of these [600]")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="medians of so many [3]")
    arguments = parser.parse_args()
    for name in arguments.programs:
        if name not in KERNELS:
            parser.error(f"no program {name}; there are {', '.join(KERNELS)}")
    options = ["--from-events"] if arguments.from_events else []
    with tempfile.TemporaryDirectory() as folder:
        (print_tools if arguments.tools else print_speeds)(folder, arguments, options)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How fast `cdrgrind races` is (docs/races.md, "Measured"): events and accesses of the original run for each second of
CPU time, on three kernels; and what ten times the rounds of a nest cost, without synchronisation and with a barrier in
each round. Run in the build folder, after `make all tests/bench/programs/{lu,water,particles,nest}':

    python3 ../tests/bench/race_speed.py [--from-events] [--runs N]

Times are medians of N runs, one process at a time. What a run takes for an empty trace is given beside; *analysis* is the
time less that. --from-events: without the compact form, to compare.
"""
import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

CDRGRIND = os.path.abspath("cdrgrind/cli/cdrgrind")
PROGRAMS = os.path.abspath("tests/bench/programs")
KERNELS = [("lu", "-n", "256"), ("water", "-n", "100", "-r", "12"), ("particles", "-n", "20000", "-r", "12")]
SMALL, LARGE = 400, 4000  # rounds


def record(folder, name, program, *options):
    trace = os.path.join(folder, name)
    command = [os.environ.get("VALGRIND", "/usr/bin/valgrind"), "--tool=cdrgrind", "-q", "--vgdb=no", "--deps=no",
               f"--cdr-out-file={trace}", os.path.join(PROGRAMS, program), "-q", *options]
    env = dict(os.environ, VALGRIND_LIB=os.environ.get("VALGRIND_LIB", os.path.abspath("vglib")))
    subprocess.run(command, check=True, env=env, stdout=subprocess.DEVNULL)
    return trace


def events_of(trace):
    text = subprocess.run([CDRGRIND, "stats", trace], check=True, capture_output=True, text=True).stdout
    numbers = lambda line: [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*", line)]
    lines = {line.split(":")[0]: numbers(line.split(":", 1)[1]) for line in text.splitlines() if ":" in line}
    return lines["Events"][0] + sum(lines["Accesses"])


def operations_of(trace):
    text = subprocess.run([CDRGRIND, "dump", "--events=sync", trace], check=True, capture_output=True, text=True).stdout
    return sum("sync-leave" in line or "leave" in line.split()[2:3] for line in text.splitlines())


def cpu_seconds(trace, options, runs):
    times = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status = subprocess.run([CDRGRIND, "races", "--format=json", *options, trace], stdout=subprocess.DEVNULL).returncode
        if status > 1:
            sys.exit(f"{trace}: status {status}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--from-events", action="store_true")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    options = ["--from-events"] if arguments.from_events else []
    with tempfile.TemporaryDirectory() as folder:
        idle = cpu_seconds(record(folder, "empty", "nest", "-n", "3", "-t", "2"), options, arguments.runs)
        print(f"an all but empty run: {idle:.2f} s")
        for name, *sizes in KERNELS:
            trace = record(folder, name, name, "-t", "2", *sizes)
            events, seconds = events_of(trace), cpu_seconds(trace, options, arguments.runs)
            rate = events / 1e6 / max(seconds - idle, 0.005)
            print(f"{name}: {events / 1e6:.1f} M events and accesses, {seconds:.2f} s, analysis {rate:.1f} M/s, "
                  f"whole {events / 1e6 / seconds:.1f} M/s")
        for layout in ("free", "barriers"):
            traces = [record(folder, f"{layout}{r}", "nest", "-t", "2", "-l", layout, "-n", "1000" if layout == "free" else
                             "10", "-r", str(r)) for r in (SMALL, LARGE)]
            small, large = (cpu_seconds(t, options, arguments.runs) for t in traces)
            print(f"nest {layout}: {SMALL} rounds {small:.2f} s, {LARGE} rounds {large:.2f} s: "
                  f"{large / small:.2f} times, {(large - idle) / max(small - idle, 0.005):.1f} times the analysis")
            if layout == "barriers":
                operations = operations_of(traces[1])
                print(f"  {operations} synchronisation operations: "
                      f"{operations / 1e6 / max(large - idle, 0.005):.2f} M/s")


main()

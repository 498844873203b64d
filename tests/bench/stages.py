#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What each stage of recording takes, alone: generated code (its records are thrown away unread), then, over captured
records in memory, the drain, the encoder, all that is behind it, the dependence engine, and its floor: the
engine without rows and sets of readers. Processor time, medians (least of the
stages in memory), start-up subtracted. Nanoseconds a block for control flow alone; what words add, a word; an access.

usage: stages.py [--runs=N] [--control=auto|grammar|predict] [--format=text|json] [-- COMMAND... | KERNEL...]
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from plan import KERNELS

CONTROL = ("--cdr-data=none", "--deps=no")
LONGER = 8  # times the rounds, where nothing is kept in memory


class Stages:
    def __init__(self, build, valgrind, runs, options, folder):
        self.build, self.valgrind, self.runs, self.options, self.folder = build, valgrind, runs, options, folder
        self.empty = [f"{build}/tests/bench/programs/empty"]

    def seconds(self, options, program):
        before = os.times()
        subprocess.run([self.valgrind, "-q", "--vgdb=no", *options, *program], check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    def net(self, options, program):
        return statistics.median(self.seconds(options, program) - self.seconds(options, self.empty)
                                 for _ in range(self.runs))

    def generated(self, program):
        """Seconds above none: control flow, and with words."""
        none = self.net(["--tool=none"], program)
        ours = ["--tool=cdrgrind", "--helper=no", "--cdr-discard=yes", "--deps=no"]
        return [self.net([*ours, *more], program) - none for more in (CONTROL, ())]

    def captured(self, options, program):
        """What the stages take over the records of a run."""
        capture = f"{self.folder}/capture"
        self.seconds(["--tool=cdrgrind", "--helper=no", "--cdr-out-file=/dev/null", f"--cdr-capture-raw={capture}",
                      *self.options, *options], program)
        out = subprocess.run([f"{self.build}/tests/bench/stages", capture, str(self.runs)], check=True,
                             capture_output=True, text=True).stdout
        os.remove(capture)
        return json.loads(out)

    def measure(self, program, longer, times):
        control, words = self.captured(CONTROL, program), self.captured(["--deps=no"], program)
        code, code_words = (s / times for s in self.generated(longer))
        blocks, count = control["blocks"], max(words["words"], 1)
        return {
            "blocks": blocks, "words": words["words"], "accesses": words["accesses"],
            "block": {"code": code / blocks * 1e9, **{s: control[s] / blocks * 1e9 for s in ("drain", "encode", "write")}},
            "word": {"code": (code_words - code) / count * 1e9,
                     **{s: (words[s] - control[s]) / count * 1e9 for s in ("drain", "encode", "write")}},
            "access": words["dependences"] / max(words["accesses"], 1) * 1e9,
            "floor": words["floor"] / max(words["accesses"], 1) * 1e9,
            "parts": {n: s / max(words["accesses"], 1) * 1e9 for n, s in words["parts"].items()},
            "bytes": {"control": control["bytes"], "all": words["bytes"]},
        }


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--control", choices=("auto", "grammar", "predict"), default="auto")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("what", nargs="*")
    arguments, rest = parser.parse_known_args()
    build = os.environ["top_builddir"]
    by_name = {k.name: k for k in KERNELS}
    what = arguments.what + rest
    command = [w for w in what if w != "--"] if what and what[0] not in by_name else None
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        stages = Stages(build, os.environ.get("VALGRIND", "valgrind"), arguments.runs,
                        [f"--cdr-control={arguments.control}"], folder)
        if command:
            rows[os.path.basename(command[0])] = stages.measure(command, command, 1)
        for name in [] if command else what or list(by_name):
            k = by_name[name]
            programs = f"{build}/tests/bench/programs"
            rows[name] = stages.measure(k.command(programs, 1, k.recorded_rounds),
                                        k.command(programs, 1, k.recorded_rounds * LONGER), LONGER)
            print(f"stages: {name}", file=sys.stderr)
    if arguments.format == "json":
        print(json.dumps({"schema": "cdrgrind.stages/1", "control": arguments.control, "programs": rows}, indent=1))
        return
    print("| program | blocks | code, a block | drain | encode | write | words | code, a word | drain | encode | write |"
          " dependences, an access | floor | slowest of 2 parts | of 4 | of 8 |")
    print("|---|" + "---:|" * 15)
    for name, r in rows.items():
        cells = [f"{r['blocks']:,}", *(f"{v:.1f}" for v in r["block"].values()), f"{r['words']:,}",
                 *(f"{v:.1f}" for v in r["word"].values()), f"{r['access']:.1f}", f"{r['floor']:.1f}",
                 *(f"{v:.1f}" for v in r["parts"].values())]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()

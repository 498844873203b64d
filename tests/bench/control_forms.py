# SPDX-License-Identifier: GPL-2.0-or-later
"""Records the kernels of plan.py with one thread, control flow only, and prints what other forms of it take
(`cdrgrind stats --control`) and the numbers of strata, as the tables of docs/compression.md and docs/paths.md.

usage: control_forms.py BUILD_FOLDER [KERNEL...]
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

from plan import KERNELS

# Twice LU would be one too many.
CHOSEN = {k.name: k for k in KERNELS if k.name != "lu_rows"}


def run(command):
    """What it printed, and the largest memory that it or a command before had, in MB."""
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return out, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def strata(cdrgrind, trace):
    """Four layers beyond 0. In a process of its own, for the memory."""
    code = ("import json, resource, subprocess, sys; o = subprocess.run(sys.argv[1:], check=True, capture_output=True).stdout;"
            "print(json.dumps([json.loads(o), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024]))")
    out, _ = run([sys.executable, "-c", code, cdrgrind, "paths", "--strata", "--layers=4", "--format=json", trace])
    return json.loads(out)


def cell(row):
    if "bytes" not in row:
        return "–"
    return f"{row['bytes']:,} ({row['seconds']:.1f}; {row['memory_bytes'] / 2**20:.0f})"


def main():
    build, chosen = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(CHOSEN)
    cdrgrind = f"{build}/cdrgrind/cli/cdrgrind"
    os.environ["VALGRIND_LIB"] = f"{build}/vglib"
    forms, layers = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen:
            kernel = CHOSEN[name]
            trace = f"{folder}/{name}"
            run(["valgrind", "-q", "--tool=cdrgrind", "--vgdb=no", "--deps=no", "--cdr-data=none",
                 f"--cdr-out-file={trace}", *kernel.command(f"{build}/tests/bench/programs", 1, kernel.recorded_rounds)])
            forms[name] = json.loads(run([cdrgrind, "stats", "--control", "--format=json", trace])[0])
            layers[name] = strata(cdrgrind, trace)
            os.remove(trace)
            print(name, file=sys.stderr)
    names = list(forms)
    print("| form | " + " | ".join(names) + " |")
    print("|---|" + "---:|" * len(names))
    print("| blocks | " + " | ".join(f"{forms[n]['blocks']:,}" for n in names) + " |")
    for i, row in enumerate(forms[names[0]]["control"]):
        print(f"| {row['form']} | " + " | ".join(cell(forms[n]["control"][i]) for n in names) + " |")
    print()
    print("| kernel | instructions | ratio | paths | mean length | unique | " +
          " | ".join(f"strata {i}: unique (total)" for i in range(5)) + " | MB |")
    print("|---|" + "---:|" * 11)
    for n in names:
        s, megabytes = layers[n]
        rows = s["strata"]
        print(f"| {n} | {s['instructions']:,} | {s['ratio']:.0f} | {rows[0]['executions']:,} | "
              f"{rows[0]['mean_length']:.1f} | {rows[0]['unique']:,} | " +
              " | ".join(f"{r['unique']:,} ({r['executions']:,})" + ("*" if r["epochs"] > 1 else "") for r in rows[1:]) +
              f" | {megabytes:.0f} |")


main()

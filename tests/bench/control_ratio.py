# SPDX-License-Identifier: GPL-2.0-or-later
"""Gorton's ratio (2008, table 2) for traces: instructions times 4.2 bytes over the size of the whole file, control flow
only, for ten programs of 10^9 instructions or more, and the geometric mean.

usage: control_ratio.py BUILD_FOLDER [PROGRAM...]

The regular programs repeat their work until they have as many. Those in which data decide have so much data instead,
for a repetition of the same work would cost next to nothing.
"""
import math
import os
import re
import subprocess
import sys
import tempfile

# Name, whether data decide the branches, command.
PROGRAMS = (
    ("fft", False, ("fft", "-n", "65536", "-r", "56")),
    ("lu_blocks", False, ("lu", "-n", "512", "-l", "blocks", "-r", "3")),
    ("lu_rows", False, ("lu", "-n", "512", "-l", "rows", "-r", "3")),
    ("sor", False, ("sor", "-n", "100", "-r", "7500")),
    ("matrix_product", False, ("matrix_product", "-n", "530")),
    ("sort_and_hash", True, ("sort_and_hash", "-n", "4500000")),
    ("recursion_and_lists", True, ("recursion_and_lists", "-n", "620000")),
    ("particles", True, ("particles", "-n", "500000", "-r", "15")),
    ("radix_sort", False, ("radix_sort", "-n", "8500000")),
    ("water", True, ("water", "-n", "343", "-r", "26")),
)
LEAST = 10**9


def record(build, arguments, trace):
    """Instructions and bytes, as the recorder's last line has them."""
    program, *rest = arguments
    out = subprocess.run(["valgrind", "--tool=cdrgrind", "--vgdb=no", "--deps=no", "--cdr-data=none",
                          f"--cdr-out-file={trace}", f"{build}/tests/bench/programs/{program}", "-q", *rest],
                         check=True, capture_output=True, text=True).stderr
    return int(re.search(r"(\d+) instructions", out)[1]), os.path.getsize(trace)


def main():
    build, chosen = os.path.abspath(sys.argv[1]), sys.argv[2:]
    os.environ["VALGRIND_LIB"] = f"{build}/vglib"
    ratios = []
    print("| program | data decide | instructions | bytes | ratio |")
    print("|---|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, data_decide, arguments in PROGRAMS:
            if chosen and name not in chosen:
                continue
            instructions, size = record(build, arguments, f"{folder}/trace")
            ratios.append(instructions * 4.2 / size)
            few = "" if instructions >= LEAST else " (too few)"
            print(f"| `{' '.join(arguments)}` | {'yes' if data_decide else 'no'} | {instructions:,}{few} | {size:,} | "
                  f"{ratios[-1]:,.0f} |", flush=True)
    print(f"\nGeometric mean of {len(ratios)}: {math.exp(sum(map(math.log, ratios)) / len(ratios)):,.0f}")


main()

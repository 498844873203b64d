# SPDX-License-Identifier: GPL-2.0-or-later
"""Sequences built by what Xu and Subhlok's tables 3 to 5 (2008) say, what `cdrgrind loops` takes for them, and what
the paper's programs took. Prints the table of docs/loops.md.

usage: loop_tables.py CDRGRIND
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

RUNS = 5


def different(name, count):
    return [f"{name}{i}" for i in range(count)]


def bt():
    four = [x for i in range(6) for x in different(f"s{i}_", 4) * 3]
    first = [x for i in range(5) for x in different(f"b{i}_", 4) * 3]
    return first + different("bb", 3) * 3 + different("begin", 37) + (four + different("tail", 13)) * 200


def sp():
    return different("begin", 50) + different("step", 67) * 400 + different("end", 38)


def cg():
    x = different("u", 5) + different("m", 11) + different("u", 5)
    step = x * 26 + different("t", 6)
    return ["s1"] + step + ["s2"] + step * 75


def mg(rest, body):
    return different("begin", rest) + different("step", body) * 20


def lu(inner):
    sweeps = different("lower", 4) * inner + different("upper", 4) * inner
    return different("begin", 48) + sweeps + different("first", 12) + (sweeps + different("end", 12)) * 249


# Name, sequence, the paper's seconds: optimal (table 4) and greedy (table 5).
TABLE = [
    ("BT B/C", bt(), 311.18, 8.91),
    ("SP B/C", sp(), 747.73, 7.61),
    ("CG B/C", cg(), 2021.78, 8.48),
    ("MG B", mg(589, 416), 113.48, 8.64),
    ("MG C", mg(647, 470), 144.54, 10.88),
    ("LU B", lu(100), 44204.82, 33.16),
    ("LU C", lu(160), 113890.21, 61.9),
]


def measure(command):
    """Processor time of the median run, and what it printed."""
    seconds = []
    for _ in range(RUNS):
        before = os.times()
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        after = os.times()
        seconds.append(sum(after[2:4]) - sum(before[2:4]))
    return statistics.median(seconds), out


def main():
    program = sys.argv[1]
    print("| trace | symbols | optimal: compressed | s | paper, s | greedy: compressed | s | paper, s |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.NamedTemporaryFile("w") as file:
        for name, words, optimal, greedy in TABLE:
            file.seek(0)
            file.truncate()
            file.write("\n".join(words))
            file.flush()
            cells = []
            for algorithm, paper in (("optimal", optimal), ("greedy", greedy)):
                command = [program, "loops", f"--symbols={file.name}", f"--algorithm={algorithm}"]
                seconds, out = measure(command + ["--format=json"])
                cells += [str(json.loads(out)["compressed_length"]), f"{seconds:.2f}", f"{paper:,}"]
            print(f"| {name} | {len(words):,} | " + " | ".join(cells) + " |")


main()

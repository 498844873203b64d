# SPDX-License-Identifier: GPL-2.0-or-later
"""What `cdrgrind advise --threads=2' says that lines for OpenMP would bring, against what they do bring.

    advised.py CDRGRIND SOURCE FOLDER [RUNS]

CDRGRIND: the program; SOURCE: tests/bench/programs/advised.c; FOLDER: for what is made on the way. Each kernel is recorded
without optimisation at a small size, gets the line that `advise' prints for its outermost loop, and runs at a large size,
compiled with -O2, with and without that line in turns: RUNS times each [9], on two processors. The table has the medians.
0: nothing is timed.
"""
import json
import os
import re
import statistics
import subprocess
import sys

# Small and large sizes, and rounds of the large one: a run takes about half a second.
KERNELS = {
    "product": (40, 420, 3),
    "stencil": (120, 1000, 200),
    "pairs": (300, 3000, 9),
    "escapes": (40, 500, 4),
    "triangle": (200, 1500, 120),
}


def run(command, **more):
    return subprocess.run(command, check=True, text=True, capture_output=True, **more)


def advice_of(cdrgrind, program, kernel, size, folder):
    trace = f"{folder}/{kernel}.trace"
    run([cdrgrind, "record", "-q", "--deps=no", f"--cdr-out-file={trace}", program, kernel, str(size), "1"])
    loops = json.loads(run([cdrgrind, "advise", "--format=json", "--threads=2", trace]).stdout)["loops"]
    outermost = [l for l in loops if l["place"]["function"] == kernel and l["depth"] == 1]
    assert len(outermost) == 1 and outermost[0]["pragma"], (kernel, outermost)
    return outermost[0]


def with_lines(source, advice, to):
    lines = {l["place"]["line"]: l["pragma"] for l in advice.values()}
    with open(source) as code, open(to, "w") as out:
        for number, line in enumerate(code, 1):
            if number in lines:
                print(lines[number], file=out)
            print(line, end="", file=out)


def timed(program, kernel, size, rounds):
    done = run([program, kernel, str(size), str(rounds)], env={**os.environ, "OMP_NUM_THREADS": "2", "OMP_DYNAMIC": "false"})
    return float(done.stderr), done.stdout


def same(a, b):
    x, y = (float(t.split()[1]) for t in (a, b))
    return abs(x - y) <= 1e-6 * max(abs(x), abs(y))


def main():
    cdrgrind, source, folder = sys.argv[1:4]
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 9
    compiler = os.environ.get("CC", "cc").split()
    os.makedirs(folder, exist_ok=True)
    plain, alone, both = (f"{folder}/{n}" for n in ("plain", "alone", "both"))
    run([*compiler, "-g", "-O0", "-o", plain, source])
    advice = {k: advice_of(cdrgrind, plain, k, small, folder) for k, (small, _, _) in KERNELS.items()}
    with_lines(source, advice, f"{folder}/lines.c")
    run([*compiler, "-O2", "-o", alone, source])
    run([*compiler, "-O2", "-fopenmp", "-o", both, f"{folder}/lines.c"])
    if runs == 0:
        return
    print(f"load average when it began: {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors, {runs} runs")
    print("| kernel | line | alone, ms | with two threads, ms | as fast | predicted | difference |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for kernel, (_, size, rounds) in KERNELS.items():
        times = {alone: [], both: []}
        for _ in range(runs):
            results = {}
            for program in times:
                seconds, results[program] = timed(program, kernel, size, rounds)
                times[program].append(seconds)
            assert same(results[alone], results[both]), results
        slow, fast = (statistics.median(times[p]) for p in (alone, both))
        clauses = re.sub("^#pragma omp ", "", advice[kernel]["pragma"])
        predicted = advice[kernel]["speed_up"]
        print(f"| {kernel} | `{clauses}` | {slow * 1e3:.0f} | {fast * 1e3:.0f} | {slow / fast:.2f} | {predicted:.2f} | "
              f"{100 * (predicted * fast / slow - 1):+.0f} % |", flush=True)


main()

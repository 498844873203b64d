# SPDX-License-Identifier: GPL-2.0-or-later
"""What recording costs, side by side with Valgrind's other tools.

Every kernel runs under every tool in turn, and then again, so that a change of the machine's load meets all tools
alike. An interrupt prints what is known by then. Wants top_builddir, VALGRIND and VALGRIND_LIB in the environment, as
`make bench-kernels' sets them.
"""
import argparse
import os
import shlex
import signal
import sys
import time
from dataclasses import replace

from compression import PAPER, Compression
from measuring import Bench, Failure
from plan import CONFIGURATIONS, KERNELS
from results import Results
from sizes import Sizes
from tables import written


def chosen(kind, table):
    """An argparse type: names of the table's rows, separated by commas."""
    known = {row.name: row for row in table}

    def parse(text):
        names = text.split(",")
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"no {kind} {name}; there are {', '.join(known)}")
        return [row for row in table if row.name in names]

    return parse


def thread_counts(text):
    try:
        counts = sorted({int(n) for n in text.split(",")})
    except ValueError:
        counts = [0]
    if counts[0] < 1 or counts[-1] > 8:
        raise argparse.ArgumentTypeError("numbers from 1 to 8, separated by commas")
    return counts


def positive(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError("a number from 1")
    return int(text)


def options():
    p = argparse.ArgumentParser(prog="bench", description="What recording costs beside Valgrind's other tools.",
                                allow_abbrev=False)
    p.add_argument("kernels", nargs="*", metavar="KERNEL", help="these kernels only")
    p.add_argument("--kernels", dest="listed", type=chosen("kernel", KERNELS), metavar="NAME,...")
    p.add_argument("--configs", type=chosen("configuration", CONFIGURATIONS), default=list(CONFIGURATIONS),
                   metavar="NAME,...", help=", ".join(c.name for c in CONFIGURATIONS))
    p.add_argument("--record-options", type=shlex.split, action="extend", default=[],
                   metavar="OPTIONS", help="for control, data and full; repeatable")
    p.add_argument("--sizes", action="store_true", help="sizes of traces only, and no times")
    p.add_argument("--compression", action="store_true",
                   help="sizes beside the paper's and other compressors', and no times [the paper's kernels]")
    p.add_argument("--recorded-rounds", type=positive, metavar="N", help="of each kernel, for sizes [the kernel's own]")
    p.add_argument("--threads", type=thread_counts, metavar="N,...", help="[1,4; with --sizes and --compression 2,4,8]")
    p.add_argument("--runs", type=positive, default=5, metavar="N", help="medians of so many [5]")
    p.add_argument("--slow-runs", type=positive, metavar="N",
                   help="the same for callgrind, helgrind and drd [as --runs]")
    p.add_argument("--seconds", type=float, default=5, metavar="S",
                   help="rounds so that a kernel takes so long under none; 0: one round [5]")
    p.add_argument("--minutes", type=float, default=float("inf"), metavar="M",
                   help="begin no further runs that would end later; all are run once")
    p.add_argument("--format", choices=("text", "markdown", "json"), default="text", help="[text]")
    p.add_argument("--markdown", dest="format", action="store_const", const="markdown", help="--format=markdown")
    p.add_argument("--output", metavar="FILE", help="write there instead of standard output")
    p.add_argument("--docs", action="store_true", help="put the tables into docs/performance.md or compression.md")
    o = p.parse_args()
    o.kernels = (o.listed or []) + (chosen_or_stop(p, o.kernels) if o.kernels else []) or [
        k for k in KERNELS if not o.compression or (k.name, 2) in PAPER]
    if o.recorded_rounds:
        o.kernels = [replace(k, recorded_rounds=o.recorded_rounds) for k in o.kernels]
    o.configs = [c.with_options(o.record_options) if c.ours else c for c in o.configs]
    o.threads = o.threads or ([2, 4, 8] if o.sizes or o.compression else [1, 4])
    o.slow_runs = min(o.slow_runs or o.runs, o.runs)
    return o


def chosen_or_stop(parser, names):
    try:
        return chosen("kernel", KERNELS)(",".join(names))
    except argparse.ArgumentTypeError as wrong:
        parser.error(str(wrong))


class Schedule:
    """Passes over all kernels; a case (kernel and threads) with all its tools is one step."""

    def __init__(self, bench, options):
        self.bench = bench
        self.options = options
        self.end = time.monotonic() + options.minutes * 60
        self.took = {}

    def cases(self):
        return [(k, t) for k in self.options.kernels for t in (self.options.threads if k.threaded else (1,))]

    def run(self):
        by_name = {c.name: c for c in CONFIGURATIONS}
        for kernel in self.options.kernels:
            self.bench.progress.step(f"{kernel.name}: how many rounds?")
            self.bench.calibrate(kernel, by_name["none"], self.options.seconds)
        if any(c.ours for c in self.options.configs):
            for kernel, threads in self.cases():
                self.bench.progress.step(f"{kernel.name}, threads {threads}: what a recording holds")
                self.bench.count(kernel, threads, by_name["data"])
        for number in range(self.options.runs):
            self._pass(number)

    def _pass(self, number):
        configurations = [c for c in self.options.configs if number < (
            self.options.slow_runs if c.slow else self.options.runs)]
        for configuration in configurations:
            self.bench.empty(configuration)
        for case in self.cases():
            started = time.monotonic()
            if number > 0 and started + self.took[case] > self.end:
                continue
            self._step(number, case, configurations)
            self.took[case] = time.monotonic() - started

    def _step(self, number, case, configurations):
        kernel, threads = case
        times = []
        for c in configurations:
            self.bench.progress.step(
                f"run {number + 1} of {self.options.runs}: {kernel.name}, threads {threads}, {c.name}")
            self.bench.measure_kernel(kernel, threads, c)
            times.append(f"{c.name} {self.bench.samples[kernel.name, threads, c.name][-1].cpu_ms / 1000:.2f}")
        self.bench.progress.line(f"run {number + 1}, {kernel.name}, threads {threads}, rounds "
                                 f"{self.bench.rounds[kernel.name]}, seconds: {', '.join(times)}")


def deliver(text, o):
    """`text` gives it in a form. What an interrupt or an error left does not replace figures in the docs."""
    if o.docs:
        name = "compression" if o.compression else "sizes" if o.sizes else "bench"
        write_into_docs(text("markdown"), "compression" if o.compression else "performance", name)
    elif o.output:
        with open(o.output, "w") as f:
            f.write(text(o.format))
    else:
        print(text(o.format), end="")


def write_into_docs(text, page_name, name):
    """Between the page's marks; the rest of it stays."""
    path = os.path.join(os.environ["top_srcdir"], f"docs/{page_name}.md")
    with open(path) as f:
        page = f.read()
    before, begin, rest = page.partition(f"<!-- {name}: begin -->\n")
    _, end, after = rest.partition(f"<!-- {name}: end -->\n")
    if not end:
        raise Failure(f"{path} lacks the marks between which the tables stand")
    with open(path, "w") as f:
        f.write(before + begin + text + end + after)


def measure_times(bench, o):
    try:
        Schedule(bench, o).run()
    finally:
        o.docs &= sys.exc_info()[0] is None
        deliver(lambda form: written(Results(bench, o.kernels, o.threads, o.configs), form), o)


def measure_sizes(bench, o):
    sizes = (Compression if o.compression else Sizes)(bench, o.kernels, o.threads, o.record_options)
    try:
        sizes.measure()
    finally:
        o.docs &= sys.exc_info()[0] is None
        deliver(sizes.written, o)


def interrupted(*_):
    raise KeyboardInterrupt


def main():
    o = options()
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, interrupted)
    bench = Bench(os.environ["top_builddir"], os.environ["VALGRIND"])
    try:
        (measure_sizes if o.sizes or o.compression else measure_times)(bench, o)
        return 0
    except KeyboardInterrupt:
        bench.progress.line("bench: interrupted; the figures are from the runs before")
        return 130
    except Failure as failure:
        bench.progress.line(f"bench: error: {failure}\nThe figures are from the runs before.")
        return 1
    finally:
        bench.close()


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-2.0-or-later
"""Sizes of traces. *Whole* is the file. *Kernel* is a recording from main on without META, MODULE, BLOCKS, DATAFLOW and
DEPEND: what the run adds to its program. Raw is 4 bytes for each block, and 4 for each access where addresses are kept."""
import json

from plan import CONFIGURATIONS
from results import ratio
from tables import as_markdown, as_text, shown

TABLE_FRAMES = {"META", "MODULE", "BLOCKS", "DATAFLOW", "DEPEND"}
PARTS = ("control", "data")


def raw_bytes(stats, part):
    totals = stats["totals"]
    accesses = totals["loads"] + totals["stores"] if part == "data" else 0
    return 4 * (totals["blocks"] + totals["wrapper_blocks"] + accesses)


def kernel_bytes(stats):
    tables = sum(f["bytes"] for f in stats["frames"] if f["type"] in TABLE_FRAMES)
    return stats["bytes"] - tables


class Sizes:
    def __init__(self, bench, kernels, threads, options):
        self.bench = bench
        self.cases = [(k, t) for k in kernels for t in (threads if k.threaded else (1,))]
        self.parts = {c.name: c.with_options(options) for c in CONFIGURATIONS if c.name in PARTS}
        self.format = None  # of the traces
        self.rows = []  # one for each case and part that was measured

    def measure(self):
        for kernel, threads in self.cases:
            for part in PARTS:
                self.bench.progress.step(f"{kernel.name}, threads {threads}, {part}")
                self.rows.append(self._row(kernel, threads, part))

    def _row(self, kernel, threads, part):
        rounds, tool = kernel.recorded_rounds, self.parts[part]
        whole = self.bench.stats(kernel, threads, tool, rounds)
        from_main = self.bench.stats(kernel, threads, tool.with_options(("--toggle-collect=main",)), rounds)
        self.format = whole["format"]
        return {"kernel": kernel.name, "threads": threads, "part": part, "rounds": rounds,
                "whole_bytes": whole["bytes"], "whole_raw_bytes": raw_bytes(whole, part),
                "kernel_bytes": kernel_bytes(from_main), "kernel_raw_bytes": raw_bytes(from_main, part)}

    def growth(self, row):
        """The kernel size over that with the fewest threads."""
        first = next(r for r in self.rows if (r["kernel"], r["part"]) == (row["kernel"], row["part"]))
        return ratio(row["kernel_bytes"], first["kernel_bytes"])

    def table(self):
        head = ["kernel", "threads", "rounds", "part", "raw MB", "whole, bytes", "% of raw", "kernel, bytes", "% of raw",
                "growth"]
        return f"Sizes of traces, format {self.format}", head, [self._cells(row) for row in self.rows]

    def _cells(self, r):
        return [r["kernel"], r["threads"], r["rounds"], r["part"], shown(r["kernel_raw_bytes"] / 1e6, 1),
                r["whole_bytes"], shown(100 * r["whole_bytes"] / r["whole_raw_bytes"], 3), r["kernel_bytes"],
                shown(100 * r["kernel_bytes"] / r["kernel_raw_bytes"], 3), shown(self.growth(r))]

    def written(self, form):
        if form == "json":
            document = {"schema": "cdrgrind.bench-sizes/1", "format": self.format, "sizes": self.rows}
            return json.dumps(document, indent=1) + "\n"
        return (as_markdown if form == "markdown" else as_text)(*self.table())

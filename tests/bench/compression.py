# SPDX-License-Identifier: GPL-2.0-or-later
"""What traces of the kernels take, beside the paper's tables (Goel, Roychoudhury and Mitra 2003, tables 3 and 5) and
general compressors, by `cdrgrind stats --compare`. Recordings are from main on, with every address; *whole* is a second
recording, of the whole run. docs/compression.md says what each column means."""
import json

from plan import CONFIGURATIONS
from results import ratio
from tables import as_markdown, as_text, shown

# Kernel and threads: per cent of the raw trace for COR with synch_cnt, and for CDR.
PAPER = {
    ("fft", 2): (0.74, 0.44), ("fft", 4): (0.78, 0.55), ("fft", 8): (0.82, 0.74),
    ("lu_blocks", 2): (0.51, 0.25), ("lu_blocks", 4): (0.53, 0.29), ("lu_blocks", 8): (0.60, 0.36),
    ("particles", 2): (0.50, 9.66), ("particles", 4): (0.56, 9.72), ("particles", 8): (0.63, 9.81),
    ("water", 2): (2.82, 3.68), ("water", 4): (3.25, 4.79), ("water", 8): (3.85, 6.20),
    ("sor", 2): (3.50, 1.41), ("sor", 4): (6.20, 2.58), ("sor", 8): (10.04, 4.18),
}


def percent(part, whole):
    return 100 * part / whole if whole else None


class Compression:
    def __init__(self, bench, kernels, threads, options):
        self.bench = bench
        self.cases = [(k, t) for k in kernels for t in (threads if k.threaded else (1,))]
        self.tool = next(c for c in CONFIGURATIONS if c.name == "data").with_options(options)
        self.rows = []

    def measure(self):
        for kernel, threads in self.cases:
            self.bench.progress.step(f"{kernel.name}, threads {threads}")
            self.rows.append(self._row(kernel, threads))
            self.bench.progress.line(f"{kernel.name}, threads {threads}: {self.rows[-1]['kernel_bytes']} bytes")

    def _row(self, kernel, threads):
        rounds = kernel.recorded_rounds
        from_main = self.tool.with_options(("--toggle-collect=main",))
        c = self.bench.stats(kernel, threads, from_main, rounds, "--compare")
        whole = self.bench.stats(kernel, threads, self.tool, rounds)
        totals = whole["totals"]
        control, addresses = c["compressors"]["control"], c["compressors"]["addresses"]
        raw, compact = control["raw"] + addresses["raw"], c["compact"]
        return {"kernel": kernel.name, "group": kernel.group, "threads": threads, "rounds": rounds,
                "raw_bytes": raw, "kernel_bytes": compact["kernel"],
                "control_percent": c["ratios"]["kernel_control_percent"], "percent": c["ratios"]["kernel_percent"],
                "whole_percent": percent(whole["bytes"], 4 * sum(totals[k] for k in ("blocks", "wrapper_blocks", "loads",
                                                                                    "stores"))),
                "paths": c["ratios"]["paths"], "paths_as_grammar": c["ratios"]["paths_as_grammar"],
                "addresses": c["ratios"]["addresses"], "long_streams": c["address_streams"]["long_streams"],
                "larger_percent": c["address_streams"]["larger_percent"],
                "cor_percent": c["all"]["cor"]["percent_with_counts"], "cdr_percent": c["all"]["cdr"]["percent"],
                "xz_addresses_percent": percent(addresses["xz"], addresses["raw"]),
                "gzip_percent": percent(control["gzip"] + addresses["gzip"], raw),
                "xz_percent": percent(control["xz"] + addresses["xz"], raw),
                "zstd_percent": percent(control["zstd"] + addresses["zstd"], raw),
                "compare": c}

    def growth(self, row):
        """The kernel size over that with the fewest threads."""
        first = next(r for r in self.rows if r["kernel"] == row["kernel"])
        return ratio(row["kernel_bytes"], first["kernel_bytes"])

    def sizes(self):
        head = ["kernel", "threads", "raw MB", "kernel, bytes", "control, %", "paper", "all, %", "paper", "whole, %",
                "growth"]
        rows = []
        for r in self.rows:
            paper = PAPER.get((r["kernel"], r["threads"]), (None, None))
            rows.append([r["kernel"], r["threads"], shown(r["raw_bytes"] / 1e6, 1), r["kernel_bytes"],
                         shown(r["control_percent"], 3), shown(paper[0]), shown(r["percent"], 3), shown(paper[1]),
                         shown(r["whole_percent"], 3), shown(self.growth(r))])
        return "Sizes, per cent of the raw trace", head, rows

    def others(self):
        head = ["kernel", "threads", "all, %", "gzip -9", "xz -9", "zstd -19", "addresses, xz -9", "paths / best",
                "as grammars", "streams / zstd", "long streams", "above 1.05, %", "COR here, %", "CDR here, %"]
        rows = [[r["kernel"], r["threads"], *(shown(r[n], 3) for n in (
            "percent", "gzip_percent", "xz_percent", "zstd_percent", "xz_addresses_percent", "paths",
            "paths_as_grammar", "addresses")), r["long_streams"], shown(r["larger_percent"], 1),
            shown(r["cor_percent"], 3), shown(r["cdr_percent"], 3)] for r in self.rows]
        return "Beside other compressors on the same raw trace", head, rows

    def written(self, form):
        if form == "json":
            return json.dumps({"schema": "cdrgrind.bench-compression/1", "rows": self.rows}, indent=1) + "\n"
        table = as_markdown if form == "markdown" else as_text
        return "\n".join([table(*self.sizes()), table(*self.others())])

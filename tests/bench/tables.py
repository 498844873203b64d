# SPDX-License-Identifier: GPL-2.0-or-later
"""The results as tables for a terminal, as Markdown for the documentation, and as JSON."""
import json
import os
import platform
from dataclasses import asdict

from plan import GROUPS


def shown(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def as_text(title, head, rows):
    widths = [max(len(str(r[i])) for r in [head, *rows]) for i in range(len(head))]

    def line(row):
        first, *rest = (str(c) for c in row)
        return "  ".join([first.ljust(widths[0])] + [c.rjust(w) for c, w in zip(rest, widths[1:])]).rstrip()

    return "\n".join([title, "-" * min(len(line(head)), 120), line(head), *map(line, rows), ""])


def as_markdown(title, head, rows):
    lines = [f"| {' | '.join(map(str, r))} |" for r in [head, ["---"] + ["---:"] * (len(head) - 1), *rows]]
    return "\n".join([title + ":", "", *lines, ""])


class Tables:
    """Each method: title, head, rows."""

    def __init__(self, results):
        self.results = results
        self.names = [c.name for c in results.configurations if not c.helper]

    def all(self):
        r = self.results
        yield self.summary()
        yield self.over_none("cpu_ms", "Processor time, net, over none")
        yield self.over_none("wall_ms", "Time by the clock, net, over none")
        if any(c.ours for c in r.configurations):
            yield self.recording()
        yield self.memory()
        yield self.start()

    def _case(self, case):
        kernel, threads = case
        return [kernel.name, threads]

    def summary(self):
        rows = [[quantity, *map(shown, values), aim] for quantity, values, aim in self.results.summary()]
        counts = ", ".join(map(str, self.results.thread_counts()))
        return (f"Geometric means unless said otherwise, threads {counts}", ["quantity", *GROUPS, "all", "aim"], rows)

    def over_none(self, field, title):
        r = self.results
        rest = [c.name for c in r.configurations if c.name != "none" and not (c.helper and field == "cpu_ms")]
        head = ["kernel", "threads", "none, s"] + rest
        rows = []
        for case in r.cases:
            none = r.net(case, "none", field)
            rows.append(self._case(case) + [shown(none and none / 1000)] +
                        [shown(r.over(case, n, "none", field)) for n in rest])
        for group in GROUPS:
            means = [r.group_mean(group, n, "none", field) for n in rest]
            rows.append([f"geometric mean, {group}", "", ""] + [shown(m) for m in means])
        return title, head, rows

    def recording(self):
        r = self.results
        head = ["kernel", "threads", "full / memcheck", "data / helgrind", "data / drd", "ns a block", "ns a slot word",
                "besides the block", "ns an access, dependences", "bytes an event, control", "data", "trace MB, data"]
        rows = []
        for case in r.cases:
            size = r.trace_bytes(case, "data")
            rows.append(self._case(case) + [
                shown(r.over(case, "full", "memcheck")), shown(r.over(case, "data", "helgrind")),
                shown(r.over(case, "data", "drd")), shown(r.ns_per_block(case), 1), shown(r.ns_per_word(case), 1),
                shown(r.ns_per_word_besides(case), 1),
                shown(r.ns_per_access(case), 1), shown(r.bytes_per_event(case, "control"), 4),
                shown(r.bytes_per_event(case, "data"), 4), shown(size and size / 1e6, 1)])
        return "What recording takes", head, rows

    def memory(self):
        r = self.results
        ours = [c.name for c in r.configurations if c.ours and not c.helper]
        head = ["kernel", "threads", *self.names, *(f"{n} above none" for n in ours)]
        rows = [self._case(c) + [shown(r.megabytes(c, n), 1) for n in self.names] +
                [shown(r.above(c, n, "none"), 1) for n in ours] for c in r.cases]
        return "Largest resident memory, MB", head, rows

    def start(self):
        r = self.results
        rows = []
        for c in r.configurations:
            least, most = r.runs(c.name)
            peak = r.start(c.name, "peak_kb")
            rows.append([c.name, shown(r.start(c.name), 0), shown(peak and peak / 1024, 1),
                         str(most) if least == most else f"{least} to {most}", c.meaning])
        return "Tools, and what an empty program takes under them", ["tool", "ms", "MB", "runs", "options"], rows


def processor():
    try:
        with open("/proc/cpuinfo") as f:
            return next(line.split(":", 1)[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def conditions(bench):
    return {"processor": processor(), "processors": os.cpu_count(), "kernel": platform.release(),
            "load": round(os.getloadavg()[2], 2), "used_by_others": round(bench.machine.used_by_others(), 3)}


def heading(bench):
    c = conditions(bench)
    return (f"{c['processors']} processors, {c['processor']}; others used {100 * c['used_by_others']:.0f} % of them.\n"
            "Medians, net of an empty program's under the same tool. Processor time and memory are those of one process.\n")


def as_json(results):
    bench = results.bench
    samples = [{"kernel": kernel, "threads": threads, "tool": tool, "rounds": bench.rounds.get(kernel),
                "runs": [asdict(s) for s in some]} for (kernel, threads, tool), some in bench.samples.items()]
    counts = [{"kernel": kernel, "threads": threads, **asdict(c)} for (kernel, threads), c in bench.counts.items()]
    summary = [dict(zip(("quantity", *GROUPS, "all", "aim"), (quantity, *values, aim)))
               for quantity, values, aim in results.summary()]
    return json.dumps({"schema": "cdrgrind.bench/1", "machine": conditions(bench), "summary": summary,
                       "samples": samples, "counts": counts}, indent=1) + "\n"


def written(results, form):
    if form == "json":
        return as_json(results)
    table = as_markdown if form == "markdown" else as_text
    return "\n".join([heading(results.bench), *(table(*t) for t in Tables(results).all())])

# SPDX-License-Identifier: GPL-2.0-or-later
"""What the runs come to: medians, net of an empty program's, and ratios of them. None stands for: not measured."""
import math
from statistics import median

from plan import GROUPS


def ratio(a, b):
    return a / b if a is not None and b else None


def difference(a, b):
    return a - b if a is not None and b is not None else None


def geometric_mean(values):
    known = [v for v in values if v]
    return math.exp(sum(map(math.log, known)) / len(known)) if known else None


class Results:
    def __init__(self, bench, kernels, threads, configurations):
        self.bench = bench
        self.configurations = configurations
        self.kernels = kernels
        self.cases = [(k, t) for k in kernels for t in (threads if k.threaded else (1,))
                      if any(bench.samples.get((k.name, t, c.name)) for c in configurations)]

    def middle(self, name, threads, configuration, field):
        samples = self.bench.samples.get((name, threads, configuration))
        return median(getattr(s, field) for s in samples) if samples else None

    def start(self, configuration, field="cpu_ms"):
        return self.middle("empty", 1, configuration, field)

    def runs(self, configuration):
        """The least and the most runs of a case."""
        counts = [len(self.bench.samples.get((k.name, t, configuration), ())) for k, t in self.cases]
        return (min(counts), max(counts)) if counts else (0, 0)

    def net(self, case, configuration, field="cpu_ms"):
        kernel, threads = case
        net = difference(self.middle(kernel.name, threads, configuration, field), self.start(configuration, field))
        return None if net is None else max(net, 0)

    def over(self, case, a, b, field="cpu_ms"):
        return ratio(self.net(case, a, field), self.net(case, b, field))

    def megabytes(self, case, configuration):
        peak = self.middle(case[0].name, case[1], configuration, "peak_kb")
        return None if peak is None else peak / 1024

    def above(self, case, a, b):
        return difference(self.megabytes(case, a), self.megabytes(case, b))

    def _nanoseconds(self, case, a, b, count):
        counts = self.bench.counts.get((case[0].name, case[1]))
        more = difference(self.net(case, a), self.net(case, b))
        return ratio(None if more is None else more * 1e6, getattr(counts, count) if counts else None)

    def ns_per_block(self, case):
        return self._nanoseconds(case, "control", "none", "blocks")

    def ns_per_word(self, case):
        """Blocks included: what every address costs in the complete trace."""
        return self._nanoseconds(case, "data", "none", "words")

    def ns_per_word_besides(self, case):
        return self._nanoseconds(case, "data", "control", "words")

    def ns_per_access(self, case):
        return self._nanoseconds(case, "full", "data", "accesses")

    def trace_bytes(self, case, configuration):
        return self.middle(case[0].name, case[1], configuration, "trace_bytes")

    def bytes_per_event(self, case, configuration):
        counts = self.bench.counts.get((case[0].name, case[1]))
        return ratio(self.trace_bytes(case, configuration), counts.events if counts else None)

    def group(self, group):
        return [c for c in self.cases if c[0].group == group]

    def group_mean(self, group, a, b, field="cpu_ms"):
        return geometric_mean([self.over(c, a, b, field) for c in self.group(group)])

    def thread_counts(self):
        return sorted({t for _, t in self.cases})

    def summary(self):
        """Rows: quantity, [regular, irregular, all], what is aimed at in one process."""
        return [
            self._means("control flow and synchronisation, over none", "control", "none", "2.0, 4"),
            self._means("the complete trace, over none", "data", "none", "3.5, 8"),
            self._means("complete trace and dependences, over memcheck", "full", "memcheck", "2.0, 4.5"),
            self._by_clock("control flow and synchronisation, over none", "control_helper", "none", "1.5, 2.5"),
            self._by_clock("the complete trace, over none", "data_helper", "none", "2.0, 5"),
            self._by_clock("complete trace and dependences, over memcheck", "full_helper", "memcheck", "1.0, 3"),
            self._by_clock("control flow and synchronisation, over none", "control", "none", "-"),
            self._by_clock("the complete trace, over none", "data", "none", "-"),
            self._by_clock("complete trace and dependences, over memcheck", "full", "memcheck", "-"),
            self._means("the complete trace, over helgrind", "data", "helgrind", "below 1"),
            self._means("the complete trace, over drd", "data", "drd", "below 1"),
            self._largest("resident memory with the complete trace above none's, largest, MB", "data", "none",
                          "64 and the budget (--cdr-memory)"),
            self._largest("resident memory for dependences besides, largest, MB", "full", "data",
                          "3 times the memory touched for words, 8 times for bytes"),
            self._cost("ns a block", self.ns_per_block, "3, 8"),
            self._cost("ns a slot word, its share of the block included", self.ns_per_word, "-"),
            self._cost("ns a slot word besides", self.ns_per_word_besides, "3, 8"),
            self._cost("ns an access for dependences", self.ns_per_access, "-"),
        ]

    def _by_group(self, figure, join):
        cases = [self.group(g) for g in GROUPS]
        return [join([figure(c) for c in some]) for some in (*cases, sum(cases, []))]

    def _means(self, quantity, a, b, aim, field="cpu_ms"):
        return quantity, self._by_group(lambda c: self.over(c, a, b, field), geometric_mean), aim

    def _by_clock(self, quantity, a, b, aim):
        side = "with a helper" if a.endswith("_helper") else "in one process"
        return self._means(f"{side}, by the clock: {quantity}", a, b, aim, "wall_ms")

    def _largest(self, quantity, a, b, aim):
        def largest(values):
            return max((v for v in values if v is not None), default=None)

        return quantity, self._by_group(lambda c: self.above(c, a, b), largest), aim

    def _cost(self, quantity, figure, aim):
        def middle(values):
            known = [v for v in values if v is not None]
            return median(known) if known else None

        return quantity + ", median", self._by_group(figure, middle), aim

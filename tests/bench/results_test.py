# SPDX-License-Identifier: GPL-2.0-or-later
"""Made-up runs, and what they must come to."""
import types
import unittest
from collections import defaultdict

from measuring import Counts, Sample
from plan import CONFIGURATIONS, KERNELS
from results import Results, geometric_mean
from sizes import Sizes, kernel_bytes, raw_bytes
from tables import Tables, as_markdown, as_text


def made_up():
    """sor at one thread and at four: start-up 100 ms everywhere, and under none 200 ms and 300 ms in all."""
    bench = types.SimpleNamespace(samples=defaultdict(list), counts={}, rounds={"sor": 7})
    sor = next(k for k in KERNELS if k.name == "sor")
    for c in CONFIGURATIONS:
        bench.samples["empty", 1, c.name] = [Sample(100, 100, 1024, 0)]
    for threads, none_ms in ((1, 200), (4, 300)):
        times = {"none": none_ms, "memcheck": 500, "control": none_ms + 100, "data": none_ms + 300, "full": 900}
        for name, ms in times.items():
            # The middle of three counts, not their mean.
            bench.samples["sor", threads, name] = [Sample(ms, 2 * ms, 4096 + len(name), 10), Sample(1, 1, 0, 10),
                                                   Sample(9999, 9999, 99999, 10)]
        bench.counts["sor", threads] = Counts(events=40, blocks=1000000, words=2000000, accesses=5000000)
    return Results(bench, [sor], [1, 4], list(CONFIGURATIONS)), (sor, 1), (sor, 4)


class ResultsTest(unittest.TestCase):
    def test_ratios_are_of_medians_net_of_an_empty_program(self):
        results, one, four = made_up()
        self.assertEqual(results.cases, [one, four])
        self.assertAlmostEqual(results.over(one, "data", "none"), 4)
        self.assertAlmostEqual(results.over(four, "data", "none"), 2.5)
        self.assertAlmostEqual(results.over(one, "full", "memcheck"), 2)
        self.assertAlmostEqual(results.over(one, "none", "none", "wall_ms"), 1)
        self.assertAlmostEqual(results.group_mean("regular", "data", "none"), 10**0.5)

    def test_what_was_not_measured_is_none_and_shown_as_a_dash(self):
        results, one, _ = made_up()
        self.assertIsNone(results.over(one, "data", "helgrind"))
        self.assertIsNone(results.group_mean("irregular", "data", "none"))
        self.assertIsNone(geometric_mean([None, 0]))
        _, head, rows = Tables(results).recording()
        self.assertEqual(rows[0][head.index("data / helgrind")], "-")

    def test_costs_are_differences_over_counts(self):
        results, one, _ = made_up()
        self.assertAlmostEqual(results.ns_per_block(one), 100)
        self.assertAlmostEqual(results.ns_per_word(one), 150)
        self.assertAlmostEqual(results.ns_per_word_besides(one), 100)
        self.assertAlmostEqual(results.ns_per_access(one), 80)
        self.assertAlmostEqual(results.bytes_per_event(one, "data"), 0.25)
        self.assertAlmostEqual(results.above(one, "control", "none"), 3 / 1024)

    def test_counts_of_few_rounds_are_continued(self):
        few, more = Counts(10, 20, 30, 40), Counts(14, 40, 30, 140)
        self.assertEqual(few.continued(more, 1, 3, 5), Counts(18, 60, 30, 240))

    def test_every_row_of_every_table_is_as_wide_as_its_head(self):
        results, _, _ = made_up()
        for title, head, rows in Tables(results).all():
            for row in rows:
                self.assertEqual(len(row), len(head), title)

    def test_tables_as_text_and_as_markdown(self):
        table = "Title", ["kernel", "ms"], [["sor", "10"], ["fft", "7"]]
        self.assertEqual(as_text(*table), "Title\n----------\nkernel  ms\nsor     10\nfft      7\n")
        self.assertEqual(as_markdown(*table),
                         "Title:\n\n| kernel | ms |\n| --- | ---: |\n| sor | 10 |\n| fft | 7 |\n")


class SizesTest(unittest.TestCase):
    STATS = {"bytes": 1000, "format": 1, "totals": {"blocks": 50, "wrapper_blocks": 0, "loads": 20, "stores": 5},
             "frames": [{"type": "BLOCKS", "bytes": 300}, {"type": "EVENTS", "bytes": 500},
                        {"type": "META", "bytes": 40}]}

    def test_kernel_size_leaves_tables_out(self):
        self.assertEqual(kernel_bytes(self.STATS), 660)
        self.assertEqual(raw_bytes(self.STATS, "control"), 200)
        self.assertEqual(raw_bytes(self.STATS, "data"), 300)

    def test_growth_is_over_the_fewest_threads_of_the_same_kernel_and_part(self):
        bench = types.SimpleNamespace(progress=types.SimpleNamespace(step=lambda _: None),
                                      stats=lambda k, threads, c, r: {**self.STATS, "bytes": 340 + 10 * threads})
        sizes = Sizes(bench, [KERNELS[0]], [2, 8], [])
        sizes.measure()
        self.assertEqual([sizes.growth(r) for r in sizes.rows], [1, 1, 4, 4])
        self.assertIn("| fft | 8 | 1 | data | 0.0 | 420 | 140.000 | 80 | 26.667 | 4.00 |", sizes.written("markdown"))


if __name__ == "__main__":
    unittest.main()

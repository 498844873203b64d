# SPDX-License-Identifier: GPL-2.0-or-later
"""What is measured: kernels, and the tools they run under."""
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Kernel:
    name: str
    group: str  # regular: counted loops, constant strides; irregular: data decide
    program: str
    arguments: tuple = ()
    threaded: bool = True
    recorded_rounds: int = 1  # for sizes

    def command(self, programs, threads, rounds):
        line = [f"{programs}/{self.program}", "-q", *self.arguments, "-r", str(rounds)]
        return line + ["-t", str(threads)] if self.threaded else line


KERNELS = (
    Kernel("fft", "regular", "fft", ("-n", "65536")),
    Kernel("lu_blocks", "regular", "lu", ("-n", "256", "-l", "blocks")),
    Kernel("lu_rows", "regular", "lu", ("-n", "256", "-l", "rows")),
    Kernel("sor", "regular", "sor", ("-n", "100"), recorded_rounds=100),
    Kernel("matrix_product", "regular", "matrix_product", ("-n", "200")),
    Kernel("sort_and_hash", "irregular", "sort_and_hash", ("-n", "100000"), threaded=False),
    Kernel("recursion_and_lists", "irregular", "recursion_and_lists", ("-n", "20000"), threaded=False),
    Kernel("particles", "irregular", "particles", ("-n", "50000"), recorded_rounds=5),
    Kernel("radix_sort", "irregular", "radix_sort", ("-n", "262144")),
    Kernel("water", "irregular", "water", ("-n", "64"), recorded_rounds=3),
)
GROUPS = ("regular", "irregular")


@dataclass(frozen=True)
class Configuration:
    name: str
    options: tuple | None  # None: without Valgrind
    ours: bool = False
    slow: bool = False  # there for comparison only: --slow-runs
    helper: bool = False

    @property
    def meaning(self):
        if self.options is None:
            return "without Valgrind"
        return " ".join(o for o in self.options if not o.startswith("--callgrind-out"))

    def with_options(self, options):
        return replace(self, options=(*self.options, *options))

    def command(self, valgrind, trace):
        if self.options is None:
            return []
        line = [valgrind, "-q", "--vgdb=no", *self.options]
        return line + [f"--cdr-out-file={trace}"] if self.ours else line


CONFIGURATIONS = (
    Configuration("native", None),
    Configuration("none", ("--tool=none",)),
    Configuration("memcheck", ("--tool=memcheck", "--leak-check=no")),
    Configuration("callgrind", ("--tool=callgrind", "--callgrind-out-file=/dev/null"), slow=True),
    Configuration("helgrind", ("--tool=helgrind",), slow=True),
    Configuration("drd", ("--tool=drd",), slow=True),
    Configuration("control", ("--tool=cdrgrind", "--helper=no", "--cdr-data=none", "--deps=no"), ours=True),
    Configuration("data", ("--tool=cdrgrind", "--helper=no", "--deps=no"), ours=True),
    Configuration("full", ("--tool=cdrgrind", "--helper=no", "--deps=yes"), ours=True),
    # The helper's processor time is not that of the process or its children: only times by the clock are told.
    Configuration("control_helper", ("--tool=cdrgrind", "--helper=yes", "--cdr-data=none", "--deps=no"), ours=True,
                  helper=True),
    Configuration("data_helper", ("--tool=cdrgrind", "--helper=yes", "--deps=no"), ours=True, helper=True),
    Configuration("full_helper", ("--tool=cdrgrind", "--helper=yes", "--deps=yes"), ours=True, helper=True),
)

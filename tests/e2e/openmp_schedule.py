# SPDX-License-Identifier: GPL-2.0-or-later
"""openmp_schedule.py SCHEDULE SOURCE: the source with that schedule for all of its loops that are shared out, on the same
lines. Those of functions whose verdict rests on a schedule keep theirs."""
import re
import sys

# Loops with nowait, which only a static schedule orders.
KEEP = {"two_static_loops", "two_loops", "again", "equal_loops", "shifted", "one_unknown"}

schedule, source = sys.argv[1:]
function = None
for line in open(source, encoding="utf-8"):
    begins = re.match(r"static void (\w+)\(void\) \{", line)
    function = begins[1] if begins else function

    def with_schedule(pragma):
        text = re.sub(r"\s*\bschedule\([^)]*\)", "", pragma[0])
        return re.sub(r"\b(for)\b", rf"\1 schedule({schedule})", text, count=1)

    if function not in KEEP and "schedule(runtime)" not in line:
        line = re.sub(r'omp (?:parallel )?for\b[^"\n]*', with_schedule, line)
    sys.stdout.write(line)

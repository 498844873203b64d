# SPDX-License-Identifier: GPL-2.0-or-later
# The chart of `cdrgrind sync` of programs with OpenMP is by strands: what a task does stands in its lane, whichever thread
# executes it, equal tasks stand once, and what is got comes from the strand that gave it.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"
source=$(cd "$top_srcdir" && pwd)/tests/programs/openmp/chart.c

# The same strands as those of dumped events.
check_chart() { # NAME [TEXT]
  "$cdrgrind" dump --format=json --events=sync,thread "$1.trace" >"$1.events"
  "$cdrgrind" sync --format=json "$1.trace" >"$1.json"
  python3 "$top_srcdir/tests/e2e/openmp_chart.py" "$source" "$1.events" "$1.json" "${@:2}" || fail "$1"
}
record chart "$cases/chart"
LC_ALL=C "$cdrgrind" sync --color=never chart.trace >chart.text
check_chart chart chart.text
for name in tasks_right worksharing_right exclusive_right; do
  record $name "$cases/$name"
  check_chart $name
done

# A part of the run, one object, a function: the lanes of what is there.
"$cdrgrind" sync --format=json --object=mutex chart.trace >object.json
python3 -c 'import json, sys
doc = json.load(open("object.json"))
(lane,) = doc["strands"]
assert lane["kind"] == "task" and {r["strand"] for r in doc["chart"]} == {lane["number"]}, lane' || fail "one object"
"$cdrgrind" sync --format=mermaid chart.trace >mermaid
grep -qE '^    participant T[0-9]+ as task at chart\.c:[0-9]+ × 240$' mermaid || fail "mermaid: $(head -20 mermaid)"
grep -qE '^    T1->>T[23]: begins: thread [01] of team 1' mermaid || fail "mermaid: hand-overs"

# Programs without OpenMP have threads.
record pipeline "$examples/pipeline"
"$cdrgrind" sync --format=json pipeline.trace >pipeline.json
! grep -qE '"(strands|from_strands|strand)"' pipeline.json || fail "strands of threads"
"$cdrgrind" sync --color=never pipeline.trace >pipeline.text
grep -qE '^ +#  1   2.* thread$' pipeline.text || fail "$(head -40 pipeline.text)"

# SPDX-License-Identifier: GPL-2.0-or-later
# `advise` of loops that are parallel already: which, how they are shared out, how evenly, what is exclusive in them; of
# loops in parallel regions; what `annotate` marks.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"
source=$(cd "$top_srcdir" && pwd)/tests/programs/openmp/advised.c
check=$top_srcdir/tests/e2e/openmp_advise.py

build() { "${CC:-cc}" -std=gnu11 -g "-$1" -fopenmp -o "advised_$1" "$source"; }
build O0
build O2
record advised ./advised_O0
"$cdrgrind" advise --format=json advised.trace >advised.json
python3 "$check" O0 "$source" advised.json || fail "-O0"
"$cdrgrind" advise --format=sarif advised.trace >advised.sarif
python3 "$check" sarif "$source" advised.sarif || fail "SARIF"

record fast ./advised_O2
"$cdrgrind" advise --format=json fast.trace >fast.json
python3 "$check" O2 "$source" fast.json || fail "-O2"

# With one thread the same loops are shared out.
OMP_NUM_THREADS=1 record one ./advised_O0
"$cdrgrind" advise --format=json one.trace >one.json
python3 "$check" one "$source" one.json || fail "one thread"

line_of() { grep -nF "/* $1 */" "$source" | cut -d: -f1; }
"$cdrgrind" advise -n 0 --color=never advised.trace >text
# below TITLE: what is said of the loop
below() { awk -v title="^advised.c:$(line_of "$1")[- ]" '$0 ~ title { on = 1 } on && !NF { exit } on' text; }
below triangle >triangle
head -n 1 triangle | grep -q '  already parallel: team of 2, static$' || fail "text: title: $(cat triangle)"
grep -qE '^    in the parallel region at advised\.c:[0-9]+; imbalance 1\.(49|50)$' triangle || fail "text: imbalance"
grep -qE '^      thread 1: 1 chunk, 200 iterations, [0-9,]+ instructions$' triangle || fail "text: shares"
below exclusive >exclusive
grep -qE '^      1\.[12] times as fast at most, whatever the number of threads: 8[0-9]\.[0-9] % under one lock$' exclusive ||
  fail "text: bound: $(cat exclusive)"
grep -qE "^      critical at advised\.c:[0-9]+: 8[0-9]\.[0-9] % of its instructions$" exclusive || fail "text: critical"
below repeated >repeated
grep -qE '^    100\.0 % of it in the parallel region at advised\.c:[0-9]+ \(team of 2\)$' repeated || fail "text: region"
! grep -q '#pragma omp parallel for' repeated exclusive triangle || fail "text: parallel once more"
below serial | grep -q '^    #pragma omp parallel for$' || fail "text: serial"

# Two runs of it are one answer.
"$cdrgrind" advise --format=json advised.trace one.trace >two.json
python3 "$check" two "$source" two.json || fail "two runs"

"$cdrgrind" annotate --class=o --color=never advised.trace >annotated
grep -q '^Lines:   p in a parallel region, P a loop that is shared out among its threads$' annotated || fail "legend"
grep -qE "^.* $(line_of 'in critical') p +work\(90\)" annotated || fail "a line in a region"
grep -qE "^.* $(line_of triangle) P +for" annotated || fail "a shared loop"
grep -qE '^.* [0-9]+   +repeated\(\);$' annotated || fail "a line in no region"
grep -q ' by 1 (parallel)' annotated || fail "what a shared loop carries"
"$cdrgrind" annotate --class=o --format=json advised.trace >annotated.json
python3 "$check" lines "$source" annotated.json || fail "lines in JSON"

# SPDX-License-Identifier: GPL-2.0-or-later
# What reports say of programs with OpenMP: names of what regions and tasks share, where a task was created, what only
# the order of locks has kept from happening, how regions, loops and sections were shared out.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"
source=$(cd "$top_srcdir" && pwd)/tests/programs/openmp/reports.c

record reports "$cases/reports"
"$cdrgrind" verify reports.trace >verified || fail "$(head -n 3 verified)"

expect 1 "$cdrgrind" races --format=json reports.trace >races.json
expect 1 "$cdrgrind" races --color=never reports.trace >races.text
python3 "$top_srcdir/tests/e2e/openmp_reports.py" races "$source" races.json || fail "races"
line=$(grep -n '/\* first task \*/' "$source" | cut -d: -f1)
grep -qE "by thread [0-9]+ \(task [0-9]+ of team [0-9]+ created at reports\.c:$line\), no locks held" races.text ||
  fail "text: where the task was created"
grep -qE '^#[0-9]+ sum of shared_local  \(' races.text || fail "text: sum"
grep -qE '^#[0-9]+ work\[0\]  \(.*lock-order' races.text || fail "text: lock-order"
! grep -qE '^#[0-9]+ work\[32\]  \(.*lock-order' races.text || fail "text: lock-order of what no lock orders"
! grep -q 'omp_data' races.text || fail "text: the compiler's names"

"$cdrgrind" sync --format=json reports.trace >sync.json
python3 "$top_srcdir/tests/e2e/openmp_reports.py" sync "$source" sync.json || fail "sync"
"$cdrgrind" sync --color=never reports.trace >sync.text
grep -qE '^parallel at reports\.c:[0-9]+: 3 runs, 2 threads, [0-9]+ barriers, imbalance [12]\.[0-9]+$' sync.text ||
  fail "text: regions"
grep -qE '^  loop, dynamic, 4 at reports\.c:[0-9]+: 3 runs, imbalance ' sync.text || fail "text: loops"
grep -qE '^  thread 1: [0-9,]+ instructions, others had [0-9,]+ more to do' sync.text || fail "text: waiting"

# SPDX-License-Identifier: GPL-2.0-or-later
# `sharing` between strands: what threads of a team, tasks, chunks and sections may do to each other in lines of memory,
# and what order, padding, and memory of their own keep apart; with one thread, too.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"

for threads in 1 2; do
  OMP_NUM_THREADS=$threads record lines$threads "$cases/lines"
  "$cdrgrind" sharing --format=json lines$threads.trace >lines$threads.json
  python3 "$top_srcdir/tests/e2e/openmp_sharing.py" lines$threads.json || fail "$threads threads"
done

"$cdrgrind" sharing -n 0 --color=never lines1.trace >text
task='task [0-9]+ of team [0-9]+ created at lines\.c:[0-9]+'
grep -A 1 '^beside_tasks  (global)$' text | grep -qE "^    may happen: up to 40 times by $task and $task\$" ||
  fail "text: tasks: $(grep -A 3 '^beside_tasks' text)"
part='a chunk in thread 0 of team [0-9]+'
grep -A 1 '^beside_chunks  (global)$' text | grep -qE "^    may happen: up to 1,120 times by $part and another \(28 pairs\)\$" ||
  fail "text: chunks: $(grep -A 3 '^beside_chunks' text)"
grep -qE '^    bytes   0 to   7  beside_tasks\.a  stored by task [0-9]+ of team [0-9]+ created at ' text || fail "text: parts"
grep -A 1 '^same_tasks  (global)$' text | grep -q '^    may happen: up to 40 times by task ' || fail "text: true sharing"

# SPDX-License-Identifier: GPL-2.0-or-later
# OpenMP as gcc's library has it: the operations that are logged are those that the program asked for.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"

# Every entry point, with what it gave.
vg -q --deps=no --cdr-out-file=entries.trace "$cases/entries" >entries.want
"$cdrgrind" verify entries.trace >entries.verify
"$cdrgrind" dump --format=json --events=sync entries.trace >entries.json
python3 "$top_srcdir/tests/e2e/openmp_entries.py" entries.json >entries.all
grep -v '^#' entries.want >entries.operations
head -n "$(wc -l <entries.operations)" entries.all | diff entries.operations - || fail "other operations (< asked for, > logged)"
# What the runtime gave the tasks is what the program would have got without us.
"$cases/entries" | diff - entries.want || fail "the program did something else"
grep -c 'omp-thread-number 1 ' entries.all >private
[ "$(cat private)" -ge 2 ] || fail "task reductions are not told"

# Nothing of it, if one does not want it.
vg -q --deps=no --cdr-openmp=no --cdr-out-file=plain.trace "$cases/worksharing_wrong" reduction_static >plain.out
"$cdrgrind" dump --format=json --events=sync plain.trace >plain.json
! grep -q '"omp-' plain.json || fail "--cdr-openmp=no: operations are logged"
"$cdrgrind" races plain.trace >plain.races || [ $? = 1 ]
grep -q 'no operation of its library' plain.races || fail "it is not said that threads are judged"

# SPDX-License-Identifier: GPL-2.0-or-later
# As mutants.sh, with more recordings, old ones among them: MUTANTS (5,000) files from SEED (1) on, in two halves.
. "$top_srcdir/tests/e2e/mutants_lib.sh"
command -v python3 >/dev/null || skip "no python3"

count=${MUTANTS:-5000} seed=${SEED:-1}
record_mutable
old=$top_srcdir/tests/traces
traces=("$old"/v*/*.trace *.trace)
mutants $((seed + count / 2)) $((count - count / 2)) "${traces[@]}" >second &
first=0 second=0
mutants "$seed" $((count / 2)) "${traces[@]}" || first=1
wait $! || second=1
cat second
[ $first$second = 00 ] || fail "findings"

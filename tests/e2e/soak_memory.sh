# SPDX-License-Identifier: GPL-2.0-or-later
# More than 10^9 blocks, data-dependent recursion and lists: the recorder keeps to its memory. What it may take
# besides the budget: code, tables, buffers.
. "$top_srcdir/tests/e2e/common.sh"

kernel=$top_builddir/tests/bench/programs/recursion_and_lists
# peak COMMAND...: its largest resident memory, in MB.
peak() { measured memory "$@" >/dev/null && cat memory; }

none=$(peak "$VALGRIND" --tool=none -q --vgdb=no "$kernel" -q -r 2)
for budget in 64 32; do
  rounds=$((budget == 64 ? 160 : 10))
  ours=$(peak "$VALGRIND" --tool=cdrgrind -q --vgdb=no --deps=no --cdr-memory=$budget --cdr-out-file=trace \
    "$kernel" -q -r $rounds)
  blocks=$("$cdrgrind" stats --format=json trace | grep -m1 '"blocks":' | tr -dc 0-9)
  echo "$blocks blocks: $ours MB, none $none MB"
  [ "$budget" != 64 ] || [ "$blocks" -ge 1000000000 ] || fail "only $blocks blocks"
  [ $((ours - none)) -le $((budget + 16)) ] || fail "$((ours - none)) MB above none with --cdr-memory=$budget"
done

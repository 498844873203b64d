# SPDX-License-Identifier: GPL-2.0-or-later
# A place of a stack is another variable in the next call: that atomic instructions touch it in one presumes nothing in
# another, with debug information and without, on the compact form of a trace and event by event.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"

for flags in "-O0" "-O1" "-O2" "-g -O1"; do
  # shellcheck disable=SC2086
  "$CC" $flags -pthread -o words "$top_srcdir/tests/programs/races/stack_words.c"
  for blocks in 16777216 300; do
    for mode in right wrong late atomic; do
      vg -q --deps=no --cdr-chunk-blocks=$blocks --cdr-out-file=$mode.out ./words $mode 3
    done
    both_ways 0 right right.out
    both_ways 0 atomic atomic.out
    # Whoever comes second to the word, nothing atomic is there.
    both_ways 1 wrong wrong.out
    ! grep -q '"mixed":true' wrong.json || fail "$flags: mixed"
    both_ways 1 late late.out
    ! grep -q '"mixed":true' late.json || fail "$flags: late, mixed"
  done
done

"$CC" -g -O0 -pthread -o early "$top_srcdir/tests/programs/races/stack_words_early.c"
vg -q --deps=no --cdr-out-file=early.out ./early
both_ways 1 early early.out
grep -q '"seen"' early.json || fail "early: another variable"

# SPDX-License-Identifier: GPL-2.0-or-later
# The same when another thread runs inside every wrapper, right before the operation is left in the log.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/wrappers_lib.sh"

check_wrappers --cdr-test-switch=leave

# Three threads that are always ready: the switch does take place, inside of most. They share one arena, so a block
# that realloc moves away from can be another thread's before realloc has returned: in three recordings of four.
record_switches() {
  GLIBC_TUNABLES=glibc.malloc.arena_max=1:glibc.malloc.tcache_count=0 \
    vg -q --cdr-test-switch=leave --cdr-out-file=switches.trace "$programs/wrappers/thread_switches" >switches.out
  "$cdrgrind" verify switches.trace >switches.verify
}
block_changed_hands() {
  "$cdrgrind" dump --events=heap switches.trace |
    awk '$3 == "alloc" && last == "free " $1 - 1 " " $2 " " $4 { taken++ } { last = $3 " " $1 " " $2 " " $4 }
      END { exit !taken }'
}

record_switches
"$cdrgrind" dump --format=json switches.trace |
  awk -v mode=leave -F'"event":"' '
    { event = substr($2, 1, index($2, "\"") - 1) }
    mode == "enter" && last == "sync-enter" { all++; inside += event == "turn" || event == "thread-start" }
    mode == "leave" && event == "sync-leave" { all++; inside += last == "turn" }
    { last = event }
    END { print inside + 0 " of " all " switched"; exit !(all > 300 && inside > 0.6 * all) }' >switches.count ||
  fail "few switches: $(cat switches.count)"
for ((tries = 1; tries < 20; tries++)); do
  block_changed_hands && break
  record_switches
done
block_changed_hands || fail "no block changed hands inside realloc, in $tries recordings"

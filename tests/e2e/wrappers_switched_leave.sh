# SPDX-License-Identifier: GPL-2.0-or-later
# The same when another thread runs inside every wrapper, right before the operation is left in the log.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/wrappers_lib.sh"

check_wrappers --cdr-test-switch=leave
record_switches leave
check_switched leave

block_changed_hands() {
  "$cdrgrind" dump --events=heap switches.trace |
    awk '$3 == "alloc" && last == "free " $1 - 1 " " $2 " " $4 { taken++ } { last = $3 " " $1 " " $2 " " $4 }
      END { exit !taken }'
}

# It does so in three recordings of four.
for ((tries = 1; tries < 20; tries++)); do
  block_changed_hands && break
  record_switches leave
done
block_changed_hands || fail "no block changed hands inside realloc, in $tries recordings"

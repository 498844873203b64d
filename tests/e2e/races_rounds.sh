# SPDX-License-Identifier: GPL-2.0-or-later
# What follows from what is the same however long the run is, and however the trace is cut: two threads in turns, whose
# index is a race (Figure 7 of the paper).
. "$top_srcdir/tests/e2e/common.sh"

for rounds in 50 200 1000 4000; do
  for blocks in 1000 16777216; do
    vg -q --deps=no --cdr-chunk-blocks=$blocks --cdr-out-file=trace "$programs/races/rounds" $rounds
    expect 1 "$cdrgrind" races --show-artifacts trace >text
    grep '^#' text >got
    printf '#1 flag  (root)\n#2 element[1]  (artifact of #1, stays)\n' | diff -u - got || fail "$rounds rounds: $(cat text)"
    grep -q '^    why: the address of the access at rounds.c:' text || fail "no reason: $(cat text)"
  done
done

# Reading events gives the same.
expect 1 "$cdrgrind" races --show-artifacts --from-events trace >again
diff -u text again || fail "other verdicts from events"

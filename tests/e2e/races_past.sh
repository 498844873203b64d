# SPDX-License-Identifier: GPL-2.0-or-later
# What is past is forgotten while accesses are collected; the races are those that are found without. A handler reads what
# all threads would have known to be past, had it not run.
. "$top_srcdir/tests/e2e/common.sh"

vg -q --deps=no --cdr-out-file=trace "$programs/races/past"
expect 1 "$cdrgrind" races trace >text
grep '^#' text >got
printf '#1 table[1][3]  (root)\n' | diff -u - got || fail "$(cat text)"
for way in "" --from-events; do
  # shellcheck disable=SC2086
  expect 1 "$cdrgrind" races $way trace >all
  # shellcheck disable=SC2086
  expect 1 "$cdrgrind" races $way --forget-at-once trace >forgetful
  diff -u all forgetful || fail "other races when what is past is forgotten ($way)"
done

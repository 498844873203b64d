#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# When dependences are computed: whichever way, annotate prints the same; those that were left are kept in the trace by
# the first command that asks, where that can be.
. "${top_srcdir:?}/tests/e2e/common.sh"

fibonacci=$examples/fibonacci
again() { vg -q --cdr-out-file="$1" "${@:2}" "$fibonacci" >/dev/null; }
dependences() { "$cdrgrind" dump --dependences "$1"; }
where() { { "$cdrgrind" stats "$1" 2>stats.err || true; } | sed -n 's/^Dependences: *//p'; }
left='left to the first command that asks for them'
is_left() { [ "$(where "$1")" = "$left" ] || fail "$1: dependences are $(where "$1")"; }
has() { [ "$(where "$1")" = 'in the file' ] || fail "$1: dependences are $(where "$1")"; }

again yes --deps=yes
dependences yes >want
[ -s want ]
has yes

# Left at once, found by the first that asks, and kept.
for way in '--deps=later --helper=yes' '--deps=later --helper=no' '--deps=auto --helper=no'; do
  # shellcheck disable=SC2086
  again left $way
  is_left left
  "$cdrgrind" stats --format=json left | grep -q '"dependences": *"later"' || fail "$way: JSON"
  cp left before
  chmod 640 left
  dependences left | cmp - want || fail "$way: other dependences"
  has left
  [ "$(stat -c %a left)" = 640 ] || fail "$way: another mode"
  cp left kept
  dependences left | cmp - want
  cmp left kept || fail "$way: written twice"
  expect 0 "$cdrgrind" verify --dependences left >verified
  # All else is as it was.
  "$cdrgrind" dump before >events.before
  "$cdrgrind" dump left | cmp - events.before || fail "$way: other events"
  "$cdrgrind" annotate left >annotated
  "$cdrgrind" annotate before | sed -E '/^(Trace|Next):/s/before$/left/' | cmp - annotated || fail "$way: annotate"
done

# A helper that keeps up finds them; one that does not leaves them, and so do processes that fork from then on.
again quick --deps=auto --helper=yes
has quick
dependences quick | cmp - want
vg -q --deps=auto --helper=yes --cdr-out-file=slow \
  "$top_builddir/tests/bench/programs/recursion_and_lists" -n 20000 -r 1 >/dev/null
is_left slow
for helpers in 2 4; do
  again quick --deps=auto --helpers=$helpers
  has quick
  dependences quick | cmp - want
done
vg -q --deps=auto --helpers=2 --cdr-out-file=slow \
  "$top_builddir/tests/bench/programs/recursion_and_lists" -n 20000 -r 1 >/dev/null
is_left slow

# Where it cannot be kept it is printed all the same: a pipe, a trace that somebody writes, one that was cut.
again left --deps=later --helper=no
cp left piped
# shellcheck disable=SC2002
cat piped | "$cdrgrind" dump --dependences - | cmp - want
cmp left piped
mkdir closed
ln left closed/hard
ln -s ../left closed/link
dependences closed/link | cmp - want
has left
is_left closed/hard
head -c -40 piped >cut
ends 0 "$cdrgrind" dump --dependences cut
is_left cut
cp piped locked
mkfifo holding
python3 "$top_srcdir/tests/e2e/locks.py" locked <holding >says &
exec 8>holding
until grep -q locked says; do sleep 0.05; done
ends 0 "$cdrgrind" dump --dependences locked
exec 8>&-
wait
grep -q 'could not be kept: locked: is still being written' err || fail "$(cat err)"
cmp out want
is_left locked

# Nobody asked for them: computed each time, not kept.
again no --deps=no
[ "$(where no)" = none ] || fail "no: $(where no)"
dependences no | cmp - want
[ "$(where no)" = none ] || fail "no: $(where no)"

# However many threads compute them.
vg -q --deps=later --cdr-out-file=threads "$examples/pipeline" >/dev/null
for trace in no threads; do
  "$cdrgrind" dump --dependences=trace --jobs=1 $trace >one
  [ -s one ]
  for jobs in 2 3 8 64; do
    "$cdrgrind" dump --dependences=trace --jobs=$jobs $trace | cmp - one || fail "$trace: $jobs jobs find others"
  done
done
refused 2 'jobs' annotate --jobs=0 no
refused 2 'jobs' annotate --jobs=65 no

# They need all addresses.
for data in none nonstack; do
  ends 1 vg -q --deps=later --cdr-data=$data --cdr-out-file=bad "$fibonacci"
  grep -q -- "--deps=later needs all addresses" err || fail "$(cat err)"
  [ ! -e bad ] || fail "a trace was written"
  again some --deps=auto --cdr-data=$data --helper=no
  has some
done

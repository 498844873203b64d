# SPDX-License-Identifier: GPL-2.0-or-later
# annotate names what dependences are about: every line of tests/programs/scope/names.c and objects.cc that says a name in
# a comment has rows of itself with it, and with no other name; recorded and computed dependences have the same.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

here=$top_srcdir/tests/e2e
source=$top_srcdir/tests/programs/scope/names.c
vg -q --cdr-out-file=names.trace "$programs/scope/names" >/dev/null
"$cdrgrind" annotate --format=json names.trace >recorded
"$cdrgrind" annotate --format=json --from-trace --jobs=3 names.trace >computed
cmp recorded computed || fail "computed dependences have other names"
python3 "$here/object_names.py" names recorded "$source" || fail "names.c"

# Objects of all kinds, not optimised and optimised; the manual has them all.
objects=$top_srcdir/tests/programs/scope/objects.cc
for level in O0 O2; do
  vg -q --cdr-out-file=$level.trace "$programs/scope/objects_$level"
  "$cdrgrind" annotate --format=json $level.trace >$level.json
  python3 "$here/object_names.py" objects $level.json "$objects" $level || fail "objects.cc, $level"
done
python3 "$here/object_names.py" table "$top_srcdir/docs/dependences.md" "$source" "$objects" || fail "the manual's table"

# Races and sharing have the same names.
vg -q --deps=no --cdr-out-file=races.trace "$programs/sharing/planted"
"$cdrgrind" races --format=json races.trace >races.json || :
"$cdrgrind" sharing --format=json races.trace >sharing.json
grep -q '"sums\[' sharing.json || fail "a block of the heap has no name"

# Without them.
"$cdrgrind" annotate --format=json --objects=no names.trace >without
! grep -q '"objects"' without || fail "--objects=no"
"$cdrgrind" annotate --color=never --function=main names.trace >text
grep -Eq '^  kind +class +from +to +count( +from earlier)? +variable$' text || fail "$(cat text)"
grep -Eq '^  RAW +o .* global$' text || fail "$(cat text)"

# Functions, those in which most is passed on first.
"$cdrgrind" annotate --color=never --summary names.trace >text
grep -Eq '^ +RAW +of calls +WAR +WAW  function, its most frequent RAW$' text || fail "$(cat text)"
grep -Eq '^ +[0-9,]+ +[0-9,]+ +[0-9,]+ +[0-9,]+  main  \(names\.c:[0-9]+ to [0-9]+' text || fail "$(cat text)"
refused 2 'summary is text' annotate --summary --format=json names.trace

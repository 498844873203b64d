# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind diff`: pairs of programs with a known change, which is named and nothing else; runs that are the same; how it
# is said.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
sources=$(cd "$top_srcdir" && pwd)/tests/programs/diff
pairs=$top_srcdir/tests/e2e/diff_pairs.py

# build NAME CASE FLAGS...: pairs.c, or threads.c, with the change, in a folder of its own.
build() {
  local name=$1 case=$2 from=pairs
  shift 2
  case $name in threads*) from=threads ;; esac
  python3 "$pairs" make "$sources/$from.c" "$PWD/$name/$from.c" $case
  "${CC:-cc}" -g -pthread "$@" -o $name/program "$PWD/$name/$from.c"
}
# compare CASE OLD NEW STATUS [OPTIONS]: recorded as OLD.trace and NEW.trace.
compare() {
  local case=$1 old=$2 new=$3 status=$4 from=pairs
  shift 4
  case $old in threads*) from=threads ;; esac
  ends $status "$cdrgrind" diff --format=json "$@" $old.trace $new.trace
  cp out $case.json
  python3 "$pairs" check $case $case.json ${old%@*}/$from.c ${new%@*}/$from.c || fail "$case: $(cat err)"
}

build base none -O0
record base base/program
record base@2 base/program
compare same base base@2 0
vg -q --deps=no --cdr-out-file=base@7.trace base/program 7 >/dev/null
compare argument base base@7 1

for case in more less longer branch dependence shifted indented renamed; do
  build $case $case -O0
  record $case $case/program
done
for case in more longer branch renamed; do compare $case base $case 1; done
compare dependence base dependence 1
compare dependence_gone dependence base 1
compare less base less 0
compare same base shifted 0
compare same base indented 0

# Built otherwise: with optimisation, by another compiler, under another name in another folder.
build optimised none -O2
record optimised optimised/program
compare built_otherwise base optimised 0
compare built_otherwise optimised base 0
if command -v clang >/dev/null && command -v gcc >/dev/null; then
  CC=gcc build by_gcc none -O0
  CC=clang build by_clang none -O0
  record by_gcc by_gcc/program
  record by_clang by_clang/program
  compare built_otherwise by_gcc by_clang 0
fi
mkdir moved
sed 's/^#include <stdio.h>/&/' base/pairs.c >moved/another.c
"${CC:-cc}" -g -pthread -O0 -o moved/prog "$PWD/moved/another.c"
cp moved/another.c moved/pairs.c
record moved moved/prog
compare same base moved 0

# Threads: a race that is new, one that is gone; another schedule.
build threads none -O0
build threads_free unlocked -O0
record threads threads/program
record threads_free threads_free/program
record threads@2 threads/program --cdr-test-switch=enter
compare unlocked threads threads_free 1
compare locked threads_free threads 1
compare schedule threads threads@2 0 --fail-on=paths,races

# Where libraries met by chance is the schedule's, too, and told; what the program did is none.
"$cdrgrind" diff --parts=dependences threads.trace threads@2.trace >text || :
grep -E '^  (RAW|WAR|WAW) .*c → .*c in .* libraries, and may be the schedule' text >rows || fail "none of libraries: $(cat text)"
! grep -E 'counter|:[0-9]+ →|→ [^ ]*:[0-9]+ in' rows || fail "rows of the program"

# The same run in other forms.
for form in grammar predict; do
  record base@$form base/program --cdr-control=$form --cdr-chunk-blocks=3000
  compare same base base@$form 0
  compare argument base@$form base@7 1
done

# Status: what it depends on.
ends 1 "$cdrgrind" diff base.trace dependence.trace
for list in dependences carried races,carried any; do
  ends 1 "$cdrgrind" diff --fail-on=$list base.trace dependence.trace
done
for list in paths races counts,paths none; do
  ends 0 "$cdrgrind" diff --fail-on=$list base.trace dependence.trace
done
ends 7 "$cdrgrind" diff --error-exitcode=7 base.trace dependence.trace
ends 0 "$cdrgrind" diff --parts=paths,counts base.trace dependence.trace
refused 2 "'bogus' is none of paths, counts" diff --fail-on=bogus base.trace base.trace
refused 2 'NEW' diff base.trace
refused 3 'missing.trace: cannot be opened' diff base.trace missing.trace

# The gate of docs/ci.md, as it stands there: a loop that carries something else, a race that is new; nothing else.
gate=$(sed -n 's/^    \(cdrgrind diff --fail-on=.*\) good.trace new.trace > diff.json$/\1/p' "$top_srcdir/docs/ci.md")
[ "$gate" = "cdrgrind diff --fail-on=carried,races --format=json" ] || fail "docs/ci.md has another gate: $gate"
gate() {
  # shellcheck disable=SC2086
  ends $1 "$cdrgrind" ${gate#cdrgrind} $2.trace $3.trace
  python3 -c 'import json, sys; assert json.load(open("out"))["schema"] == "cdrgrind.diff/1"'
}
gate 0 base base@2
gate 0 base more
gate 0 base longer
gate 0 base optimised
gate 1 base dependence
gate 1 threads threads_free
"$cdrgrind" repack base.trace -o good.trace >text
gate 0 good base@2
gate 1 good dependence
ends 1 "$cdrgrind" races --format=sarif threads_free.trace
python3 -c 'import json; assert json.load(open("out"))["runs"]'

# Text: both excerpts, and what is not there.
has() { grep -qE -- "$1" text || fail "no line like '$1' in: $(cat text)"; }
LC_ALL=C.UTF-8 "$cdrgrind" diff --color=never base.trace branch.trace >text || :
has '^thread 1, after [0-9,]+ equal steps$'
has '^    old, block [0-9,]+  pairs\.c:[0-9]+  walk$'
has '^      > +[0-9]+        step\(i\);  // here$'
has '^      > +[0-9]+        other\(i\);  // there$'
has '^          from pairs\.c:[0-9]+  main$'
has '^-- Executed in the new run only \(2\)$'
has '^  pairs\.c:[0-9]+ +1 calls  function other$'
has '^They differ in: paths, counts, dependences\.$'
LC_ALL=C.UTF-8 "$cdrgrind" diff --color=never base.trace base@7.trace >text || :
has '^    old, block .*, the branch is (not )?taken$'
"$cdrgrind" diff --color=never base.trace base@2.trace >text
has '^No difference\.$'
LC_ALL=C.UTF-8 "$cdrgrind" diff --color=never threads.trace threads_free.trace >text || :
has '^-- Races that are new \(1\)$'
has '^      > +[0-9]+      counter \+= i;  // adds$'
# A source that is no longer there: lines are matched by their numbers, and that is said.
mv base/pairs.c base/gone.c
"$cdrgrind" diff --color=never base.trace longer.trace >text || :
has '^The old text of .*/base/pairs\.c is not there: its lines are matched by their numbers\.$'
mv base/gone.c base/pairs.c

# A recording without addresses, and one that was cut.
record bare base/program --cdr-data=none
ends 0 "$cdrgrind" diff base.trace bare.trace
grep -q '^No difference in: paths, counts\.$' out || fail "$(cat out)"
for list in --parts=dependences --fail-on=paths,races; do
  ends 3 "$cdrgrind" diff $list base.trace bare.trace
  grep -qE '^cdrgrind: error: diff: (dependences|races) cannot be compared: bare.trace was recorded with' err || fail "$(cat err)"
done
"$cdrgrind" diff --parts=dependences base.trace bare.trace >out 2>err || :
grep -q '^Nothing was compared\.$' out || fail "$(cat out)"
refused 2 'standard input \(-\) can be given once' diff - -
ends 0 "$cdrgrind" diff base.trace bare.trace
grep -q '^Not compared: dependences: bare.trace was recorded with --cdr-data=none$' out || fail "$(cat out)"
head -c 60000 base.trace >cut.trace
got=0
"$cdrgrind" diff --parts=paths base.trace cut.trace >out 2>err || got=$?
[ $got = 1 ] || [ $got = 3 ] || fail "cut: status $got"
grep -q 'cut.trace' err || fail "cut: nothing is said of it"

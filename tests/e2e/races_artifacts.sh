# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind races` tells which races only follow from others, as tests/programs/slice/cases.expect has it.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

vg -q --deps=no --cdr-out-file=trace "$programs/slice/cases" >names
expect 1 "$cdrgrind" races --adhoc=race --format=json trace >races.json
python3 "$top_srcdir/tests/e2e/races_cases.py" names <races.json | sort >got
grep -v '^#' "$top_srcdir/tests/programs/slice/cases.expect" | while IFS=: read -r name races; do
  for race in $races; do
    case $race in
      *'<'*) echo "$name ${race%<*}: artifact of ${race#*<}" ;;
      *) echo "$name $race: root" ;;
    esac
  done
done | sort >want
diff -u want got || fail "other verdicts"

# With the edge of the spin loop, what it guards is ordered.
expect 1 "$cdrgrind" races --format=json trace | python3 "$top_srcdir/tests/e2e/races_cases.py" names >got
! grep -q '^spin d' got || fail "the loop does not order"
grep -q '^spin f: root' got || fail "the flag does not race"

# Text: artifacts are counted at their root, shown with their reason when asked for.
expect 1 "$cdrgrind" races trace >text
grep -q ' follows\? from #[0-9]* (--show-artifacts' text || fail "artifacts are not counted: $(cat text)"
! grep -q '(artifact' text || fail "artifacts are shown"
expect 1 "$cdrgrind" races --show-artifacts trace >text
grep -q '^#[0-9]* A\[1\]  (artifact of #[0-9]*' text || fail "artifacts are not shown"
grep -q '^    why: the address of the access at cases.c:' text || fail "no reason"
expect 1 "$cdrgrind" races --only-roots --format=json trace | grep -q '"artifacts":0,' || fail "--only-roots"

# Without data flow nothing can be told.
vg -q --deps=no --cdr-dataflow=no --cdr-out-file=bare "$programs/slice/cases" >names
expect 1 "$cdrgrind" races bare >text
grep -q 'Every race is shown as a root: .*--cdr-dataflow' text || fail "it is not said that nothing was judged"

# The same with pairs of threads that order nothing at all, and a tangle: races that explain each other, below their root.
vg -q --deps=no --cdr-out-file=order "$programs/races/artifacts"
expect 1 "$cdrgrind" races --adhoc=race --format=json order >order.json
python3 - order.json >got <<'END'
import json, sys
races = {race["id"]: race for race in json.load(open(sys.argv[1]))["races"]}
for line in sorted(
    race["variable"] + " " + race["labels"]["status"]
    + (" of " + races[race["labels"]["of"]]["variable"] if race["labels"]["of"] else "")
    for race in races.values()
):
    print(line)
END
diff -u "$top_srcdir/tests/programs/races/artifacts.expect" got || fail "other roots, artifacts and tangles"

# What libc keeps of threads hands nothing on to later ones; what the program hands through it does.
vg -q --deps=no --cdr-out-file=later "$programs/races/later_threads"
for way in "" --from-events; do
  expect 1 "$cdrgrind" races --adhoc=race --format=json $way later >later.json
  python3 - later.json >got <<'END'
import json, sys
races = {race["id"]: race for race in json.load(open(sys.argv[1]))["races"]}
for line in sorted({
    race["variable"] + " " + race["labels"]["status"]
    + (" of " + races[race["labels"]["of"]]["variable"] if race["labels"]["of"] else "")
    for race in races.values()
}):
    print(line)
END
  cat >want <<'END'
condition root
free_1 root
free_2 root
given[1] artifact of number
number root
result root
returned[1] artifact of result
stop root
under artifact of condition
END
  diff -u want got || fail "other verdicts on later threads $way"
done

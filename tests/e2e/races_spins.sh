# SPDX-License-Identifier: GPL-2.0-or-later
# Loops that wait for a plain variable: which are found, whether they span one block or several, spin or not, as written
# and as optimised; what they order, and that nothing else orders.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

# finds NAME TABLE OPTIONS: as in races.sh.
finds() {
  local name=$1 table=$2
  shift 2
  expect 1 "$cdrgrind" races --format=json "$@" "$name.out" >"$name.json"
  python3 "$top_srcdir/tests/e2e/races_lines.py" "$table" <"$name.json" >"$name.lines"
  diff "$table" "$name.lines" || fail "$name $*: other races"
}

for name in spins spins_optimised; do
  vg -q --deps=no --cdr-out-file="$name.out" "$programs/races/$name"
  finds "$name" "$top_srcdir/tests/programs/races/spins.expect"
  grep -q '"adhoc":14,' "$name.json" || fail "summary of $name: $(tail -n 1 "$name.json")"
  # Without their edges, what the loops guard races.
  { sed 's/ adhoc$//' "$top_srcdir/tests/programs/races/spins.expect"
    for guarded in by_fence by_known_place by_late by_own_index by_own_pointer by_patience by_pause by_place by_pointer by_sleep by_turn by_two by_yield really; do
      echo "guarded_$guarded 1 unschedulable"
    done; } | sort >table
  finds "$name" table --adhoc=race
done

# The C++ library's own ways to wait.
vg -q --deps=no --cdr-out-file=spins_objects.out "$programs/races/spins_objects"
finds spins_objects "$top_srcdir/tests/programs/races/spins_objects.expect"
grep -q '"adhoc":2,' spins_objects.json || fail "summary of spins_objects: $(tail -n 1 spins_objects.json)"

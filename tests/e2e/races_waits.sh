# SPDX-License-Identifier: GPL-2.0-or-later
# Threads that wait by the futex system call: by hand, as C++20 has it, in teams of OpenMP; and what only looks like it.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"
command -v python3 >/dev/null || skip "no python3"
tables=$top_srcdir/tests/programs/races

finds() { # NAME TABLE OPTIONS
  local name=$1 table=$2
  shift 2
  both_ways 1 "$name" "$name.out" "$@"
  python3 "$top_srcdir/tests/e2e/races_lines.py" "$table" <"$name.json" >"$name.lines"
  diff "$table" "$name.lines" || fail "$name $*: other races"
}

# The recorder tells the word of a call that waits, and of no other.
vg -q --cdr-out-file=futexes.out "$programs/races/futexes"
"$cdrgrind" dump --format=json --events=syscall futexes.out >calls
python3 - calls <<'END'
import json, sys
futexes = [e for e in map(json.loads, open(sys.argv[1])) if e.get("event") == "syscall" and e["number"] == 202]
waits = [e for e in futexes if e["memory"]]
assert len(waits) >= 8, len(waits)
assert all(len(e["memory"]) == 1 and e["memory"][0]["size"] == 4 and not e["memory"][0]["store"] for e in waits)
assert len(waits) < len(futexes), "no call that wakes"
END
# It is no data.
expect 0 "$cdrgrind" annotate --format=json futexes.out >online.json
expect 0 "$cdrgrind" annotate --format=json --from-trace futexes.out >offline.json
cmp online.json offline.json || fail "dependences"

finds futexes "$tables/futexes.expect"
# Without the order of waits by plain variables, what they guard races.
{ sed 's/ adhoc//' "$tables/futexes.expect"
  echo "guarded_by_gate 1 unschedulable
guarded_by_plain 1 unschedulable"; } | sort >table
finds futexes table --adhoc=race

vg -q --deps=no --cdr-out-file=futexes_objects.out "$programs/races/futexes_objects"
printf 'beside 1 unschedulable\nplain_flag * schedulable mixed\n' >table
finds futexes_objects table

if [ -x "$programs/races/teams" ]; then
  # By the library's waits alone, if it waits in the kernel: where each thread has a processor, it goes round in a loop at first.
  GOMP_SPINCOUNT=0 vg -q --deps=no --cdr-openmp=no --cdr-out-file=teams.out "$programs/races/teams"
  both_ways 1 teams teams.out
  # The library reads some of its own when a team is done; what it waits for, and what the program does, is ordered.
  python3 - teams.json <<'END'
import json, sys
races = json.load(open(sys.argv[1]))["races"]
own = [r for r in races if any("libgomp" not in r[side]["stack"][0]["file"] for side in ("first", "second"))]
assert [r["variable"] for r in own] == ["unordered"], [r["variable"] for r in own]
assert len(races) <= 3 and not any(r["labels"]["adhoc"] for r in races), [r["variable"] for r in races]
END
  # By what the program asks the library for.
  vg -q --deps=no --cdr-out-file=strands.out "$programs/races/teams"
  expect 1 "$cdrgrind" races --scope=all --format=json strands.out >strands.json
  python3 - strands.json <<'END'
import json, sys
races = json.load(open(sys.argv[1]))["races"]
assert [r["variable"] for r in races] == ["unordered"], [r["variable"] for r in races]
END
fi

# SPDX-License-Identifier: GPL-2.0-or-later
# Races without code of the program on either stack: counted in text, shown if wanted, and never before the program's.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

vg -q --deps=no --cdr-out-file=both.out "$programs/races/scopes"
vg -q --deps=no --cdr-out-file=others.out "$programs/races/scopes" others

expect 1 "$cdrgrind" races --color=never both.out >text
grep -q '^#1 own ' text || fail "$(grep '^#' text)"
! grep -q '^#.* text' text || fail "shown: $(grep '^#' text)"
grep -Eq '^Roots: +1$' text || fail "$(tail -n 9 text)"
grep -Eq '^Outside: +[1-9][0-9]*, with no code of the program on either stack \(--scope=all shows them\)$' text ||
  fail "$(tail -n 9 text)"
expect 1 "$cdrgrind" races --color=never --scope=all both.out >text
grep -q '^#1 own ' text || fail "$(grep '^#' text)"
grep -q '^#2 text' text || fail "$(grep '^#' text)"
! grep -q '^Outside:' text || fail "counted and shown"
# The library may be called the program's.
expect 1 "$cdrgrind" races --color=never --program='libc.so*' both.out >text
grep -q '^#1 text' text || fail "$(grep '^#' text)"

# The status is that of what is shown.
expect 0 "$cdrgrind" races others.out >text
grep -Eq '^Outside: ' text || fail "$(tail -n 9 text)"
expect 1 "$cdrgrind" races --scope=all others.out >/dev/null
expect 1 "$cdrgrind" races --format=json others.out >others.json
expect 0 "$cdrgrind" races --format=json --scope=program others.out >none.json
expect 0 "$cdrgrind" races --format=gcc --scope=program others.out >gcc
[ ! -s gcc ] || fail "gcc: $(cat gcc)"
ends 2 "$cdrgrind" races --scope=mine others.out

expect 1 "$cdrgrind" races --format=json both.out >both.json
expect 1 "$cdrgrind" races --format=json --scope=program both.out >program.json
python3 - <<'END'
import json
both, program, others, none = (json.load(open(f"{n}.json")) for n in ("both", "program", "others", "none"))
names = [r["variable"].split("[")[0] for r in both["races"]]
outside = both["summary"]["outside"]
assert names[0] == "own" and outside >= 1 and names[1:] == ["text"] * outside, names
assert [r["id"] for r in both["races"]] == list(range(1, len(names) + 1))
assert both["scope"] == {"modules": "all", "functions": [], "files": [], "left_out": 0}, both["scope"]
assert [r["variable"] for r in program["races"]] == ["own"]
assert program["scope"] == {"modules": "program", "functions": [], "files": [], "left_out": outside}, program["scope"]
assert program["summary"]["outside"] == outside and program["summary"]["roots"] == 1
assert len(others["races"]) == outside and none["races"] == [] and none["summary"]["roots"] == 0
END

# A program without debug information is named by its own functions, whatever lines the C library has.
cp "$programs/races/scopes" plain
strip --strip-debug plain
vg -q --deps=no --cdr-out-file=plain.out ./plain
expect 1 "$cdrgrind" races --format=json --scope=program plain.out >plain.json
python3 - <<'END'
import json
for race in json.load(open("plain.json"))["races"]:
    for side in race["first"], race["second"]:
        assert side["file"].endswith("/plain") and side["line"] == 0 and side["function"], side
END

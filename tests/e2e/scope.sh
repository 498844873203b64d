# SPDX-License-Identifier: GPL-2.0-or-later
# Reports speak of the program: its own matters stand within their first 20 lines, what is left out is said, and
# --scope=all shows it; files and functions can be asked for; the newest trace is read where none is named.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

vg -q --cdr-out-file=words.trace "$programs/scope/words" >/dev/null

for report in patterns paths "loops --thread=2" sync "sharing -n 5" annotate "advise --threads=2"; do
  read -r -a words <<<"$report"
  "$cdrgrind" "${words[0]}" --color=never words.trace "${words[@]:1}" >text
  head -n 20 text | grep -Eq 'words\.c:[0-9]+|^total|counters|copy|numbers|words\.c$' || fail "$report: $(head -n 20 text)"
  ! head -n 20 text | grep -Eq '_rtld|dl-[a-z]*\.c|ld-linux|_dl_' || fail "$report: $(head -n 20 text)"
done
for report in patterns paths loops sync annotate; do
  "$cdrgrind" $report --color=never words.trace >text
  grep -Eq '^Left out: .*others than the program \(--scope=all shows (it|them)\)' text || fail "$report: $(head -n 30 text)"
  "$cdrgrind" $report --color=never --scope=all words.trace >all
  ! grep -q 'others than the program' all || fail "$report: $(head -n 30 all)"
done
"$cdrgrind" sync --scope=all words.trace | grep -q '^_rtld_global' || fail "no lock of the dynamic linker"
"$cdrgrind" stats words.trace >text
grep -Eq '^Of the program: +[1-9]' text && grep -Eq '^Of the linker: +[1-9]' text || fail "$(head -n 20 text)"

# What a library does counts where the program calls it, and nobody's work nowhere.
"$cdrgrind" patterns -n 0 words.trace >text
line=$(grep -n 'strcpy(copy' "$top_srcdir/tests/programs/scope/words.c" | cut -d: -f1)
grep -A1 "^words\.c:$line  count" text | grep -Eq 'accesses of libraries: .*st[rp]' || fail "$(grep -A3 "^words" text)"
! grep -E '^[^ ]+:[0-9]+  ' text | grep -v '^words\.c:' || fail "a line of others"
grep -q 'before_main' text || fail "the constructor is not the program's"

# A path's instructions are its own and those of libraries. All of the program's add up.
for format in json; do
  "$cdrgrind" paths -n 0 --scope=program --format=$format words.trace >program.json
  "$cdrgrind" paths -n 0 --format=$format words.trace >all.json
  "$cdrgrind" stats --format=json words.trace >stats.json
done
"$cdrgrind" patterns --format=json words.trace >patterns.json
"$cdrgrind" patterns --format=json --scope=program --function=count words.trace >count.json
python3 - <<'END'
import json
program, everything, stats, patterns, count = (
    json.load(open(f"{n}.json")) for n in ("program", "all", "stats", "patterns", "count"))
assert everything["scope"] == {"modules": "all", "functions": [], "files": [], "left_out": 0}, everything["scope"]
assert program["scope"]["modules"] == "program"
assert program["instructions"] + program["scope"]["left_out"] == everything["instructions"] == stats["totals"]["instructions"]
paths = program["paths"]
assert sum(p["instructions"] for p in paths) == program["instructions"]
assert all(p["instructions"] == p["trips"] * p["length"] + p["library_instructions"] for p in paths)
own = sum(p["trips"] * p["length"] for p in paths)
# The program's module has the start files' code, too.
assert 0 <= stats["totals"]["program_instructions"] - own < 200, (own, stats["totals"])
assert sum(p["library_instructions"] for p in paths) > 0
assert not any(p["library_instructions"] for p in everything["paths"])
functions = {i["function"] for p in paths for b in p["blocks"] for i in b["insns"]}
assert {"main", "count", "before_main"} <= functions and "_start" not in functions, functions
assert patterns["scope"]["modules"] == "all" and not any(l["library_accesses"] for l in patterns["lines"])
assert {l["function"] for l in count["lines"]} == {"count"}
assert count["scope"]["functions"] == ["count"]
END

# The program is what one says it is.
"$cdrgrind" patterns -n 0 --program='libc.so*' words.trace >text
grep -Eq '^[^ ]+  (_IO_|__vfprintf|malloc|_int_malloc)' text || grep -q '^libc.so' text || fail "libc is not the program's"

# By name.
"$cdrgrind" loops --thread=2 --function=count words.trace >text
grep -q 'words.c:[0-9, -]*  count$' text || fail "$(cat text)"
"$cdrgrind" sync --file=words.c words.trace >text
grep -q '^lock  (mutex)$' text || fail "$(cat text)"
"$cdrgrind" sync --file=other.c words.trace >text
! grep -q '^lock' text || fail "$(cat text)"
"$cdrgrind" sync words.trace >text
grep -Eq '^ +these [0-9]+ rows x [0-9]+$' text || fail "nothing is folded: $(cat text)"
"$cdrgrind" advise --function=main words.trace >text
! grep -q '^words.c:.*  count  ' text || fail "$(cat text)"

# Habits.
mkdir here
cp words.trace here/old.trace
touch -d '2001-01-01' here/old.trace
cp words.trace here/new.trace
cp "$top_srcdir/tests/programs/scope/words.c" here/zzz.c
(cd here && "$cdrgrind" stats) >text 2>said
grep -qx 'cdrgrind: reading new.trace' said || fail "$(cat said)"
grep -Eq '^File: +new.trace$' text || fail "$(head -n 5 text)"
(cd here && "$cdrgrind" annotate words.c) >text 2>/dev/null
grep -q '^count  (words.c' text || fail "$(head -n 20 text)"
refused 2 "no command 'anotate'; did you mean 'annotate'\?; try" anotate words.trace
refused 2 "expected: --formt=json; did you mean '--format'\?; try 'cdrgrind stats --help'" stats --formt=json words.trace

# On a terminal a pager is asked, and the status stays.
command -v script >/dev/null || skip "no script: the pager is not tried"
printf '#!/bin/sh\nsed "s/^/paged: /"\n' >pager
chmod +x pager
on_terminal() {
  CDRGRIND_PAGER=$PWD/pager script -qec "$*; echo status \$?" typescript </dev/null | tr -d '\r' >said
}
on_terminal "$cdrgrind" stats --color=never words.trace
grep -q '^paged: File: ' said && grep -qx 'status 0' said || fail "$(cat said)"
on_terminal "$cdrgrind" --no-pager stats words.trace
! grep -q '^paged' said || fail "$(cat said)"
on_terminal "$cdrgrind" stats words.trace --no-pager
! grep -q '^paged' said || fail "$(cat said)"
on_terminal "$cdrgrind" stats missing.trace
grep -qx 'status 3' said || fail "$(cat said)"

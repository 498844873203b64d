# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind advise` on Fortran: the directives that it prints, in free and in fixed form; with them the programs print the
# same and have no race.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
command -v gfortran >/dev/null || skip "no gfortran"
here=$top_srcdir/tests/programs/advise

try() {
  local source=$1
  gfortran -g -O0 -w -o plain "$here/$source"
  record plain ./plain
  "$cdrgrind" advise --format=json plain.trace >advice.json
  python3 "$top_srcdir/tests/e2e/advise_pragmas.py" advice.json "$here/$source" >"shared_$source"
  gfortran -g -O0 -fopenmp -o shared "shared_$source" 2>compiled || fail "$source: $(cat compiled "shared_$source")"
  vg -q --deps=no --cdr-dataflow=no --cdr-out-file=shared.trace ./shared >shared.out
  ./plain >plain.out
  diff plain.out shared.out || fail "$source: with the directives it prints something else"
  "$cdrgrind" races --scope=all shared.trace >text || fail "$source: a race: $(grep '^#' text)"
}

try fortran.f90
python3 - advice.json "$here/fortran.f90" <<'END'
import json, sys
wanted = {i: line.split("!> ")[1] for i, line in enumerate(open(sys.argv[2]), 1) if "!> " in line and "directive" not in line}
wanted = {i: "" if w.strip() == "none" else w.strip() for i, w in wanted.items()}
loops = {l["place"]["line"]: l for l in json.load(open(sys.argv[1]))["loops"]}
got = {i: loops[i]["pragma"] or "" for i in wanted}
assert got == wanted, got
chain = loops[next(i for i, w in wanted.items() if not w)]
assert chain["verdict"] == "pipeline"
assert [(b["object"], b["kind"], b["least"]) for b in chain["simd"]["breaks"]] == [("steps::a", "raw", 1)], chain["simd"]
assert not any("simd" in l for l in loops.values() if l is not chain)
END

# Wherever the variables are.
try fortran_places.f90
python3 - advice.json "$here/fortran_places.f90" <<'END'
import json, sys
wanted = {i: line.split("!> ")[1].strip() for i, line in enumerate(open(sys.argv[2]), 1) if "!> " in line}
loops = {l["place"]["line"]: l for l in json.load(open(sys.argv[1]))["loops"]}
clauses = lambda line: sorted(line.replace("!$omp parallel do", "").split())
got = {i: loops[i]["pragma"] or "none" for i in wanted}
assert {i: clauses(p) for i, p in got.items()} == {i: clauses(w) for i, w in wanted.items()}, got
of = lambda function: next(loops[i] for i, w in wanted.items() if w == "none" and function in loops[i]["place"]["function"])
edits = [loops[i]["counter_edit"] for i, w in wanted.items() if w == "none"]
assert "OpenMP's lines may not stand in a pure procedure" in edits, edits
assert of("by_host")["counter_edit"] == "step, which it calls, works on i from outside: hand that on", of("by_host")
saved = [c["edit"] for c in of("in_block")["carried"] if c["object"].endswith("s")]
assert saved == ["it is static in the loop's body: give each iteration its own"], of("in_block")
assert of("printed")["verdict"] == "ordered", of("printed")
END

# Optimised, a counter lies in a register, and in the frame for the function that is told where.
gfortran -g -O1 -fno-inline -w -o fast "$here/fortran_places.f90"
record fast ./fast
"$cdrgrind" advise --format=json fast.trace >fast.json
python3 - fast.json <<'END'
import json, sys
loops = [l for l in json.load(open(sys.argv[1]))["loops"] if l["place"]["function"] == "held::by_reference"]
assert len(loops) == 2 and all(l["verdict"] == "parallel" for l in loops), loops
END

gfortran -g -O2 -w -o faster "$here/fortran_places.f90"
record faster ./faster
"$cdrgrind" advise --format=json faster.trace >faster.json
python3 - faster.json <<'END'
import json, sys
for l in json.load(open(sys.argv[1]))["loops"]:
    if l["place"]["function"] == "in_registers":
        assert not l["pragma"] or "private(v)" in l["pragma"], l
END

# A line has 72 columns.
try fixed.f
grep -A1 '^!\$omp parallel do private(scaled_value) reduction(+:sum_of_all_values)$' shared_fixed.f | grep -qx '!\$omp& reduction(\*:product_of_all)' ||
  fail "fixed form: $(grep 'omp' shared_fixed.f)"
"$cdrgrind" advise plain.trace >text
grep -qx '    !\$omp& reduction(\*:product_of_all)' text || fail "text: no second line"

# Optimised, no loop is called parallel that is not; lines are those of the source's loops.
gfortran -g -O2 -w -o fast "$here/fortran.f90"
record fast ./fast
"$cdrgrind" advise --format=json fast.trace >fast.json
python3 - fast.json "$here/fortran.f90" <<'END'
import json, sys
lines = open(sys.argv[2]).read().split("\n")
loops = [l for l in json.load(open(sys.argv[1]))["loops"] if l["place"]["function"].startswith("steps::")]
assert len(loops) > 4, loops
for l in loops:
    code = lines[l["place"]["line"] - 1]
    assert " do " in code, (l["place"], code)
    assert "none" not in code or l["verdict"] != "parallel", l
END

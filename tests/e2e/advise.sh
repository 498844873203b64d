# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind advise`: loops with known answers, without and with optimisation; how it is said; what is wrong.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
source=$(cd "$top_srcdir" && pwd)/tests/programs/advise/cases.c

record O0 "$programs/advise/cases_O0"
record O2 "$programs/advise/cases_O2"
# What an optimising compiler makes of a loop is known of one only; that no other loop is called parallel, of all.
compiler=$(known_compiler "$programs/advise/cases_O2")
for level in O0 O2; do
  "$cdrgrind" advise --format=json $level.trace >$level.json
  python3 "$top_srcdir/tests/e2e/advise_cases.py" $level.json "$source" $level $compiler || fail "$level"
done

# What the compiler made vectors of, and what several threads would use instead of a library's function.
python3 - O0.json O2.json "$compiler" <<'END'
import json, sys
plain, fast = ({l["place"]["function"]: l for l in json.load(open(f))["loops"]} for f in sys.argv[1:3])
assert not any(l["vectorised"] for l in plain.values())
if sys.argv[3] == "known":
    wanted = {"maximum": 4, "minimum": 4, "wide_sum": 4, "written_sometimes": 4, "product_of_all": 0, "vector_sum": 0}
    assert {n: fast[n]["vectorised"] for n in wanted} == wanted, {n: fast[n]["vectorised"] for n in wanted}
advice = {n: {f["function"]: f["advice"] for f in plain[n]["library"]} for n in plain}
assert advice["randoms"] == {"rand": "rand_r, or a generator for each thread"}, advice["randoms"]
assert advice["tokens"]["strtok"].startswith("strtok_r, "), advice["tokens"]
assert advice["hours"]["localtime"].startswith("localtime_r, or gmtime_r, "), advice["hours"]
assert "'#pragma omp ordered'" in advice["put_lines"]["puts"], advice["put_lines"]
assert not any(advice[n] for n in ("vector_sum", "allocate")), advice
END

# Exceptions and long jumps end no loop that goes on; cycles that are entered in the middle are one loop each.
record odd "$programs/advise/odd_ways"
"$cdrgrind" advise --format=json odd.trace >odd.json
python3 - odd.json <<'END'
import json, sys
found = {}
for l in json.load(open(sys.argv[1]))["loops"]:
    name = l["place"]["function"].split("(")[0]
    if l["verdict"] != "unseen":
        assert name not in found, name
        found[name] = l
    assert not l["weak"], l
assert (found["exceptions"]["instances"], found["exceptions"]["iterations"]) == (1, 30), found["exceptions"]
assert (found["jumps"]["instances"], found["jumps"]["iterations"]) == (1, 29), found["jumps"]
assert {n for n, l in found.items() if l["irregular"]} == {"irregular", "two_entries"}, found
assert found["irregular"]["verdict"] == "parallel" and found["irregular"]["iterations"] == 19, found["irregular"]
assert [i["class"] for i in found["irregular"]["carried"]] == ["reduction", "induction"], found["irregular"]
caught = [i for i in found["exceptions"]["carried"] if i["object"] == "caught"]
assert found["exceptions"]["verdict"] == "parallel", found["exceptions"]
assert [i["class"] for i in caught] == ["reduction"] and caught[0]["rows"][0]["least"] == 3, caught
END

# A check that ends the program, or throws, and did not, is no exit; that a loop may be left by such is said where it is known.
for level in O0 O2; do
  record "checks_$level" "$programs/advise/checks_$level"
  "$cdrgrind" advise --format=json "checks_$level.trace" >"checks_$level.json"
  python3 - "checks_$level.json" "$level" <<'END'
import json, sys
found = {l["place"]["function"].split("(")[0]: l for l in json.load(open(sys.argv[1]))["loops"] if l["place"]["file"].endswith("checks.cc")}
checks = {"asserts", "throws", "exits", "dies", "in_range"}
for name in checks:
    assert found[name]["verdict"] == "parallel" and found[name]["exit_lines"] == [], found[name]
    assert found[name]["pragma"] == "#pragma omp parallel for", found[name]
if sys.argv[2] == "O2":
    assert {n for n, l in found.items() if l["end_lines"]} >= checks - {"in_range"}, found
for name in ("returns", "says_so", "jumps", "ends"):
    assert found[name]["verdict"] == "sequential" and len(found[name]["exit_lines"]) == 1, found[name]
    assert found[name]["end_lines"] == [], found[name]
END
done
"$cdrgrind" advise checks_O2.trace | grep -q "^      end  *at line 19: the program may end, or throw, but did not" || fail "it does not say where a loop may end the program"

# Computed jumps that lead to each other's targets make one loop, with an iteration for each instruction of what is
# interpreted; a loop in the code of one of them lies within.
record threaded "$programs/advise/threaded_code"
"$cdrgrind" advise --format=json threaded.trace >threaded.json
python3 - threaded.json <<'END'
import json, sys
loops = sorted((l for l in json.load(open(sys.argv[1]))["loops"] if l["place"]["function"] == "interpret"), key=lambda l: l["depth"])
assert [l["depth"] for l in loops] == [1, 2], loops
outer, inner = loops
assert (outer["headers"], outer["irregular"], outer["instances"], outer["iterations"]) == (6, True, 1, 599), outer
assert outer["verdict"] == "sequential" and not outer["pragma"], outer
assert {i["object"].split()[0] for i in outer["carried"] if i["class"] == "recurrence"} == {"value", "at", "count"}, outer
assert {i["class"] for i in outer["carried"]} <= {"recurrence", "anti"}, outer
assert (inner["headers"], inner["irregular"], inner["verdict"]) == (1, False, "parallel"), inner
assert inner["iterations"] == 100 * inner["instances"] and inner["parent"] == outer["id"], inner
END
"$cdrgrind" advise threaded.trace | grep -q "an iteration begins at each of the 6 places" || fail "it does not say what is taken for an iteration"

# The same of a trace in another form; with other numbers of threads other times.
"$cdrgrind" repack -o compact.trace O0.trace >out
"$cdrgrind" advise --format=json compact.trace >compact.json
diff O0.json compact.json || fail "of a compact trace it says something else"
"$cdrgrind" advise --format=json --threads=2 O0.trace >two.json
python3 - O0.json two.json <<'END'
import json, sys
eight, two = ({(l["header"], l["depth"]): l for l in json.load(open(f))["loops"]} for f in sys.argv[1:])
assert eight.keys() == two.keys()
for key in eight:
    assert two[key]["speed_up"] <= min(2.0001, eight[key]["speed_up"] + 1e-4), (two[key], eight[key])
    assert eight[key]["run_speed_up"] <= eight[key]["speed_up"] + 1e-4
# Distances are counted: of distance_4 every one is 4.
rows = [r for l in eight.values() if l["place"]["function"] == "distance_4" for i in l["carried"]
        if i["class"] == "recurrence" for r in i["rows"]]
assert [(r["kind"], r["least"], r["greatest"], r["distances"]) for r in rows] == [("raw", 4, 4, [0, 0, 192])], rows
assert rows[0]["count"] == 192
END

LC_ALL=C.UTF-8 "$cdrgrind" advise --color=never -n0 O0.trace >text
has() { grep -qE -- "$1" text || fail "no line like '$1' in: $(cat text)"; }
has '^cases\.c:[0-9]+-[0-9]+  vector_sum  parallel, small; with 8 threads [78]\.[0-9] times as fast, the whole run '
has '^ +[0-9]+    for \(int i = 0; i < N; i\+\+\) /\* = vector_sum '
has '^      reduction \(\+\)      s: RAW [0-9]+ → [0-9]+, 199 times, distance 1; '
has '^    #pragma omp parallel for reduction\(\+:s\)$'
has '^    #pragma omp parallel for private\(t\)$'
has '^    #pragma omp parallel for lastprivate\(last\)$'
has '^    #pragma omp parallel for firstprivate\(x\)$'
has '^    #pragma omp parallel for lastprivate\(i\)$'
has "^    counter: compute it from the loop's counter$"
has "^    n: compute it from the loop's counter$"
has '^      output             what printf keeps: '
has '^      recurrence         a: RAW [0-9]+ → [0-9]+, 192 times, distance 4$'
has '^      traversal          p: RAW '
has '^      exit               at line [0-9]+$'
has '^      private            t, block at cases\.c:[0-9]+: WA[RW] '
has '^    rand: rand_r, or a generator for each thread$'
"$cdrgrind" advise -n 1 O0.trace >text
has '^[0-9,]+ more loops \(-n, --format=json\)$'

# In SARIF each loop with a line is a note, and its line for OpenMP a fix.
"$cdrgrind" advise --format=sarif O0.trace >O0.sarif
python3 - O0.json O0.sarif "$source" <<'END'
import json, sys
loops, run = json.load(open(sys.argv[1]))["loops"], json.load(open(sys.argv[2]))["runs"][0]
loops = [l for l in loops if l["place"]["line"]]
results = [r for r in run["results"] if r["ruleId"] != "cdr-call-spawn"]
assert len(loops) == len(results), (len(loops), len(results))
rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
for l, r in zip(loops, results):
    assert r["ruleId"] == rules[r["ruleIndex"]] == "cdr-loop-" + {"none": "threads"}.get(l["verdict"], l["verdict"]), r
    assert r["level"] == "note" and r["message"]["text"]
    place = r["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/cases.c")
    assert place["region"]["startLine"] == l["place"]["line"]
    fixes = [f["artifactChanges"][0]["replacements"][0] for f in r.get("fixes", [])]
    assert [f["insertedContent"]["text"] for f in fixes] == [p + "\n" for p in [l["pragma"]] if p], r
    assert all(f["deletedRegion"] == {"startLine": l["place"]["line"], "startColumn": 1, "endColumn": 1} for f in fixes)
    for e in r["relatedLocations"]:
        assert e["physicalLocation"]["region"]["startLine"] > 0 and e["message"]["text"]
assert sum("fixes" in r for r in run["results"]) >= 22
END

# The lines that it prints for OpenMP compile, and the results are the same.
if echo 'int main(void) { return 0; }' | "${CC:-cc}" -fopenmp -x c -o omp - 2>err; then
  "$programs/advise/cases_O0" >want
  for level in O0 O2; do
    python3 "$top_srcdir/tests/e2e/advise_pragmas.py" $level.json "$source" >with_pragmas.c
    [ "$(grep -c '^#pragma omp' with_pragmas.c)" -ge 22 ] || fail "$level: few lines: $(grep '^#pragma' with_pragmas.c)"
    "${CC:-cc}" -g -O1 -Werror -fopenmp -o with_pragmas with_pragmas.c -lm
    OMP_NUM_THREADS=4 ./with_pragmas >got
    diff want got || fail "$level: with the lines for OpenMP the result is another one"
  done
fi

# What is wrong.
refused 2 'none of text, json, sarif' advise --format=xml O0.trace
refused 2 'cdrgrind advise --help' advise --threads=0 O0.trace
refused 3 'cannot be opened' advise missing.trace
record none "$programs/advise/cases_O0" --cdr-data=none
refused 3 'recorded with --cdr-data=none' advise none.trace

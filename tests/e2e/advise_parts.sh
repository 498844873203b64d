# SPDX-License-Identifier: GPL-2.0-or-later
# Of one loop of the source compilers make several, and calls of memcpy and memset: `cdrgrind advise` takes them for one,
# which carries what any of them carries, and what one leaves to another.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
source=$(cd "$top_srcdir" && pwd)/tests/programs/advise/parts.c

compiler=$(known_compiler "$programs/advise/parts_O3")
for level in O2 O3; do
  record $level "$programs/advise/parts_$level"
  "$cdrgrind" advise --format=json --jobs=1 $level.trace >$level.json
  "$cdrgrind" advise --format=json --jobs=3 $level.trace >shared.json
  diff $level.json shared.json || fail "by several threads it says something else"
done

python3 - O2.json O3.json "$source" "$compiler" <<'END'
import json, sys
lines = open(sys.argv[3]).read().split("\n")
forbidden = {n for n, line in enumerate(lines, 1) if "/* not parallel */" in line}
assert len(forbidden) == 8
fast, faster = (json.load(open(f))["loops"] for f in sys.argv[1:3])
for loops in (fast, faster):
    seen = [l["place"]["line"] for l in loops if l["place"]["line"] in forbidden]
    assert len(seen) >= 6 and len(seen) == len(set(seen)), seen
    for l in loops:
        if l["place"]["line"] in forbidden:
            assert l["verdict"] != "parallel" and not l["pragma"], (l["id"], l["verdict"])
        for p in l["parts"]:
            assert p["line"] == l["place"]["line"] and p["last_line"] <= l["last_line"], l

def of(loops, function):
    return next(l for l in loops if l["place"]["function"] == function)

def between(loop):
    return [(i["class"], i["object"], r["kind"], r["source"]["call"], r["target"]["call"])
            for i in loop["carried"] for r in i["rows"] if r["between"]]

# Two versions of one loop are there whatever the compiler.
ways = of(faster, "two_ways")
assert len(ways["parts"]) >= 2 and ways["instructions"] >= sum(p["instructions"] for p in ways["parts"]) - 1, ways
if sys.argv[4] == "known":
    assert ("recurrence", "a", "raw", True, False) in between(of(fast, "copied")), of(fast, "copied")
    assert ("recurrence", "a", "raw", False, False) in between(of(fast, "copied_at_once")), of(fast, "copied_at_once")
    assert ("anti", "a", "war", False, True) in between(of(fast, "filled")), of(fast, "filled")
    assert ("anti", "a", "war", True, True) in between(of(fast, "counted_and_filled")), of(fast, "counted_and_filled")
    assert between(of(fast, "left_to_copy")) and between(of(faster, "left_to_copy"))
    apart = of(faster, "apart")
    assert (len(apart["parts"]), apart["verdict"]) == (2, "parallel") and not between(apart), apart
    assert apart["pragma"] == "#pragma omp parallel for reduction(+:bins)", apart
    assert {p["verdict"] for p in ways["parts"]} == {"parallel", "pipeline"} and ways["verdict"] == "pipeline", ways
    exchanged = of(faster, "by_columns")
    assert len(exchanged["parts"]) == 2 and not exchanged["parent"] and exchanged["verdict"] == "pipeline", exchanged
    rescaled = min((l for l in fast if l["place"]["function"] == "rescaled"), key=lambda l: l["depth"])
    assert rescaled["pragma"] == "#pragma omp parallel for", rescaled
    for loops in (fast, faster):
        outer, *inner = sorted((l for l in loops if l["place"]["function"] == "timed"), key=lambda l: l["place"]["line"])
        assert (outer["iterations"], outer["instances"], outer["irregular"]) == (6, 1, True), outer
        assert [l["depth"] for l in inner] == [2, 3, 2], [l["id"] for l in inner]
        assert {l["pragma"] for l in inner} == {"#pragma omp parallel for"}, [l["pragma"] for l in inner]
    assert of(faster, "reused")["verdict"] == of(fast, "reused")["verdict"] == "parallel"
END

"$cdrgrind" advise -n 0 O3.trace >text
grep -q '^    the compiler has made 2 loops of it:$' text || fail "parts are not told"
"$cdrgrind" advise -n 0 O2.trace >text
[ $compiler = other ] || grep -q 'recurrence  *a: RAW 38c .* 39, from one part of the loop to another$' text || fail "what parts leave is not told"

# Each by itself: what the parts say.
"$cdrgrind" advise --format=json --as-compiled O3.trace >apart.json
python3 - O3.json apart.json <<'END'
import json, sys
joined, apart = (json.load(open(f))["loops"] for f in sys.argv[1:3])
assert not any(l["parts"] for l in apart) and len({l["id"] for l in apart}) == len(apart)
parts = {p["header"]: p for l in joined for p in l["parts"]}
alone = {l["header"] for l in joined if not l["parts"]}
assert parts and alone | set(parts) == {l["header"] for l in apart}
for l in apart:
    if p := parts.get(l["header"]):
        assert all(p[k] == l[k] for k in ("verdict", "iterations", "instances", "instructions", "vectorised", "last_line")), (p, l)
END

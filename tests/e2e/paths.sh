# SPDX-License-Identifier: GPL-2.0-or-later
# Hot paths and strata equal a direct count over the dumped events; callgrind's reader takes the cost file; figures.
. "$top_srcdir/tests/e2e/common.sh"

counted() { # NAME
  "$cdrgrind" dump --format=json "$1.trace" >"$1.events"
  "$cdrgrind" paths "$1.trace" -n 0 --format=json >"$1.hot"
  "$cdrgrind" paths "$1.trace" -n 0 --by-thread --format=json >"$1.threads"
  "$cdrgrind" paths "$1.trace" --strata --layers=4 --format=json >"$1.strata"
  python3 "$top_srcdir/tests/e2e/paths_count.py" "$1.events" "$1.hot" "$1.threads" "$1.strata" || fail "$1"
}

for name in calculator pipeline quicksort shapes; do
  record $name "$examples/$name"
  counted $name
done
# Faults, repeats, signals; gaps.
for corner in faults repeats; do
  record $corner "$programs/corners/$corner"
  counted $corner
done
record gaps "$examples/quicksort" --toggle-collect=divide
counted gaps

# One thread.
"$cdrgrind" paths pipeline.trace --thread=2 -n 0 --format=json >thread
python3 - thread pipeline.threads <<'END'
import json, sys
one, all = (json.load(open(f)) for f in sys.argv[1:])
trips = sorted(p["trips"] for p in one["paths"])
assert trips == sorted(p["trips"] for p in all["paths"] if p["thread"] == 2), trips
END

# The loop of divide, as it stands in the source.
"$cdrgrind" paths gaps.trace -n 1 >text
grep -qE '^-- 1: [0-9.]+ %, [0-9,]+ instructions = [0-9,]+ times [0-9]+ in [0-9]+ blocks?$' text || fail "$(cat text)"
grep -qE '^  quicksort.c:1[67]  divide$' text || fail "$(cat text)"
grep -qE '^    0x[0-9a-f]+  (mov|cmp|add|jmp|j[a-z]+) ' text || fail "no disassembly: $(cat text)"
grep -qE '^Shown: +1 with ' text || fail "$(cat text)"

# Callgrind's format: all that was executed, and only what is shown.
for n in 0 3; do
  "$cdrgrind" paths quicksort.trace --format=callgrind -n $n >quicksort.cost
  "$cdrgrind" paths quicksort.trace --format=json -n $n >quicksort.json
  callgrind_annotate quicksort.cost >annotated 2>complaints
  [ ! -s complaints ] || fail "callgrind_annotate: $(cat complaints)"
  python3 - quicksort.json annotated <<'END'
import json, re, sys
want = sum(p["instructions"] for p in json.load(open(sys.argv[1]))["paths"])
got = re.search(r"^ *([0-9,]+) .*PROGRAM TOTALS", open(sys.argv[2]).read(), re.M)
assert int(got[1].replace(",", "")) == want, (got[1], want)
END
done
"$cdrgrind" paths quicksort.trace --format=callgrind | callgrind_annotate --threshold=100 /dev/stdin >annotated
grep -q 'quicksort.c:divide' annotated || fail "$(cat annotated)"

# Figures are well-formed, with a point for each path or fewer.
"$cdrgrind" paths quicksort.trace --strata --paths-svg=paths.svg --strata-svg=strata.svg >text
grep -qE '^Ratio: +[0-9.]+ \(instructions of 4.2 bytes over bytes\)$' text || fail "$(cat text)"
grep -qE '^strata 0 +[0-9,]+ +[0-9.]+ +[0-9,]+ +[0-9,]+ +[0-9,]+  1$' text || fail "$(cat text)"
python3 - paths.svg strata.svg <<'END'
import sys, xml.dom.minidom
for name in sys.argv[1:]:
    points = xml.dom.minidom.parse(name).getElementsByTagName("circle")
    assert len(points) > 10, len(points)
    for p in points:
        assert 70 <= float(p.getAttribute("cx")) <= 620 and 40 <= float(p.getAttribute("cy")) <= 420, p.toxml()
END

# Tables begun anew lose nothing that is counted below them.
"$cdrgrind" paths quicksort.trace --strata --memory=1 --format=json | cmp - <("$cdrgrind" paths quicksort.trace --strata --format=json) ||
  fail "--memory=1"

# What is wrong.
refused 2 '--layers is for --strata' paths quicksort.trace --layers=2
refused 2 '-n is not for --strata' paths quicksort.trace --strata -n 3
refused 2 'callgrind is not for --strata' paths quicksort.trace --strata --format=callgrind
refused 2 'none of text, json, callgrind' paths quicksort.trace --format=xml
refused 3 'there is no thread 9' paths quicksort.trace --thread=9
refused 3 'no/folder/x.svg: cannot be created' paths quicksort.trace --strata --paths-svg=no/folder/x.svg

# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind advise` of several traces: what is carried in any of them is carried, in whatever order they are given.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

for args in "" "x"; do
  # shellcheck disable=SC2086
  vg -q --deps=no --cdr-out-file="run$args.trace" "$programs/advise/runs" $args >/dev/null
done
"$cdrgrind" advise --format=json run.trace >first.json
"$cdrgrind" advise --format=json runx.trace >second.json
"$cdrgrind" advise --format=json run.trace runx.trace >both.json
"$cdrgrind" advise --format=json runx.trace run.trace >turned.json
"$cdrgrind" advise --format=json run.trace run.trace >twice.json
python3 - <<'END'
import json
reports = {n: json.load(open(n + ".json")) for n in ("first", "second", "both", "turned", "twice")}
loops = {n: {l["place"]["function"]: l for l in r["loops"]} for n, r in reports.items()}
verdicts = {n: {f: l["verdict"] for f, l in all.items()} for n, all in loops.items()}
assert verdicts["first"] == dict(count="parallel", previous="parallel", copy="unseen", total="parallel", main="parallel")
assert verdicts["second"] == dict(verdicts["first"], previous="pipeline", copy="parallel"), verdicts["second"]
assert verdicts["both"] == verdicts["turned"] == verdicts["second"], verdicts
assert verdicts["twice"] == verdicts["first"]
for n in ("both", "turned"):
    assert reports[n]["runs"] == 2
    assert loops[n]["count"]["pragma"] == "#pragma omp parallel for reduction(+:hist)", loops[n]["count"]
    assert loops[n]["copy"]["pragma"] == "#pragma omp parallel for", loops[n]["copy"]
    assert loops[n]["previous"]["pragma"] == ""
    for f, l in loops[n].items():
        for key in ("instances", "iterations", "instructions"):
            assert l[key] == loops["first"][f][key] + loops["second"][f][key], (f, key)
    # In the first run it was parallel, which does not count.
    one, p = loops["first"]["previous"], loops[n]["previous"]
    assert one["speed_up"] > 4 and p["speed_up"] < 4, (one, p)
rows = {n: {(r["kind"], r["source"]["ip"], r["target"]["ip"]): (r["count"], r["distances"])
            for l in all.values() for i in l["carried"] for r in i["rows"]} for n, all in loops.items()}
assert rows["both"] == rows["turned"]
assert rows["both"].keys() == rows["first"].keys() | rows["second"].keys()
for key, (count, _) in rows["twice"].items():
    assert count == 2 * rows["first"][key][0], key
for f, l in loops["twice"].items():
    assert abs(l["speed_up"] - loops["first"][f]["speed_up"]) < 1e-3, f
END

"$cdrgrind" advise --color=never run.trace runx.trace >text
grep -q ' 2 runs$' text || fail "$(head text)"
grep -q 'what did not happen in these runs is not proved impossible' text || fail "$(head text)"
"$cdrgrind" advise >newest 2>newest.err
grep -qx 'cdrgrind: reading runx.trace' newest.err || fail "$(cat newest.err)"
refused 3 'cannot be opened' advise run.trace missing.trace

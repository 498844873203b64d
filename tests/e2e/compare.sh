# SPDX-License-Identifier: GPL-2.0-or-later
# stats --compare: its numbers add up, and what it says of other compressors is what they make of the same raw trace.
. "$top_srcdir/tests/e2e/common.sh"

# raw_of TRACE: the files control.raw and addresses.raw, made from the dump.
raw_of() {
  "$cdrgrind" dump --format=json "$1" 2>err >events.json
  python3 - <<'END'
import collections, json
control, addresses = collections.defaultdict(list), collections.defaultdict(list)
with open("events.json") as f:
    for line in f:
        e = json.loads(line)
        if e.get("event") not in ("block", "partial"):
            continue
        control[e["thread"]].append(e["block"])
        addresses[e["thread"]] += [a["addr"] & 0xffffffff for a in e["accesses"]]
for name, threads in (("control", control), ("addresses", addresses)):
    with open(name + ".raw", "wb") as f:
        for t in sorted(threads):
            f.write(b"".join(v.to_bytes(4, "little") for v in threads[t]))
END
}

# check TRACE: what is in compare.json, against the trace and the raw files.
check() {
  raw_of "$1"
  expect 0 "$cdrgrind" stats --compare --format=json "$1" >compare.json 2>err
  for part in control addresses; do
    zstd -q -19 -c $part.raw | wc -c >$part.zstd
    gzip -9 -n -c $part.raw | wc -c >$part.gzip
    xz -9 -c $part.raw | wc -c >$part.xz
  done
  python3 - "$1" <<'END' || fail "$1: $(cat compare.json)"
import json, os, sys
with open("compare.json") as f:
    c = json.load(f)
assert c["schema"] == "cdrgrind.compare/1"
size = os.path.getsize(sys.argv[1])
for form, bytes in ((c["file"], size), (c["compact"], c["compact"]["whole"])):
    assert form["whole"] == bytes == sum(form["groups"].values())
    assert form["kernel"] == bytes - form["groups"]["tables"]
assert c["status"] == "cut" or 24 + sum(f["bytes"] for f in c["file"]["frames"]) == size
for part in ("control", "addresses"):
    sizes = c["compressors"][part]
    assert sizes["raw"] == os.path.getsize(part + ".raw")
    # xz and zstd are their libraries; gzip is not zlib.
    cli = {p: int(open(f"{part}.{p}").read()) for p in ("gzip", "xz", "zstd")}
    for p in ("xz", "zstd"):
        assert abs(sizes[p] - cli[p]) <= 16, (part, p, sizes, cli)
    assert abs(sizes["gzip"] - cli["gzip"]) <= 32 + cli["gzip"] // 50, (part, sizes, cli)
everything = c["all"]
for name in ("blocks", "accesses", "shared_accesses", "syncs"):
    assert everything[name] == sum(t[name] for t in c["threads"]), name
for name in ("raw", "grammar", "rules", "symbols", "synch_cnt"):
    for form in ("cor", "dor"):
        assert everything[form][name] == sum(t[form][name] for t in c["threads"]), (form, name)
for name in ("streams", "seq", "rle_seq", "diff_rle_seq"):
    assert everything["streams"][name] == sum(t["streams"][name] for t in c["threads"]), name
assert everything["cor"]["raw"] == 4 * everything["blocks"] == c["compressors"]["control"]["raw"]
assert everything["dor"]["raw"] == 4 * everything["shared_accesses"]
cor = everything["cor"]
assert everything["cdr"]["cor"] == cor["grammar"] + cor["s_synch"] + cor["synch_cnt"]
assert cor["s_synch"] == 2 * c["barriers"] + 7 * c["operations"]
assert abs(cor["percent"] - 100 * (cor["grammar"] + cor["s_synch"]) / cor["raw"]) < 1e-9
groups, control = c["compact"]["groups"], c["compressors"]["control"]
want = (groups["dictionary"] + groups["control"]) / min(control["xz"], control["zstd"])
assert abs(c["ratios"]["paths"] - want) < 1e-9
END
}
value() { python3 -c 'import json, sys; print(eval("d" + sys.argv[1], {"d": json.load(open("compare.json"))}))' "$1"; }

old=$top_srcdir/tests/traces
check "$old/v1/threads.trace"
[ "$(value '["compact"]["rewritten"]')" = True ]
check "$old/v2/chain.trace"
head -c -20 "$old/v1/threads.trace" >cut.trace
check cut.trace
grep -q 'the trace is cut' err || fail "no warning: $(cat err)"

# Red and black points in two threads: barriers; the halves of the grid are shared along their border.
sor=$top_builddir/tests/bench/programs/sor
expect 0 vg -q --deps=no --toggle-collect=main --cdr-out-file=sor.trace "$sor" -q -n 20 -r 3 -t 2 >out
check sor.trace
[ "$(value '["barriers"]')" -ge 6 ] || fail "barriers: $(value '["barriers"]')"
[ "$(value '["all"]["shared_accesses"]')" -gt 100 ]
# The differences of addresses that go through an array are alike, the addresses are not.
[ "$(value '["all"]["streams"]["diff_rle_seq"]')" -lt "$(value '["all"]["streams"]["seq"]')" ]
expect 0 "$cdrgrind" stats --compare sor.trace >out
for line in '-- Control (COR)' '-- Shared data (DOR)' '-- Control and shared data (CDR)' 'Paths:'; do
  grep -q -e "^$line" out || fail "no '$line' in: $(cat out)"
done

# Without addresses there is nothing to share.
expect 0 vg -q --deps=no --cdr-data=none --cdr-out-file=control.trace "$sor" -q -n 20 -r 3 -t 2 >out
expect 0 "$cdrgrind" stats --compare --format=json control.trace >compare.json
[ "$(value '["compressors"]["addresses"]["raw"]')" = 0 ] || fail "addresses: $(cat compare.json)"
expect 0 "$cdrgrind" stats --compare control.trace >out

expect 3 "$cdrgrind" stats --compare "$top_srcdir/configure.ac" 2>err

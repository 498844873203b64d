# SPDX-License-Identifier: GPL-2.0-or-later
# repack: the same trace in fewer bytes; whatever goes wrong, the old file stays.
. "$top_srcdir/tests/e2e/common.sh"

old=$top_srcdir/tests/traces

# alike TRACE STATUS: repacked it is the same trace; verify says STATUS of both.
alike() {
  local trace=$1 status=$2
  cp "$trace" before.trace
  expect 0 "$cdrgrind" repack -o after.trace "$trace" >out 2>err
  cmp "$trace" before.trace
  expect "$status" "$cdrgrind" verify "$trace" >verified
  expect "$status" "$cdrgrind" verify after.trace >out
  grep -q ': format 8, ' out || fail "$trace: $(cat out)"
  [ "$(sed 1d verified | grep -c .)" = "$(sed 1d out | grep -c .)" ] || fail "$trace: $(cat out)"
  for form in text json lackey; do
    "$cdrgrind" dump --format=$form "$trace" >want 2>err
    "$cdrgrind" dump --format=$form after.trace >got 2>err
    cmp want got || fail "$trace: another dump"
  done
  for from in '' --from-trace; do
    expect 0 "$cdrgrind" annotate --format=json --path-map=/tmp/recorded="$old/v1" $from "$trace" >want 2>err
    expect 0 "$cdrgrind" annotate --format=json --path-map=/tmp/recorded="$old/v1" $from after.trace >got 2>err
    cmp want got || fail "$trace: other dependences"
  done
}
epochs() { "$cdrgrind" stats --format=json "$1" | python3 -c '
import json, sys
print(sum(f["frames"] for f in json.load(sys.stdin)["frames"] if f["type"] == "CONTROL"))'; }

for name in hello hello_no_deps threads threads_no_deps; do alike "$old/v1/$name.trace" 0; done
alike "$old/v2/chain.trace" 0
head -c -20 "$old/v1/threads.trace" >cut.trace
alike cut.trace 1
head -c -2000 "$old/v1/threads.trace" >short.trace
alike short.trace 1

# Chunks become one.
sor=$top_builddir/tests/bench/programs/sor
expect 0 vg -q --cdr-chunk-blocks=2000 --cdr-out-file=sor.trace "$sor" -q -n 20 -r 20 -t 2 >out
[ "$(epochs sor.trace)" -gt 2 ] || fail "$(epochs sor.trace) epochs"
alike sor.trace 0
[ "$(epochs after.trace)" = 1 ] || fail "$(epochs after.trace) epochs"
[ "$(stat -c %s after.trace)" -lt "$(stat -c %s sor.trace)" ]

# Control paths in another form.
"$cdrgrind" dump sor.trace >want
for control in predict grammar; do
  expect 0 "$cdrgrind" repack --control=$control -o $control.trace sor.trace >out
  expect 0 "$cdrgrind" verify $control.trace >out
  "$cdrgrind" dump $control.trace | cmp - want
done
predicted() { "$cdrgrind" stats --compare "$1" | grep -c '^Epochs.* [1-9][0-9]* predicted'; }
[ "$(predicted predict.trace)" = 1 ] && [ "$(predicted grammar.trace)" = 0 ] || fail "other forms than were asked for"

# In place: permissions and links stay, nothing else is left; once more finds nothing to do.
mkdir place
cp sor.trace place/real.trace
chmod 640 place/real.trace
ln -s real.trace place/link.trace
expect 0 "$cdrgrind" repack place/link.trace >out
cmp after.trace place/real.trace
[ -L place/link.trace ] && [ "$(stat -c %a place/real.trace)" = 640 ] || fail "$(ls -l place)"
grep -q "^place/link.trace: .* bytes in 1 epoch, " out || fail "$(cat out)"
expect 0 "$cdrgrind" repack place/real.trace >out
grep -q 'left as it is' out || fail "$(cat out)"
cmp after.trace place/real.trace
[ "$(ls place | wc -l)" = 2 ] || fail "$(ls place)"

# What fails leaves the file, and nothing besides.
cp cut.trace place
expect 2 "$cdrgrind" repack place/cut.trace 2>err
grep -q 'with -o' err || fail "$(cat err)"
cmp cut.trace place/cut.trace
cp sor.trace place/real.trace
(
  ulimit -f 4
  expect 3 "$cdrgrind" repack place/real.trace 2>err
)
grep -q 'cannot be written' err || fail "$(cat err)"
cmp sor.trace place/real.trace
printf 'XXXX' | dd of=place/real.trace bs=1 seek=5000 conv=notrunc 2>/dev/null
cp place/real.trace damaged.trace
expect 3 "$cdrgrind" repack place/real.trace 2>err
cmp damaged.trace place/real.trace
[ "$(ls place | wc -l)" = 3 ] || fail "$(ls place)"
expect 3 "$cdrgrind" repack -o nowhere/out.trace sor.trace 2>err
expect 3 "$cdrgrind" repack missing.trace 2>err
expect 3 "$cdrgrind" repack "$top_srcdir/configure.ac" 2>err
expect 2 "$cdrgrind" repack --level=20 sor.trace 2>err
expect 2 "$cdrgrind" repack --control=runs sor.trace 2>err
expect 2 "$cdrgrind" repack --memory=4096 sor.trace 2>err

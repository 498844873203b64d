# SPDX-License-Identifier: GPL-2.0-or-later
# The commands: statuses, damaged and cut files, closed pipes, and the listing of the example of two lists.
. "$top_srcdir/tests/e2e/common.sh"

# record
expect 2 "$cdrgrind" 2>err
expect 2 "$cdrgrind" bogus 2>err
expect 0 "$cdrgrind" --help >out
expect 0 "$cdrgrind" record --help >out
grep -q -- '--cdr-out-file' out || fail "record --help does not list the tool's options"
expect 127 "$cdrgrind" record ./nothing-here 2>err
: >text
expect 126 "$cdrgrind" record ./text 2>err
mkdir other
printf '#!/bin/sh\necho valgrind-1.0.0\n' >other/valgrind
chmod +x other/valgrind
PATH=$PWD/other:$PATH expect 3 "$cdrgrind" record /bin/true 2>err
grep -q '1\.0\.0' err || fail "$(cat err)"
"$cdrgrind" record --print-command -q /bin/true 'a b' >out
grep -q "^VALGRIND_LIB=.* --tool=cdrgrind --vgdb=no -q /bin/true 'a b'$" out || fail "$(cat out)"
expect 7 "$cdrgrind" record -q --cdr-out-file=exit.trace sh -c 'exit 7'

# A listing: the lists are built independently, each total depends on its list.
"$cdrgrind" record -q --cdr-out-file=lists.trace "$examples/two_lists" >out
expect 0 "$cdrgrind" annotate --function=main lists.trace >listing
grep -qE '[0-9]+ .*= total\(low\);' listing || fail "no source in the listing"
grep -qE '^  RAW   o +[0-9]+ c +[0-9]+ c ' listing || fail "no table in the listing"
"$cdrgrind" annotate --format=json lists.trace >online.json
"$cdrgrind" annotate --format=json --from-trace lists.trace | cmp - online.json

# Readers that go away, and disks that are full.
(set +e; "$cdrgrind" dump lists.trace 2>err | head -n 1 >out; [ "${PIPESTATUS[0]}" = 0 ]) || fail "closed pipe"
[ ! -s err ] || fail "closed pipe: $(cat err)"
expect 3 "$cdrgrind" dump lists.trace >/dev/full 2>err
[ "$(cat err)" = "cdrgrind: error: standard output: cannot be written: No space left on device" ] || fail "$(cat err)"
for command in dump report\ -o\ - export\ --table=accesses\ -o\ tables; do
  # shellcheck disable=SC2086
  (ulimit -f 4 && expect 3 "$cdrgrind" $command lists.trace >limited 2>err)
  grep -qE '^cdrgrind: error: (standard output|tables/.*): cannot be written: File too large$' err ||
    fail "$command: $(cat err)"
done

# The program is gone: that is said, and not how it should be compiled.
cp "$examples/two_lists" gone
record gone ./gone
rm gone
"$cdrgrind" patterns gone.trace >out
grep -qE '^Symbols: .* without debug info, the program among them: its file is not there$' out || fail "$(head -n 9 out)"

# What cannot be read.
expect 3 "$cdrgrind" dump text 2>err
expect 3 "$cdrgrind" annotate "$top_srcdir/configure.ac" 2>err
size=$(stat -c %s lists.trace)
head -c $((size - 200)) lists.trace >cut.trace
expect 1 "$cdrgrind" verify cut.trace >out
expect 0 "$cdrgrind" stats cut.trace >out 2>err
[ "$(wc -l <err)" = 1 ] || fail "one warning of a cut trace: $(cat err)"
cp lists.trace bad.trace
printf 'XXXX' | dd of=bad.trace bs=1 seek=$((size / 2)) conv=notrunc 2>err
expect 3 "$cdrgrind" verify bad.trace >out 2>err
expect 3 "$cdrgrind" dump --thread=9 lists.trace 2>err
expect 2 "$cdrgrind" dump --events=bogus lists.trace 2>err
expect 2 "$cdrgrind" annotate --kind=bogus lists.trace 2>err
expect 2 "$cdrgrind" repack 2>err

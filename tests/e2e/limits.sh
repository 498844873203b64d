# SPDX-License-Identifier: GPL-2.0-or-later
# No room for the trace, or a recorder that is killed: the program runs on as it would alone, one line says so,
# and verify says what can be read.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/devices_lib.sh"

large="$programs/process/ends large"

# cut NAME: the message came once, the output is right, the trace is marked and can be read up to there.
cut() {
  echo 'large: 0 signals' | cmp - "$1.out"
  [ "$(grep -c 'cannot write any more' "$1.log")" = 1 ] || fail "$1: $(cat "$1.log")"
  [ "$(wc -l <"$1.log")" = 1 ] || fail "$1: more than a line: $(cat "$1.log")"
  expect 1 "$cdrgrind" verify "$2" >"$1.verify"
  grep -qE 'the trace (was cut while it was written|is cut).*: [0-9]+ events can be read, what followed is missing$' "$1.verify" ||
    fail "$1: $(cat "$1.verify")"
}

# A file-size limit. SIGXFSZ, which the kernel sends to those who go beyond, is the program's to count.
for limit in 1 40 64; do
  (ulimit -f $limit && expect 0 vg -q --log-fd=3 --cdr-out-file=limit.trace $large >limit.out 3>limit.log)
  cut limit limit.trace
done
# A limit that the program sets for itself while it runs: one for its own process.
expect 0 vg -q --helper=no --log-fd=3 --cdr-out-file=lowered.trace "$programs/process/ends" lowered >lowered.out 3>lowered.log
sed -i 's/^lowered/large/' lowered.out
cut lowered lowered.trace

# A full disk. Not everybody may mount one.
mkdir -p disk
if unshare -rm true 2>/dev/null && unshare -rm mount -t tmpfs none disk 2>/dev/null; then
  unshare -rm sh -ec 'mount -t tmpfs -o size=48k none disk
    "$@" --tool=cdrgrind --vgdb=no -q --log-fd=3 --cdr-out-file=disk/trace '"$large"' >disk.out 3>disk.log
    cp disk/trace disk.trace' - "$VALGRIND"
  cut disk disk.trace
fi
own_device full 1 7 '"$VALGRIND" --tool=cdrgrind --vgdb=no -q --log-fd=3 --cdr-out-file=dev/full "$@" >full.out 3>full.log' \
  - $large && {
  grep -qx 'large: 0 signals' full.out
  [ "$(wc -l <full.log)" = 1 ] || fail "/dev/full: $(cat full.log)"
}

# A child that cannot have a trace of its own says so, and runs on.
mkdir -p shut
chmod 777 shut
expect 0 vg -q --log-fd=3 --cdr-out-file="$work/shut/F.%p" "$programs/process/ends" moved "$work/shut" "$work/gone" \
  >moved.out 3>moved.log
grep -qx 'moved: child 0' moved.out || fail "moved: $(cat moved.out)"
[ "$(grep -c 'cannot create' moved.log)" = 1 ] && [ "$(wc -l <moved.log)" = 1 ] || fail "moved: $(cat moved.log)"

# killed MILLIONS CHUNK: kill -9 after so many blocks; what is lost is the open chunk, and what no chunk has yet.
killed() {
  local pid blocks buffer=50000
  (exec "$VALGRIND" --tool=cdrgrind -q --vgdb=no --deps=no --cdr-chunk-blocks="$2" --cdr-out-file=killed.trace \
    "$programs/process/ends" blocks "$1") >killed.out &
  pid=$!
  for _ in $(seq 1200); do
    ! grep -q 'done' killed.out || break
    sleep 0.1
  done
  kill -KILL $pid
  expect 137 wait $pid
  until_free killed.trace
  expect 1 "$cdrgrind" verify killed.trace >killed.verify
  grep -q 'recording ended without closing' killed.verify || fail "verify: $(cat killed.verify)"
  blocks=$("$cdrgrind" stats --format=json killed.trace 2>/dev/null | grep -m1 '"blocks":' | tr -dc 0-9)
  [ "$blocks" -ge $(($1 * 1000000 - $2 - buffer)) ] || fail "killed after $1 million blocks, only $blocks can be read"
}
killed "${CDR_TEST_MILLIONS:-4}" "${CDR_TEST_CHUNK:-262144}"

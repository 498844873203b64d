# SPDX-License-Identifier: GPL-2.0-or-later
# Helper processes make the same trace as the recorded process itself, to the byte; so does the host of the same
# records. The program does not see them.
. "$top_srcdir/tests/e2e/common.sh"

# both NAME COMMAND...: what it prints and its status are those of the program alone, and the traces are equal but for
# the RUN frame.
both() {
  local name=$1 helper native=0 status
  shift
  "$@" >"$name.want" 2>/dev/null </dev/null || native=$?
  for helper in 0 1 2 3; do
    status=0
    vg --helpers=$helper --log-file="$name.$helper.log" --cdr-out-file="$name.$helper" "$@" \
      >"$name.out" 2>/dev/null </dev/null || status=$?
    [ "$status" = "$native" ] || fail "$name: status $status, alone $native"
    cmp "$name.want" "$name.out"
    "$programs/traces/without_run" "$name.$helper" >"$name.$helper.bytes"
    sed 's/^==[0-9]*==//; s/ in [^ ]* (/ in X (/; s/annotate .*/annotate X/; /PID/d' "$name.$helper.log" >"$name.$helper.said"
  done
  for helper in 1 2 3; do
    cmp "$name.0.bytes" "$name.$helper.bytes"
    cmp "$name.0.said" "$name.$helper.said"
  done
}
both hello "$programs/hello"
both nfib "$programs/nfib" 18
both signals "$programs/process/signals"
both thrown "$programs/process/thrown"
both loops "$programs/loop_nest"
both waits "$programs/process/waits" 1

# What cannot repeat is recorded once, and its records are consumed again: here, in helpers, of which from the
# third on two and more share the dependences, and on the host.
# again NAME COMMAND...
again() {
  local name=$1 helper from
  shift
  for from in 0 2; do
    vg -q --helpers=$from --cdr-capture-raw="$name.raw" --cdr-out-file="$name.trace" "$@" >"$name.out" 2>&1
    for helper in 0 1 2 3 5; do
      vg -q --helpers=$helper --cdr-replay-raw="$name.raw" --cdr-out-file="$name.replayed" "$programs/hello" >"$name.log" 2>&1
      cmp "$name.trace" "$name.replayed"
      ! grep -q '^Hello' "$name.log" || fail "a replay ran its program"
    done
    "$programs/traces/replay" "$name.raw" "$name.replayed"
    cmp "$name.trace" "$name.replayed"
    expect 0 "$cdrgrind" verify --dependences "$name.trace" >"$name.verify"
  done
}
again threads "$programs/wrappers/mutexes"
again barriers "$programs/wrappers/barriers"
again walks "$programs/patterns/walks"

# A capture that is cut is told; none at all is refused.
head -c 1000000 threads.raw >cut.raw
vg -q --cdr-replay-raw=cut.raw --cdr-out-file=cut.trace "$programs/hello" 2>cut.log
grep -q 'cut.raw is no capture, or is cut' cut.log || fail "cut: $(cat cut.log)"
expect 1 vg -q --cdr-replay-raw=none.raw --cdr-out-file=cut.trace "$programs/hello" 2>cut.log
grep -q 'cannot open none.raw' cut.log || fail "none: $(cat cut.log)"

# A forked child has helpers of its own.
for helper in 1 2 4; do
  rm -f forked.*
  status=0
  vg -q --helpers=$helper --cdr-out-file=forked.%p "$programs/process/forks" fork >forks.out 2>&1 || status=$?
  [ "$status" = 2 ] || fail "forks, $helper helpers: status $status: $(cat forks.out)"
  [ "$(echo forked.*)" != "$(echo forked.* | cut -d ' ' -f 1)" ] || fail "$helper helpers: one trace: $(echo forked.*)"
  for trace in forked.*; do
    expect 0 "$cdrgrind" verify --dependences "$trace" >forked_verify
    "$cdrgrind" dump --dependences "$trace" | grep -q . || fail "$trace: no dependences"
  done
done

# Nobody is seen: no child, no signal, no descriptor.
"$programs/process/looks" >looks.want
for helper in 0 1 3; do
  vg -q --helpers=$helper --cdr-out-file=looks.trace.%p "$programs/process/looks" >looks.out
  cmp looks.want looks.out
done

# One that cannot be started: recording goes on in the process, and with `auto' that is no news.
for helper in 1 3; do
  (ulimit -f 4096 && vg -q --helpers=$helper --cdr-out-file=none.trace "$programs/hello" >none.out 2>none.log)
  grep -q 'no helper process can be started' none.log || fail "no helper: $(cat none.log)"
  expect 0 "$cdrgrind" verify none.trace >none.verify
done
(ulimit -f 4096 && vg -q --cdr-out-file=none.trace "$programs/hello" >none.out 2>none.log)
[ ! -s none.log ] || fail "auto: $(cat none.log)"
expect 0 "$cdrgrind" verify none.trace >none.verify

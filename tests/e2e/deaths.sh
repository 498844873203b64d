# SPDX-License-Identifier: GPL-2.0-or-later
# However a program ends, its status is its own, and the trace is complete; but for SIGKILL, which leaves what
# was written before.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/recording.sh"

ulimit -c 0
for way in return exit _exit segv abort term thread-segv thread-exit; do
  record deaths -- "$way"
  mv deaths.trace "$way.trace"
done
ended() { "$cdrgrind" stats "$1.trace" | grep -qE "^Ended: +$2\$" || fail "$1 did not end with $2"; }
ended return 'exit 0'
ended exit 'exit 3'
ended _exit 'exit 3'
ended segv 'signal 11'
ended abort 'signal 6'
ended term 'signal 15'
ended thread-segv 'signal 11'
ended thread-exit 'exit 4'
"$cdrgrind" dump --events=signal,partial,syscall segv.trace >/dev/null
"$cdrgrind" dump --events=partial segv.trace | grep -q ' partial ' || fail "the fault that kills is not in the trace"

# outside WAY SIGNAL: `deaths WAY' gets the signal when it waits, or computes; the trace is WAY.trace.
outside() {
  rm -f "$1.out"
  (exec "$VALGRIND" --tool=cdrgrind -q --vgdb=no --cdr-out-file="$1.trace" "$programs/corners/deaths" "$1") >"$1.out" 2>"$1.err" &
  local pid=$!
  for _ in $(seq 300); do
    ! grep -qs 'last words' "$1.out" || break
    sleep 0.1
  done
  kill "-$2" $pid
  expect $((128 + $2)) wait $pid
}
for way in wait compute; do
  outside $way 15
  sound $way
  ended $way 'signal 15'
done
outside wait 9
until_free wait.trace
expect 1 "$cdrgrind" verify wait.trace >wait.verify
grep -q 'recording ended without closing.* what followed is missing$' wait.verify || fail "verify: $(cat wait.verify)"

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

# Killed from outside, while it waits.
(exec "$VALGRIND" --tool=cdrgrind -q --vgdb=no --cdr-out-file=kill.trace "$programs/corners/deaths" wait) >kill.out 2>kill.err &
pid=$!
for _ in $(seq 300); do
  ! grep -q 'last words' kill.out || break
  sleep 0.1
done
kill -KILL $pid
expect 137 wait $pid
expect 1 "$cdrgrind" verify kill.trace >kill.verify
grep -q 'recording ended without closing' kill.verify || fail "verify: $(cat kill.verify)"

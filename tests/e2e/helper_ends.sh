# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever becomes of a helper process, the program runs on as it does alone; whatever becomes of the program, what it
# recorded can be read.
. "$top_srcdir/tests/e2e/common.sh"

command -v mkfifo >/dev/null || skip "no mkfifo"

# helper_of TRACE: the helper that writes it.
helper_of() {
  local process
  for process in /proc/[0-9]*; do
    [ "$(cat "$process/comm" 2>/dev/null)" = cdrgrind-helper ] || continue
    ls -l "$process/fd" >descriptors 2>/dev/null || continue
    ! grep -q "/$(basename "$work")/$1\$" descriptors || echo "${process#/proc/}"
  done
}

# others_of HELPER: those that share its ring.
others_of() {
  local ring process
  ring=$(awk '/memfd:cdrgrind/ { print $5; exit }' "/proc/$1/maps")
  for process in /proc/[0-9]*; do
    [ "${process#/proc/}" != "$1" ] && [ "$(cat "$process/comm" 2>/dev/null)" = cdrgrind-helper ] || continue
    ! awk '/memfd:cdrgrind/ { print $5 }' "$process/maps" 2>/dev/null | grep -qx "$ring" || echo "${process#/proc/}"
  done
}

# begin NAME MILLIONS [WAY]: the program is ready, $pid; its $helpers helpers are $helper and $others. It reads from
# descriptor 4.
helpers=1
begin() {
  name=$1
  rm -f "$name.in"
  mkfifo "$name.in"
  (exec "$VALGRIND" --tool=cdrgrind --vgdb=no -q --deps=yes --helpers=$helpers --log-file="$name.log.%p" --cdr-out-file="$work/$name.trace" \
    "$programs/process/waits" "${@:2}") <"$name.in" >"$name.out" 2>&1 &
  pid=$!
  exec 4>"$name.in"
  until_says ready
  helper=$(helper_of "$name.trace")
  [ -n "$helper" ] || fail "$name: no helper"
  others=$(others_of "$helper")
  [ "$(wc -w <<<"$others")" = $((helpers - 1)) ] || fail "$name: other helpers are $others"
  other=${others%%[[:space:]]*}
}

until_says() {
  for _ in $(seq 3000); do
    ! grep -qx "$1" "$name.out" || return 0
    sleep 0.1
  done
  fail "$name: never $1: $(cat "$name.out")"
}

gone() {
  local process left
  for _ in $(seq 600); do
    left=$(helper_of "$name.trace")
    for process in $others; do
      [ "$(cat "/proc/$process/comm" 2>/dev/null)" != cdrgrind-helper ] || left="$left $process"
    done
    [ -n "$left" ] || return 0
    sleep 0.1
  done
  fail "$name: helpers are still there: $left"
}

# runs_on WORDS: the program ends as it does alone, one line says WORDS, the trace is cut, and can be read up to there.
runs_on() {
  local status=0
  echo go >&4
  until_says done
  exec 4>&-
  wait "$pid" || status=$?
  [ "$status" = 3 ] || fail "$name: status $status"
  [ "$(cat "$name".log.* | grep -c "$1")" -ge 1 ] || fail "$name: not told: $(cat "$name".log.*)"
  [ "$(wc -l <"$name.log.$pid")" = 1 ] || fail "$name: more than a line: $(cat "$name.log.$pid")"
  gone
  expect 1 "$cdrgrind" verify "$name.trace" >"$name.verify"
  grep -q 'the trace was cut' "$name.verify" || fail "$name: $(cat "$name.verify")"
}

begin killed 3
kill -KILL "$helper"
runs_on 'helper process has died'

# The ring is full then: the program has to wait, but not for long.
begin stopped 3
kill -STOP "$helper"
runs_on 'helper process does not respond'

# Fork when nobody answers: the child runs on, too.
begin forked 3 fork
kill -STOP "$helper"
runs_on 'helper process does not respond'
grep -qx 'child: 5' forked.out || fail "forked: $(cat forked.out)"

# Nor does it share anything with a parent that nobody records any more.
begin orphaned 3 fork
kill -KILL "$helper"
runs_on 'helper process has died'
grep -qx 'child: 5' orphaned.out || fail "orphaned: $(cat orphaned.out)"

# Likewise of several, whichever it is.
helpers=3
begin several_killed 3
kill -KILL "$other"
runs_on 'a helper process has died'
begin several_stopped 3
kill -STOP "$other"
runs_on 'a helper process does not respond'
begin several_forked 3 fork
kill -KILL "$helper"
runs_on 'a helper process has died'
grep -qx 'child: 5' several_forked.out || fail "several_forked: $(cat several_forked.out)"

# The program is killed after its last record but for the buffer's: nothing is lost.
for helpers in 1 2 3; do
  begin program$helpers 3
  echo go >&4
  until_says done
  kill -KILL "$pid"
  exec 4>&-
  expect 137 wait "$pid"
  gone
  expect 1 "$cdrgrind" verify "$name.trace" >program.verify
  grep -q 'recording ended without closing' program.verify || fail "$name: $(cat program.verify)"
  blocks=$("$cdrgrind" stats --format=json "$name.trace" 2>/dev/null | grep -m1 '"blocks":' | tr -dc 0-9)
  [ "$blocks" -ge 3000000 ] || fail "$name: only $blocks blocks of 3 million"
  "$cdrgrind" dump "$name.trace" 2>/dev/null | tail -n 3000 >last.events
  grep -q ' syscall ' last.events || fail "$name: what came last is missing"
  "$cdrgrind" annotate --format=json "$name.trace" >program.json 2>/dev/null
  grep -q '"ancestor"' program.json || fail "$name: no dependences: $(head -c 300 program.json)"
  expect 1 "$cdrgrind" verify --dependences "$name.trace" >program.verify 2>&1
  ! grep -q 'dependence' program.verify || fail "$name: $(cat program.verify)"
done
helpers=1

# Signals from the terminal go to the program only.
begin interrupted 1
echo go >&4
until_says done
kill -INT "$helper"
kill -TERM "$helper"
exec 4>&-
expect 3 wait "$pid"
gone
expect 0 "$cdrgrind" verify interrupted.trace >interrupted.verify
[ ! -s "interrupted.log.$pid" ] || fail "interrupted: $(cat "interrupted.log.$pid")"

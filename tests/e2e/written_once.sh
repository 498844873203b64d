# SPDX-License-Identifier: GPL-2.0-or-later
# A trace is written by one run at a time: another one takes the next name. Who reads a trace that is being written is
# told so.
. "$top_srcdir/tests/e2e/common.sh"

command -v mkfifo >/dev/null || skip "no mkfifo"
waits=$programs/process/waits

# run FILE OPTION...: records something short.
run() {
  local file=$1
  shift
  expect 0 "$VALGRIND" --tool=cdrgrind --vgdb=no -q --deps=no --log-fd=3 --cdr-out-file="$file" "$@" "$programs/hello" \
    >run.out 3>run.log
}
# told FILE OTHER PID: and nothing else.
told() {
  [ "$(sed 's/^==[0-9]*== //' run.log)" = "cdrgrind: warning: $work/$1 is still being written by process $3; this trace goes to $work/$2" ] ||
    fail "$2: $(cat run.log)"
}
number() { "$cdrgrind" stats --format=json "$1" | python3 -c 'import json, sys; print(json.load(sys.stdin).get("number", 0))'; }
is_number() { [ "$(number "$1")" = "$2" ] || fail "$1: number $(number "$1")"; }
sound() { expect 0 "$cdrgrind" verify "$@" >verify.out; }

# A recording that goes on: it reads from descriptor 4.
begin() {
  rm -f in
  mkfifo in
  (exec "$VALGRIND" --tool=cdrgrind --vgdb=no -q --log-fd=3 --cdr-out-file="$1" "${@:2}" "$waits" 0) <in >going.out 3>going.log &
  pid=$!
  exec 4>in
  until_says going.out ready
}
until_says() {
  for _ in $(seq 3000); do
    ! grep -qx "$2" "$1" || return 0
    sleep 0.1
  done
  fail "$1: never $2"
}
finish() {
  echo go >&4
  exec 4>&-
  expect 3 wait "$pid"
  [ ! -s going.log ] || fail "going: $(cat going.log)"
}

# hold FILE: somebody else is writing it, until let_go.
mkfifo holding
hold() {
  : >locked
  python3 "$top_srcdir/tests/e2e/locks.py" "$1" <holding >locked &
  holder=$!
  exec 5>holding
  until_says locked locked
}
let_go() {
  exec 5>&-
  wait $holder
}

for helper in no yes; do
  rm -f F F.*
  begin F --helper=$helper
  run F
  told F F.1 $pid
  until_free F.1
  hold F.1
  run F --helper=$helper
  told F F.2 $pid
  let_go
  # Readers of the first say what it is; nobody may put another file in its place.
  for _ in $(seq 600); do
    status=0
    "$cdrgrind" verify F >verify.out 2>&1 || status=$?
    [ $status = 3 ] || break
    grep -q '^cdrgrind: error: F: is still being written, and holds nothing yet' verify.out || fail "$(cat verify.out)"
    sleep 0.1
  done
  [ $status = 1 ] && grep -qE "^the trace is still being written by process $pid \(recording goes on\): [0-9]+ events can be read so far$" \
    verify.out || fail "verify: status $status: $(cat verify.out)"
  "$cdrgrind" dump F >/dev/null 2>dump.err
  grep -q "^cdrgrind: warning: the trace is still being written by process $pid " dump.err || fail "dump: $(cat dump.err)"
  grep -qx '.*"status": "writing",' <("$cdrgrind" stats --format=json F 2>/dev/null) || fail "stats"
  refused 2 'still being written' repack F
  refused 3 'F: is still being written' repack -o F F.1
  # What a program executes goes on behind its own traces, though nobody writes the first file any more.
  expect 2 "$VALGRIND" --tool=cdrgrind --vgdb=no -q --log-fd=3 --helper=$helper --trace-children=yes --cdr-out-file=F \
    "$programs/process/forks" again >run.out 3>run.log
  grep -q "this trace goes to $work/F.1\$" run.log && [ "$(wc -l <run.log)" = 1 ] || fail "successors: $(cat run.log)"
  finish
  until_free F
  until_free F.3
  [ "$(echo F F.*)" = 'F F.1 F.2 F.3' ] || fail "$(echo F F.*)"
  for number in 1 2 3; do
    sound F.$number
    is_number F.$number $number
  done
  sound F
  is_number F 0
  # Nobody is writing it: it is replaced, and the others stay.
  run F
  [ ! -s run.log ] || fail "free: $(cat run.log)"
  [ "$(echo F F.*)" = 'F F.1 F.2 F.3' ] || fail "$(echo F F.*)"
  sound F
done

# A helper outlives a program that is killed, and writes what was recorded: not into the next run's file.
helper_of() {
  for process in /proc/[0-9]*; do
    [ "$(cat "$process/comm" 2>/dev/null)" = cdrgrind-helper ] || continue
    ls -l "$process/fd" >descriptors 2>/dev/null || continue
    ! grep -q "/$(basename "$work")/$1\$" descriptors || echo "${process#/proc/}"
  done
}
begin killed --helper=yes
expect 1 "$cdrgrind" verify killed >verify.out
helper=$(helper_of killed)
[ -n "$helper" ] || fail "no helper"
kill -STOP "$helper"
echo go >&4
until_says going.out 'done'
kill -KILL $pid
exec 4>&-
expect 137 wait $pid
run killed
told killed killed.1 $pid
kill -CONT "$helper"
until_free killed
sound killed.1
expect 1 "$cdrgrind" verify killed >verify.out
grep -q 'recording ended without closing' verify.out || fail "killed: $(cat verify.out)"

# A forked child does not hold its parent's file, whatever it waits for; nor does what a program executes.
mkfifo gate
for helper in no yes; do
  for child in 'read line <gate' 'exec cat gate'; do
    rm -f C C.*
    expect 0 vg -q --helper=$helper --cdr-out-file=C sh -c "{ $child; } >/dev/null & exit 0" 2>run.log
    until_free C
    run C
    [ ! -s run.log ] && [ ! -e C.1 ] || fail "a child keeps its parent's file: $helper, $child: $(cat run.log)"
    echo >gate
  done
done

# A child whose file is taken when it needs one.
mkfifo go
(expect 0 vg -q --log-fd=3 --cdr-out-file=T sh -c \
  '{ read line <go; i=0; while [ $i -lt 300 ]; do i=$((i + 1)); done; } & echo $! >child; wait' 3>child.log) &
recorder=$!
for _ in $(seq 3000); do
  [ ! -s child ] || break
  sleep 0.1
done
child=$(cat child)
printf 'not a trace' >"T.$child"
hold "T.$child"
echo >go
expect 0 wait $recorder
[ "$(cat "T.$child")" = 'not a trace' ] || fail "T.$child was overwritten"
grep -q "cdrgrind: warning: $work/T.$child is still being written; this trace goes to $work/T.$child.1\$" child.log || fail "child: $(cat child.log)"
sound "T.$child.1"
is_number "T.$child.1" 1
let_go

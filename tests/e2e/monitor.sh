# SPDX-License-Identifier: GPL-2.0-or-later
# Commands to a running program through vgdb: while it sleeps and while it computes.
. "$top_srcdir/tests/e2e/common.sh"

pid=
trap '[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || :' EXIT

# start NAME WAY: `cdrgrind record --vgdb=yes' runs monitored WAY in the background, until it has said that it runs.
start() {
  rm -f "$1.out"
  "$cdrgrind" record -q --vgdb=yes --vgdb-prefix="$work/$1-pipe" --cdr-out-file="$1.trace" \
    "$programs/process/monitored" "$2" >"$1.out" 2>"$1.err" </dev/null &
  pid=$!
  for _ in $(seq 300); do
    ! grep -qs running "$1.out" || return 0
    sleep 0.1
  done
  fail "$1 does not run: $(cat "$1.err")"
}
ask() {
  timeout 60 vgdb --vgdb-prefix="$work/$name-pipe" --pid="$pid" "$@" >answer 2>vgdb.err || fail "vgdb $*: $(cat vgdb.err)"
}
says() { grep -qE "$1" answer || fail "$name: no '$1' in: $(cat answer)"; }
number() { sed -nE "s/^$1: ([0-9]+) .*/\\1/p" answer; }

for name in sleeping computing; do
  start $name $name
  ask help
  says '^  status '
  says '^  flush '
  says '^  instrumentation '
  says '^  mark '
  ask status
  says '^recording: on$'
  says '^threads: 2 \(3 started\)$'
  says '^events: [0-9]+ \([0-9]+ blocks\)$'
  says "^bytes: [0-9]+ written to .*$name\\.trace"
  events=$(number events)
  # What has been flushed can be read.
  ask flush
  says 'can be read up to event [0-9]+$'
  flushed=$(sed -nE 's/.* up to event ([0-9]+)$/\1/p' answer)
  [ "$flushed" -ge "$events" ] || fail "$name: $flushed events flushed of $events"
  expect 1 "$cdrgrind" verify $name.trace >$name.verify
  readable=$(sed -nE 's/.*: ([0-9]+) events can be read so far$/\1/p' $name.verify)
  [ "$readable" -ge "$flushed" ] || fail "$name: $readable events can be read of $flushed"
  ask mark before the gap
  says '^marked: before the gap$'
  ask instrumentation off
  says '^recording: off$'
  ask status
  says '^recording: off$'
  ask instrumentation sideways
  says "'on' or 'off'"
  ask instrumentation on
  says '^recording: on$'
  ask instrumentation
  says '^recording: on$'
  ask mark after
  kill -USR1 "$pid"
  expect 0 wait "$pid"
  pid=
  grep -qx 'ended' $name.out || fail "$name: $(cat $name.out)"
  "$cdrgrind" verify $name.trace >$name.verify || fail "$name: $(cat $name.verify)"
  "$cdrgrind" dump --events=mark,gap $name.trace | cut -d' ' -f3- >$name.events
  printf '%s\n' 'mark name="before the gap"' 'gap-begin scope=process' | cmp - <(head -n 2 $name.events)
  grep -q '^gap-end scope=process' $name.events || fail "$name: $(cat $name.events)"
  grep -qx 'mark name="after"' <(tail -n 1 $name.events) || fail "$name: $(cat $name.events)"
done

# A command of nobody.
name=sleeping
start $name $name
ask no-such-command
says 'not recognised'
kill -USR1 "$pid"
expect 0 wait "$pid"
pid=

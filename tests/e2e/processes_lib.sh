# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read by tests of programs with several processes, after common.sh. Defines
#   run_way PROGRAM WAY TRACES [OPTION...] [-- ARGUMENT...]
#        `PROGRAM WAY ARGUMENT...' runs under the recorder as it does alone: stdout, stderr, status. It leaves so
#        many traces, WAY.trace.PID, all of them sound
#   run_alike NAME [OPTION...] -- COMMAND...
#        the same for any command, which may leave any number of traces
#   ended TRACE HOW      `cdrgrind stats' says so
#   first_trace WAY      the trace of the first process: the one without a parent
#   other_trace WAY      the other one of two

run_alike() {
  local name=$1 options=() native=0 status=0 trace
  shift
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  timeout 60 "$@" >"$name.want" 2>"$name.native.err" </dev/null || native=$?
  timeout 100 "$VALGRIND" --tool=cdrgrind --vgdb=no --deps=yes --log-file="$name.log.%p" --cdr-out-file="$name.trace.%p" \
    "${options[@]}" "$@" >"$name.out" 2>"$name.err" </dev/null || status=$?
  [ "$status" = "$native" ] || fail "$name: status $status, alone $native: $(tail -n 20 "$name".log.*)"
  cmp "$name.want" "$name.out"
  cmp "$name.native.err" "$name.err"
  for trace in "$name".trace.*; do sound "$trace"; done
}

run_way() {
  local program=$programs/process/$1 way=$2 traces=$3 options=() seen
  shift 3
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  [ $# = 0 ] || shift
  run_alike "$way" "${options[@]}" -- "$program" "$way" "$@"
  seen=("$way".trace.*)
  [ "${#seen[@]}" = "$traces" ] || fail "$way: not $traces traces: ${seen[*]}"
}

sound() {
  "$cdrgrind" verify "$1" >verify.out || fail "$1: verify: $(tail -n 20 verify.out)"
}

ended() {
  "$cdrgrind" stats "$1" >stats.out
  grep -qE "^Ended: +$2\$" stats.out || fail "$1 did not end with $2: $(cat stats.out)"
}

first_trace() {
  local trace
  for trace in "$1".trace.*; do
    "$cdrgrind" stats --format=json "$trace" >stats.out
    grep -q '"parent"' stats.out || echo "$trace"
  done
}

other_trace() {
  local first trace
  first=$(first_trace "$1")
  for trace in "$1".trace.*; do [ "$trace" = "$first" ] || echo "$trace"; done
}

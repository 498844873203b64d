# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read after common.sh by the tests that hold what `cdrgrind races' finds on the compact form of a trace against what it
# finds event by event. Defines
#   same_by_both_ways COMPACT EVENTS   the reports in JSON say the same, COMPACT on the compact form alone, EVENTS with
#                                      --from-events. Status 1 if not
#   both_ways STATUS NAME TRACE OPTION...   the report of the trace, in NAME.json, whose status must be STATUS, says so
#   as_its_table NAME                  the races of the program NAME are those of NAME.expect beside its source, wherever
#                                      the recorder switches threads at calls, by both ways; leaves the last trace

same_by_both_ways() {
  local compact='"way":"compact","way_reason":null' events='"way":"events","way_reason":"--from-events was given"'
  grep -q "$compact" "$1" || { echo "$1: not on the compact form: $(grep -o '"way":.*' "$1")" >&2; return 1; }
  grep -q "$events" "$2" || { echo "$2: not from the events" >&2; return 1; }
  sed "s/$events/$compact/" "$2" | cmp "$1" - >&2
}

both_ways() {
  local status=$1 name=$2 trace=$3
  shift 3
  # shellcheck disable=SC2154
  expect "$status" "$cdrgrind" races --format=json "$@" "$trace" >"$name.json"
  expect "$status" "$cdrgrind" races --format=json --from-events "$@" "$trace" >"$name.events.json"
  same_by_both_ways "$name.json" "$name.events.json" || fail "$trace $*: the compact form says something else"
}

as_its_table() {
  local name=$1 table=$top_srcdir/tests/programs/races/$1.expect switch options
  for switch in none enter leave; do
    options=()
    [ $switch = none ] || options=("--cdr-test-switch=$switch")
    # shellcheck disable=SC2154
    vg -q --deps=no "${options[@]}" --cdr-out-file=trace "$programs/races/$name"
    expect 0 "$cdrgrind" verify trace >verified
    both_ways 1 "$name" trace
    python3 "$top_srcdir/tests/e2e/races_lines.py" "$table" <"$name.json" >lines
    diff "$table" lines || fail "other races, switches: $switch"
  done
}

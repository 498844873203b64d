# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read after common.sh by the tests that hold what `cdrgrind races' finds on the compact form of a trace against what it
# finds event by event. Defines
#   same_by_both_ways COMPACT EVENTS   the reports in JSON say the same, COMPACT on the compact form alone, EVENTS with
#                                      --from-events. Status 1 if not
#   both_ways STATUS NAME TRACE OPTION...   the report of the trace, in NAME.json, whose status must be STATUS, says so

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

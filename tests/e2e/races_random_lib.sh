# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read after common.sh by the tests that hold `cdrgrind races' against its slow reference. Defines
#   check_race_seeds SEED...   records the random program of each SEED in many epochs, of every fourth in one, too; the races
#                              of a recording must be those that the reference finds in it, on the compact form, event by
#                              event, and if what is past is forgotten at once. The failing ones are named. In some of the programs the threads are switched
#                              between an operation and its events
#   thorough                   yes: every one in one epoch, too [no]

. "$top_srcdir/tests/e2e/races_ways_lib.sh"
command -v python3 >/dev/null || skip "no python3"
thorough=no

# same_from_events NAME OPTION...: the compact form of the trace says what the events say one by one, examples and all.
# Status 1 if not.
same_from_events() {
  local name=$1
  shift
  "$cdrgrind" races "$@" --format=json "$name.trace" >"$name.compact"
  "$cdrgrind" races "$@" --from-events --format=json "$name.trace" >"$name.events"
  same_by_both_ways "$name.compact" "$name.events" || return 1
  "$cdrgrind" races "$@" --forget-at-once --format=json "$name.trace" >"$name.forgetful"
  cmp "$name.forgetful" "$name.compact"
}

# compare_races NAME OPTION...: with these the two ways are compared. Status 1 at the first thing that is wrong. (set -e
# does not hold in here.)
compare_races() {
  local name=$1 status=0
  shift
  # shellcheck disable=SC2154
  "$cdrgrind" dump --format=json "$name.trace" | python3 "$top_srcdir/tests/reference/races.py" >"$name.reference" ||
    return 1
  "$cdrgrind" races --atomics=race --adhoc=race --show-artifacts --format=json "$name.trace" >"$name.json" || status=$?
  [ "$status" -le 1 ] || return 1
  grep -q '"way":"compact"' "$name.json" || { echo "$name: not on the compact form" >&2; return 1; }
  same_from_events "$name" "$@" || return 1
  python3 "$top_srcdir/tests/e2e/races_compare.py" "$name.json" "$name.reference" >"$name.diff" && return
  echo "$name: $(wc -l <"$name.diff") differences, of $(wc -l <"$name.reference") pairs:" >&2
  head -n 6 "$name.diff" >&2
  return 1
}

# compare_recorded NAME ATOMICS OPTION...
compare_recorded() {
  local name=$1 atomics=$2
  shift 2
  vg -q --deps=no "$@" --cdr-out-file="$name.trace" "./$name" </dev/null >"$name.output" 2>"$name.log" || {
    cat "$name.log" >&2
    echo "$name $*: recording: status $?" >&2
    return 1
  }
  compare_races "$name" --atomics="$atomics" || { echo "$name $*" >&2; return 1; }
}

# A failure keeps all files.
check_race_seed() {
  local seed=$1 name=seed$1 chunks=(10000 3000 900 250) atomics=(sync strict) options=()
  case $seed in
    *3) options=(--cdr-test-switch=enter) ;;
    *6) options=(--cdr-test-switch=leave) ;;
  esac
  python3 "$top_srcdir/tests/programs/random/threads.py" "$seed" >"$name.c" || return 1
  # shellcheck disable=SC2046
  "$CC" $(sed -n '1s,// flags: ,,p' "$name.c") -I"$top_srcdir/include" -o "$name" "$name.c" || return 1
  compare_recorded "$name" "${atomics[seed / 4 % 2]}" --cdr-chunk-blocks="${chunks[seed % 4]}" "${options[@]}" || return 1
  if [ $thorough = yes ] || [ $((seed % 4)) = 0 ]; then
    compare_recorded "$name" "${atomics[1 - seed / 4 % 2]}" "${options[@]}" || return 1
  fi
  awk -v seed="$seed" '{ n += $3; u += $4 == "unschedulable" }
    END { print "seed " seed ": " NR " pairs, " n + 0 " instances, " u + 0 " unschedulable" }' "$name.reference" >>found
  rm -f "$name" "$name".*
}

check_race_seeds() {
  local seed bad=()
  for seed; do
    check_race_seed "$seed" || {
      echo "FAIL: seed $seed; its files are $PWD/seed$seed*" >&2
      bad+=("$seed")
    }
  done
  [ ${#bad[@]} = 0 ] || fail "seeds ${bad[*]}"
  cat found
}

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read after common.sh by the tests that hold the dependence profiler against
# the slow reference. Defines
#   check_recording NAME COMMAND...  records COMMAND into NAME.trace; what the
#                                    recorder counted, what is computed from
#                                    the trace and what the reference finds
#                                    must be equal. Leaves NAME.table.
#   granularity, record_options      what it records with [1, none]
#   check_seed SEED                  the same for a random program, from main
#                                    on; odd seeds have threads, some have
#                                    granularities or gaps; listings of every
#                                    fifth only: they are made of the keys
#   check_seeds SEED...              all of them; the failing ones are named
#   thorough                         yes: from their first instruction on, all
#                                    rows of listings [no]

# shellcheck disable=SC2154
reference=$top_builddir/tests/reference/dependences
generate=$top_builddir/tests/programs/random/generate
granularity=1
record_options=()
thorough=no

# same NAME WHAT A B: the files A and B are equal.
same() {
  diff "$3" "$4" >"$1.$2.diff" && rm "$1.$2.diff" && return
  echo "$1: $2: $(grep -c '^[<>]' "$1.$2.diff") lines differ:" >&2
  head -n 6 "$1.$2.diff" >&2
  return 1
}

# The three ways to the dependence keys.
compare_keys() {
  local name=$1 status=0
  "$cdrgrind" dump --format=json "$name.trace" |
    "$reference" --granularity="$granularity" --first --table="$name.table" >"$name.reference" || return 1
  "$cdrgrind" dump --dependences=online "$name.trace" >"$name.online" || return 1
  "$cdrgrind" dump --dependences=trace "$name.trace" >"$name.computed" || return 1
  same "$name" online-computed "$name.online" "$name.computed" || status=1
  same "$name" reference-online "$name.reference" "$name.online" || status=1
  return $status
}

# compare_listings NAME SCOPE: of the program's rows, or of all, which takes a second for the names of what the C library uses.
compare_listings() {
  local name=$1 options=(--carried=no --format=json --class=all --scope="$2")
  "$cdrgrind" annotate "${options[@]}" "$name.trace" >"$name.json" || return 1
  "$cdrgrind" annotate "${options[@]}" --from-trace "$name.trace" >"$name.from-trace.json" || return 1
  same "$name" annotate "$name.json" "$name.from-trace.json"
}

# Status 1 at the first thing that is wrong. (set -e does not hold in here.)
check_recording() {
  local name=$1
  shift
  vg -q --cdr-hide='hidden_*' --cdr-granularity="$granularity" "${record_options[@]}" --cdr-out-file="$name.trace" \
    "$@" </dev/null >"$name.output" 2>"$name.log" || {
    cat "$name.log" >&2
    echo "$name: recording: status $?" >&2
    return 1
  }
  "$cdrgrind" verify "$name.trace" >"$name.verify" || {
    head "$name.verify" >&2
    return 1
  }
  if "$cdrgrind" stats "$name.trace" | grep 'END imprecise: *[1-9]' >&2; then return 1; fi
  compare_keys "$name"
}

# By the seed's last digit.
vary() {
  granularity=1
  record_options=(--toggle-collect=main)
  [ $thorough = no ] || record_options=()
  case $1 in
    *4) granularity=8 ;;
    *5) record_options=() ;;
    *7) record_options=(--toggle-collect="$(sed -n 's/^static u64 \([a-z_]*f[0-9]\)(.*/\1/p' "$2" | tail -n 1)") ;;
    *8) granularity=64 ;;
  esac
}

# A failure keeps all files, else only the table stays.
check_seed() {
  local seed=$1 threads=() name=seed$1 scope=all
  [ $((seed % 2)) = 0 ] || threads=(--threads)
  "$generate" "$seed" "${threads[@]}" >"$name.c"
  # shellcheck disable=SC2046
  "$CC" $(sed -n '1s,// flags: ,,p' "$name.c") -o "$name" "$name.c" || return 1
  vary "$seed" "$name.c"
  check_recording "$name" "./$name" || return 1
  if [ $((seed % 5)) = 0 ]; then
    [ $thorough = yes ] || [ $((seed % 10)) = 5 ] || scope=program
    compare_listings "$name" $scope || return 1
  fi
  mv "$name.table" kept.table
  rm -f "$name" "$name".*
  mv kept.table "$name.table"
}

check_seeds() {
  local seed bad=()
  for seed; do
    check_seed "$seed" || {
      echo "FAIL: seed $seed; its files are $PWD/seed$seed*" >&2
      bad+=("$seed")
    }
  done
  [ ${#bad[@]} = 0 ] || fail "seeds ${bad[*]}"
}

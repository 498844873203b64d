# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read after common.sh by the tests that hold `cdrgrind races' on OpenMP programs against its slow reference. Defines
#   check_team_seeds SEED...   records the random program of each SEED; the races must be those that the reference finds in
#                              the recording. The failing ones are named
command -v python3 >/dev/null || skip "no python3"
unset OMP_NUM_THREADS OMP_SCHEDULE OMP_WAIT_POLICY

# A failure keeps all files.
check_team_seed() {
  local name=teams$1 status=0
  python3 "$top_srcdir/tests/programs/random/teams.py" "$1" >"$name.c" || return 1
  # shellcheck disable=SC2046
  "$CC" $(sed -n '1s,// flags: ,,p' "$name.c") -o "$name" "$name.c" || return 1
  vg -q --deps=no --cdr-dataflow=no --cdr-out-file="$name.trace" "./$name" || return 1
  "$cdrgrind" verify "$name.trace" >"$name.verify" || { head -n 3 "$name.verify" >&2; return 1; }
  # shellcheck disable=SC2154
  "$cdrgrind" dump --format=json --events=block,sync,thread,map,module "$name.trace" |
    OPTIMISED=$(grep -q '^// flags: -O0' "$name.c" || echo yes) python3 "$top_srcdir/tests/reference/strands.py" \
      >"$name.reference" || return 1
  "$cdrgrind" races --atomics=race --adhoc=race --show-artifacts --format=json "$name.trace" >"$name.json" || status=$?
  [ "$status" -le 1 ] || return 1
  python3 "$top_srcdir/tests/e2e/races_compare.py" "$name.json" "$name.reference" >"$name.diff" || {
    echo "$name: $(wc -l <"$name.diff") differences, of $(wc -l <"$name.reference") pairs:" >&2
    head -n 6 "$name.diff" >&2
    return 1
  }
  # As pairs are looked for among very many strands.
  "$cdrgrind" races --by-memory --atomics=race --adhoc=race --show-artifacts --format=json "$name.trace" >"$name.memory" ||
    [ $? = 1 ] || return 1
  python3 "$top_srcdir/tests/e2e/races_compare.py" "$name.memory" "$name.reference" >"$name.diff" || {
    echo "$name, by memory: $(wc -l <"$name.diff") differences:" >&2
    head -n 6 "$name.diff" >&2
    return 1
  }
  awk -v seed="$1" '{ n += $3 } END { print "seed " seed ": " NR " pairs, " n + 0 " instances" }' "$name.reference" >>found
  rm -f "$name" "$name".*
}

check_team_seeds() {
  local seed bad=()
  for seed; do
    check_team_seed "$seed" || {
      echo "FAIL: seed $seed; its files are $PWD/teams$seed*" >&2
      bad+=("$seed")
    }
  done
  [ ${#bad[@]} = 0 ] || fail "seeds ${bad[*]}"
  cat found
}

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read after common.sh by the tests that hold `cdrgrind advise' against the
# slow reference.
#   check_program SEED LEVEL   a random program, compiled with -LEVEL: its
#                              loops and what they carry through memory are
#                              the reference's, and the same however many
#                              threads share the work. A failure keeps its files
#   check_programs SEED...     each at two levels; the failing ones are named
command -v python3 >/dev/null || skip "no python3"
command -v objdump >/dev/null || skip "no objdump"

check_program() {
  local seed=$1 level=$2
  local name=seed$seed.$level
  python3 "$top_srcdir/tests/programs/random/loops.py" "$seed" >"$name.c"
  # The reference does not know where a table of jumps leads to.
  "$CC" -g -w "-$level" -fno-jump-tables -fno-strict-aliasing -o "$name" "$name.c" || return 1
  record "$name" "./$name" || return 1
  "$cdrgrind" advise --format=json --as-compiled --jobs=1 "$name.trace" >"$name.advice" || return 1
  "$cdrgrind" advise --format=json --as-compiled --jobs=$((2 + seed % 5)) "$name.trace" >"$name.shared" || return 1
  cmp "$name.advice" "$name.shared" || return 1
  "$cdrgrind" dump --format=json "$name.trace" >"$name.events" || return 1
  python3 "$top_srcdir/tests/reference/advice.py" "$PWD/$name" "$name.events" "$name.advice" >"$name.wrong" || {
    tail -n 1 "$name.wrong" >&2
    head -n 6 "$name.wrong" >&2
    return 1
  }
  rm -f "$name" "$name".*
}

check_programs() {
  local seed level bad=()
  for seed; do
    for level in O0 O2; do
      check_program "$seed" "$level" || {
        echo "FAIL: seed $seed, -$level; its files are $PWD/seed$seed.$level*" >&2
        bad+=("$seed.$level")
      }
    done
  done
  [ ${#bad[@]} = 0 ] || fail "programs ${bad[*]}"
}

# SPDX-License-Identifier: GPL-2.0-or-later
command -v python3 >/dev/null || skip "no python3"

# check_verdicts SEED…: of loops whose answer is known none is called parallel that is not.
check_verdicts() {
  local seed level
  for seed in "$@"; do
    python3 "$top_srcdir/tests/e2e/advise_verdicts.py" make "$seed" >loops.c
    for level in O0 O1 O2 O3; do
      "${CC:-cc}" -g -w -fno-inline -fno-pie -no-pie -$level -o loops loops.c -lm
      record loops ./loops
      "$cdrgrind" advise --format=json loops.trace >loops.json
      python3 "$top_srcdir/tests/e2e/advise_verdicts.py" check loops.c loops.json $level || fail "seed $seed, -$level"
    done
  done
}

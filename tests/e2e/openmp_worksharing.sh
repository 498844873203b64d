# SPDX-License-Identifier: GPL-2.0-or-later
# Races in OpenMP programs are found by strands, not by the threads that ran them: chunks and sections.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"

check_cases worksharing

# Of loops shared out in chunks, also on one thread.
(
  export OMP_NUM_THREADS=1
  schedule="static, 2" check_compiled worksharing "$CC" -O0
)

# The library linked into the program: its entry points are known by name.
if [ -e "$("$CC" -print-file-name=libgomp.a)" ]; then
  check_compiled worksharing "$CC" -O1 -Wl,--whole-archive -l:libgomp.a -Wl,--no-whole-archive,--as-needed
  ! ldd worksharing.right.program | grep -q libgomp || fail "the library is not linked into the program"
fi

# Bodies of single are strands, whichever threads ran them: where their library does not tell the end, the code does.
check_singles() {
  "$@" -std=gnu11 -g -fopenmp -w -o singles "$top_srcdir/tests/programs/openmp/singles.c" || return 0
  local threads
  for threads in 1 2; do
    OMP_NUM_THREADS=$threads vg -q --deps=no --cdr-dataflow=no --cdr-out-file=singles.trace ./singles >out
    expect 1 "$cdrgrind" races --scope=all --format=json singles.trace >singles.json
    python3 - singles.json <<'END' || fail "single, $*, $threads threads: other verdicts"
import json, sys
races = json.load(open(sys.argv[1]))["races"]
found = {r["variable"] for r in races}
assert found == {"wrong_twice", "wrong_behind", "wrong_master", "wrong_loop"}, found
twice = {s["strand"][: len("a single in thread")] for r in races if r["variable"] == "wrong_twice" for s in (r["first"], r["second"])}
assert twice == {"a single in thread"}, twice
END
  done
}
for level in -O0 -O1 -O2; do check_singles "$CC" $level; done
command -v clang >/dev/null || exit 0
check_singles clang -O0

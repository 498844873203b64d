# SPDX-License-Identifier: GPL-2.0-or-later
# Races in OpenMP programs are found by strands, not by the threads that ran them: tasks, and what only one thread does at a time.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"

check_cases exclusive tasks frames
# Optimised by clang, sections that are much alike are one piece of code without a line.
if command -v clang >/dev/null && clang -fopenmp -o team -x c - <<<'int main(void) { return 0; }'; then
  check_compiled exclusive clang -O1
fi
# Target constructs. Of a region behind another one that had a nowait in it gcc's library may never come to an end, under Valgrind or not;
# so may LLVM's, under Valgrind's tools, of several such constructs. Its team of threads for these is not the program's.
left_out=behind_barrier check_compiled targets "$CC" -O1
# check_one_target STATUS CASE COMPILER FLAG
check_one_target() {
  "${@:3}" -g -fopenmp -w -o target "$top_srcdir/tests/programs/openmp/targets.c"
  vg -q --deps=no --cdr-dataflow=no --cdr-out-file=target.trace ./target "$2" >out
  "$cdrgrind" verify target.trace >verified || fail "$2, $3: $(head -n 3 verified)"
  expect "$1" "$cdrgrind" races --scope=all target.trace >text
}
# shellcheck disable=SC2086 # with its flags
check_targets() {
  local case
  for case in $2; do
    check_one_target 0 $case $1
    check_one_target 1 $case $1 -DWRONG
  done
}
check_targets "$CC" behind_barrier
if command -v clang >/dev/null && clang -fopenmp -o team -x c - <<<'int main(void) { return 0; }'; then
  check_targets clang "between_teams wait_for_nowait in_task"
fi
export OMP_NUM_THREADS=1
check_cases frames

# LLVM's library gives a team of one thread no copy of what is reduced.
if command -v clang >/dev/null && clang -fopenmp -g -w -o sums "$top_srcdir/tests/programs/openmp/tasks.c"; then
  vg -q --deps=no --cdr-dataflow=no --cdr-out-file=sums.trace ./sums taskloop_sum >out
  "$cdrgrind" races --scope=all sums.trace >text || fail "a reduction of tasks on one thread: $(grep '^#' text)"
fi

# Each variable is named as its function has it, and whoever uses it, leaves it and created the task is shown.
python3 - frames.json <<'END' || fail "other uses after return"
import json, sys
found = {}
for r in json.load(open(sys.argv[1]))["races"]:
    if r["labels"].get("after_return"):
        left, use = sorted((r["first"], r["second"]), key=lambda s: s.get("operation") != "return")
        assert left["operation"] == "return" and "operation" not in use, r
        assert use["strand"].startswith("task ") and use["creation"], r
        found[r["variable"]] = left["function"], use["creation"][0]["function"]
want = {"local": "add_one", "grouped": "add_in_group", "ordered": "add_in_turn", "mine": "part_of_team", "left": "fib",
        "grand": "grand_children", "array[…]": "fill", "copied": "copies", "now": "at_once", "gone[7]": "returns_first"}
for variable, function in want.items():
    assert found[f"{variable} of {function}"][0] == function, found
assert found["target of let_set"] == ("let_set", "set"), found
assert len(found) == len(want) + 2 and any(v.startswith("outside of region_ends") for v in found), found
END

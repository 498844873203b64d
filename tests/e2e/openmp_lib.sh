# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read after common.sh by the tests of OpenMP. Defines
#   check_cases GROUP...   of every case of tests/programs/openmp/GROUP.c the right program has no race, and the wrong one
#                          has one, of the program's variable
#   check_artifacts CASES PROGRAM KIND   which races only follow from others
command -v python3 >/dev/null || skip "no python3"
cases=$programs/openmp

unset OMP_SCHEDULE OMP_WAIT_POLICY

# check_kind KIND GROUP COMPILER FLAG...: the same of the right, or the wrong, program that is compiled here. In all loops of
# it with $schedule, if that is set; without the case $left_out, if that is set.
check_kind() {
  local kind=$1 group=$2 compiler=$3 source=$2.source.c
  shift 3
  local flags=(-std=gnu11 -g -fopenmp -w -I"$top_srcdir/tests/programs/openmp" "$@")
  [ "$kind" = right ] || flags+=(-DWRONG)
  if [ -n "${schedule-}" ]; then
    python3 "$top_srcdir/tests/e2e/openmp_schedule.py" "$schedule" "$top_srcdir/tests/programs/openmp/$group.c" >"$source"
  else
    cp "$top_srcdir/tests/programs/openmp/$group.c" "$source"
  fi
  "$compiler" "${flags[@]}" -o "$group.$kind.program" "$source"
  vg -q --deps=no --cdr-dataflow=no --cdr-out-file="$group.$kind" "./$group.$kind.program" ${left_out:+"-$left_out"} >out
  "$cdrgrind" verify "$group.$kind" >verified || fail "$group $kind, $compiler $*: $(head -n 3 verified)"
  "$cdrgrind" races --scope=all --format=json "$group.$kind" >"$group.json" || [ $? = 1 ]
  python3 "$top_srcdir/tests/e2e/openmp_cases.py" "$kind" "$source" "$group.json" ${left_out:+"$left_out"} ||
    fail "$group $kind, $compiler $*, $OMP_NUM_THREADS threads, schedule ${schedule:-as written}: other verdicts"
}

check_compiled() {
  check_kind right "$@"
  check_kind wrong "$@"
}

# All cases run in one process, so they are also found not to race with each other.
check_cases() {
  local group kind
  for group; do
    for kind in right wrong; do
      vg -q --deps=no --cdr-dataflow=no --cdr-out-file="$group.$kind" "$cases/${group}_$kind" >out
      "$cdrgrind" verify "$group.$kind" >verified || fail "$group $kind: $(head -n 3 verified)"
      "$cdrgrind" races --scope=all --format=json "$group.$kind" >"$group.json" || [ $? = 1 ]
      python3 "$top_srcdir/tests/e2e/openmp_cases.py" $kind "$top_srcdir/tests/programs/openmp/$group.c" "$group.json" ||
        fail "$group: other verdicts"
    done
  done
}

# check_artifacts CASES PROGRAM KIND: the verdicts are those of tests/programs/slice/CASES.expect.
check_artifacts() {
  local cases=$top_srcdir/tests/programs/slice/$1
  vg -q --deps=no --cdr-out-file="$1.$3" "$2" "$3" >out
  "$cdrgrind" verify "$1.$3" >verified || fail "$1 $3: $(head -n 3 verified)"
  expect 1 "$cdrgrind" races --adhoc=race --format=json "$1.$3" >"$1.json"
  python3 "$top_srcdir/tests/e2e/openmp_artifacts.py" "$cases.c" "$cases.expect" "$1.json" ||
    fail "$2 $3, $OMP_NUM_THREADS threads: other verdicts"
}

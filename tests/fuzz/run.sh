#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh PROGRAM CORPUS SECONDS [TARGET…]: runs libFuzzer's program on each target (all) for SECONDS seconds. New
# inputs are kept in the current folder, in TARGET.found/, from run to run. The seed is printed, and FUZZ_SEED=N
# repeats it. Status 1 when a target has a finding: the input that shows it is then in TARGET.findings/, and
# belongs into CORPUS once the cause is mended.
set -uo pipefail
program=$1 corpus=$2 seconds=$3
shift 3
[ $# -gt 0 ] || set -- $(ls "$corpus")
seed=${FUZZ_SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
status=0
# libdwarf loses some of its error records in damaged files.
echo 'leak:libdwarf.so' >leaks
for target; do
  # What the sanitizers keep of freed memory counts, too; libFuzzer's own copies of the corpus are small.
  memory=1024 length=16384
  case $target in trace_file | trace_libraries) length=65536 ;; esac
  mkdir -p "$target.found" "$target.findings"
  CDR_FUZZ_TARGET=$target ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:allocator_may_return_null=0:quarantine_size_mb=64} \
    LSAN_OPTIONS=suppressions=leaks:print_suppressions=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
    "$program" -seed="$seed" -max_total_time="$seconds" -timeout=20 -rss_limit_mb="$memory" -malloc_limit_mb=1024 -max_len="$length" \
    -print_final_stats=1 -artifact_prefix="$target.findings/" "$target.found" "$corpus/$target" >"$target.log" 2>&1
  result=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$target.log")
  if [ $result = 0 ]; then
    echo "$target: ${runs:-no} runs in $seconds s, seed $seed: no finding"
  else
    echo "$target: status $result after ${runs:-?} runs, seed $seed; the end of $PWD/$target.log:"
    tail -n 60 "$target.log"
    status=1
  fi
done
exit $status

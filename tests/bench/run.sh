# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh [--runs=N] [--scale=N] [--wall] [KERNEL...]: what recording costs, side by side with Valgrind's none and
# memcheck. Prints for each kernel and configuration the median over N runs [3] of the processor time (--wall: of
# the time by the clock), net of an empty program's; ratios of it; and the largest resident set. --scale=N
# repeats every kernel's work N times [1]. Progress goes to standard error.
set -euo pipefail
export LC_ALL=C

: "${top_builddir:?}" "${VALGRIND:?}" "${VALGRIND_LIB:?}"
programs=$top_builddir/tests/bench/programs
measure=$top_builddir/tests/programs/measure
valgrind=$VALGRIND
[ ! -x "$valgrind.bin" ] || valgrind=$valgrind.bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

runs=3 scale=1 field=1 kernels=()
for argument; do
  case $argument in
    --runs=[1-9]*) runs=${argument#*=} ;;
    --scale=[1-9]*) scale=${argument#*=} ;;
    --wall) field=2 ;;
    -*)
      echo "run.sh: error: $argument: not --runs=N, --scale=N or --wall" >&2
      exit 2
      ;;
    sort_and_hash | matrix_product | recursion_and_lists) kernels+=("$argument") ;;
    *)
      echo "run.sh: error: no kernel $argument" >&2
      exit 2
      ;;
  esac
done
[ ${#kernels[@]} -gt 0 ] || kernels=(sort_and_hash matrix_product recursion_and_lists)

# Arguments: half a second to one under none.
arguments() {
  case $1 in
    empty) ;;
    sort_and_hash) echo 100000 $((40 * scale)) ;;
    matrix_product) echo 200 $((12 * scale)) ;;
    recursion_and_lists) echo 20000 $((20 * scale)) ;;
  esac
}

configurations=(native none memcheck control data full)
declare -A command=(
  [native]=''
  [none]="$valgrind --vgdb=no -q --tool=none"
  [memcheck]="$valgrind --vgdb=no -q --tool=memcheck --leak-check=no"
  [control]="$valgrind --vgdb=no -q --tool=cdrgrind --cdr-out-file=$work/trace --cdr-data=none --deps=no"
  [data]="$valgrind --vgdb=no -q --tool=cdrgrind --cdr-out-file=$work/trace --deps=no"
  [full]="$valgrind --vgdb=no -q --tool=cdrgrind --cdr-out-file=$work/trace"
)
declare -A meaning=(
  [native]='no Valgrind' [none]='--tool=none' [memcheck]='--tool=memcheck --leak-check=no'
  [control]='--cdr-data=none --deps=no' [data]='--deps=no' [full]='the complete trace and dependences'
)

# One line that is written over on a terminal, else a line each.
progress() {
  if [ -t 2 ]; then
    printf '\r%-60s\r' "$1" >&2
  elif [ -n "$1" ]; then
    printf '%s\n' "$1" >&2
  fi
}

median() { sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

# results KERNEL CONFIGURATION: median milliseconds and kilobytes.
results() {
  local file=$work/$1.$2
  for ((i = 1; i <= runs; i++)); do
    progress "$1, $2, run $i of $runs"
    # Words are separated on purpose.
    # shellcheck disable=SC2046,SC2086
    "$measure" ${command[$2]} "$programs/$1" $(arguments "$1") 2>"$work/err" || {
      printf '\n%s\n' "run.sh: error: $1 under $2: $(cat "$work/err")" >&2
      exit 1
    }
    tail -n 1 "$work/err" >>"$file"
  done
  echo "$(cut -d' ' -f$field "$file" | median) $(cut -d' ' -f3 "$file" | median)"
}

declare -A start
echo "Net $([ $field = 1 ] && echo 'processor time' || echo 'time by the clock'), medians of $runs runs, scale $scale."
for c in "${configurations[@]}"; do
  printf '  %-10s%s\n' "$c" "${meaning[$c]}"
  start[$c]=$(results empty "$c")
done
progress ''
printf '\n%-22s%-10s%11s%11s%11s%11s%11s\n' kernel tool 'net ms' 'over none' 'over memch' 'MB' 'start ms'
for kernel in "${kernels[@]}"; do
  declare -A net=() memory=()
  for c in "${configurations[@]}"; do
    result=$(results "$kernel" "$c")
    read -r ms kb <<<"$result"
    read -r start_ms _ <<<"${start[$c]}"
    net[$c]=$(awk -v a="$ms" -v b="$start_ms" 'BEGIN { print (a > b ? a - b : 0) }')
    memory[$c]=$kb
  done
  progress ''
  for c in "${configurations[@]}"; do
    awk -v kernel="$kernel" -v c="$c" -v ms="${net[$c]}" -v none="${net[none]}" -v memcheck="${net[memcheck]}" \
      -v kb="${memory[$c]}" -v start="${start[$c]%% *}" '
      function ratio(a, b) { return b > 0 ? sprintf("%.2f", a / b) : "-" }
      BEGIN { printf "%-22s%-10s%11d%11s%11s%11.1f%11d\n", kernel, c, ms, ratio(ms, none), ratio(ms, memcheck), kb / 1024, start }'
  done
done

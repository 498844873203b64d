# SPDX-License-Identifier: GPL-2.0-or-later
# Every benchmark kernel at a small size is right, and gives the same result with 1, 2, 4 and 8 threads and under the
# recorder; the recordings are sound.
. "$top_srcdir/tests/e2e/common.sh"

kernels=$top_builddir/tests/bench/programs

# alike THREADS KERNEL ARGUMENT...: with that many threads at most.
alike() {
  local most=$1 name=$2 threads
  shift 2
  expect 0 "$kernels/$name" -q "$@" >want
  grep -q "^$name .*result=" want || fail "$name says: $(cat want)"
  for ((threads = 2; threads <= most; threads *= 2)); do
    expect 0 "$kernels/$name" -q "$@" -t $threads >got
    cmp want got || fail "$name with $threads threads: $(cat got)"
  done
  [ "$most" = 1 ] || most=2
  expect 0 vg -q --cdr-out-file="$name.trace" "$kernels/$name" -q "$@" -t $most >got
  cmp want got || fail "$name recorded: $(cat got)"
  expect 0 "$cdrgrind" verify "$name.trace" >verified
}

alike 8 fft -n 64 -r 2
alike 8 lu -n 48
alike 8 lu -n 48 -l rows
alike 8 matrix_product -n 12
alike 8 nest -n 30 -r 3
alike 8 nest -n 30 -r 3 -l barriers
alike 8 particles -n 300 -r 3
alike 8 radix_sort -n 500
alike 8 server -n 3 -r 9
alike 8 sor -n 10 -r 12
alike 8 water -n 12 -r 10
alike 1 one_by_one -r 5
alike 1 recursion_and_lists -n 300
alike 1 sort_and_hash -n 300

# Sizes that a kernel cannot do, and what is no option, are refused.
expect 2 "$kernels/fft" -n 60 2>err
expect 2 "$kernels/lu" -n 40 2>err
expect 2 "$kernels/lu" -l columns 2>err
expect 2 "$kernels/nest" -l both 2>err
expect 2 "$kernels/one_by_one" -t 2 2>err
expect 2 "$kernels/server" -n 51 2>err
expect 2 "$kernels/sor" -t 9 2>err
expect 2 "$kernels/sort_and_hash" -t 2 2>err
expect 2 "$kernels/water" -x 1 2>err

# advise has a line for each of the loops that advised.py puts it at.
if command -v python3 >/dev/null; then
  python3 "$top_srcdir/tests/bench/advised.py" "$cdrgrind" "$top_srcdir/tests/bench/programs/advised.c" advised 0
  [ "$(grep -c '^#pragma omp parallel for' advised/lines.c)" = 5 ] || fail "advised: $(grep '^#pragma' advised/lines.c)"
fi

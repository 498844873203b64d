# SPDX-License-Identifier: GPL-2.0-or-later
# As seek_random.sh, at the sizes of Goel, Roychoudhury and Mitra (2003), with more places.
. "$top_srcdir/tests/e2e/common.sh"

kernels=$top_builddir/tests/bench/programs
check() {
  local name=$1
  shift
  vg -q --deps=no --cdr-out-file=trace "$kernels/$name" -q "$@" >/dev/null
  expect 0 "$programs/seek_check" trace 3000 "${SEED:-$RANDOM}"
}

check fft -n 65536 -t 4
check lu -n 256 -t 4
check sor -n 100 -t 2
check particles -n 50000 -t 2
check water -n 64 -t 4
# More blocks than an epoch has.
check recursion_and_lists -r 4

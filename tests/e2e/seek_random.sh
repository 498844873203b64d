# SPDX-License-Identifier: GPL-2.0-or-later
# Random places of recorded kernels, 130,000 to a million events each, are those that reading finds: regular and data-dependent
# ones, with locks and barriers, as grammars and predicted, in one epoch and in several.
. "$top_srcdir/tests/e2e/common.sh"

kernels=$top_builddir/tests/bench/programs
# check SEED OPTIONS KERNEL ARGUMENT...
check() {
  local seed=$1 options=$2 name=$3
  shift 3
  # shellcheck disable=SC2086
  vg -q --deps=no $options --cdr-out-file=trace "$kernels/$name" -q "$@" >/dev/null
  expect 0 "$cdrgrind" verify trace >verified
  expect 0 "$programs/seek_check" trace 400 "$seed"
}

check 1 '' lu -n 64 -t 2
check 2 --cdr-chunk-blocks=100000 particles -n 2000 -r 3 -t 2
check 3 '--cdr-chunk-blocks=50000 --cdr-control=predict' water -n 16 -r 4 -t 2
check 4 --cdr-control=grammar recursion_and_lists -n 2000
check 5 '--cdr-control=predict --cdr-chunk-blocks=70000' recursion_and_lists -n 2000
# As recorded by default, both forms in turn.
check 6 '' recursion_and_lists -n 8000

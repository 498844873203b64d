# SPDX-License-Identifier: GPL-2.0-or-later
# What sync, sharing and patterns say of the benchmark kernels is what slow counts over the dumped events say.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

kernels=$top_builddir/tests/bench/programs
counted() { # KERNEL ARGUMENT...
  local name=$1 command
  shift
  vg -q --deps=no --toggle-collect=main --cdr-out-file=trace "$kernels/$name" -q -t 2 "$@" >/dev/null
  "$cdrgrind" dump --format=json trace >events
  for command in sync 'sharing --all' patterns; do
    # shellcheck disable=SC2086
    "$cdrgrind" $command --format=json trace >json
    python3 "$top_srcdir/tests/reference/${command%% *}.py" events json || fail "$name: $command"
  done
}

counted lu -n 32
counted water -n 8 -r 2
counted radix_sort -n 300
counted sor -n 10 -r 4
counted particles -n 200 -r 2
counted fft -n 64

# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings, and files changed behind their checksums, through every command in 1 GB: see mutants.py.
. "$top_srcdir/tests/e2e/mutants_lib.sh"
command -v python3 >/dev/null || skip "no python3"

vg -q --cdr-out-file=hello.trace --cdr-chunk-blocks=5000 "$programs/hello" >/dev/null
vg -q --cdr-out-file=coroutines.trace "$programs/corners/switches" >/dev/null
mutants 1 14 "$top_srcdir/tests/traces/v1/threads.trace" "$top_srcdir/tests/traces/v3/chain.trace" hello.trace \
  coroutines.trace

# SPDX-License-Identifier: GPL-2.0-or-later
# Accesses as a table, 10^8 of them, of programs whose addresses are regular and are not: memory does not grow with them, debug
# information of the C library included where it is installed.
. "$top_srcdir/tests/e2e/common.sh"
command -v zstd >/dev/null || skip "no zstd"

# exported MB KERNEL ARGUMENTS...
exported() {
  local most=$1 kernel=$2 rows
  shift 2
  vg -q --deps=no --cdr-out-file=kernel.trace "$top_builddir/tests/bench/programs/$kernel" -q "$@" >/dev/null </dev/null
  measured peak "$cdrgrind" export kernel.trace --table=accesses -o tables
  rows=$(sed -n 's/.*"rows": *\([0-9]*\).*/\1/p' tables/accesses.json)
  echo "$kernel: $rows accesses, $(cat peak) MB"
  [ "$rows" -ge 90000000 ] || fail "only $rows accesses"
  [ "$(zstd -dc tables/accesses.csv.zst | wc -l)" = $((rows + 1)) ] || fail "another number of lines"
  [ "$(cat peak)" -le "$most" ] || fail "it takes $(cat peak) MB"
}
exported 64 sor -r 2000
exported 64 recursion_and_lists -r 8

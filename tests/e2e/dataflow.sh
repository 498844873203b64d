# SPDX-License-Identifier: GPL-2.0-or-later
# What goes into what, in superblocks that are known: the summaries that the recorder makes equal those made by hand
# (tests/programs/dataflow/flows.expect). And the option that leaves them out.
. "$top_srcdir/tests/e2e/common.sh"

flows=$top_srcdir/tests/programs/dataflow/flows.expect
vg -q --cdr-out-file=flows.trace "$programs/dataflow/flows"
"$cdrgrind" verify flows.trace >verify || fail "$(cat verify)"
"$cdrgrind" dump --dataflow flows.trace >all
nm "$programs/dataflow/flows" | awk '$2 == "T" { print $1, $3 }' >symbols

# The superblocks at the address of a function that the file of expectations names, in its order.
awk '
  FILENAME == "symbols" { at[$2] = $1; next }
  FILENAME == "all" && /^superblock/ { here = sprintf("%16s", substr($2, 3)); gsub(/ /, "0", here); next }
  FILENAME == "all" { text[here] = text[here] $0 "\n"; next }
  /^superblock/ { printf "%s\n%s", $0, text[at[$2]] }
' symbols all "$flows" >got
grep -v '^#' "$flows" >want
diff -u want got || fail "other flow than expected"

vg -q --cdr-out-file=without.trace --cdr-dataflow=no "$programs/dataflow/flows"
expect 3 "$cdrgrind" dump --dataflow without.trace 2>err
grep -q 'there are no data-flow summaries' err || fail "$(cat err)"
"$cdrgrind" dump --events=block,access flows.trace >with
"$cdrgrind" dump --events=block,access without.trace >without
cmp with without

# SPDX-License-Identifier: GPL-2.0-or-later
# Lines whose dependences are known by heart.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/recording.sh"

record dependences
rows dependences >dependences.rows
at() { line dependences "/* $1 */"; }
dependence() { grep -qxE -- "$1" dependences.rows || fail "not there: $1; there are:
$(cat dependences.rows)"; }

# lock; x++; y = x; unlock: from line to line, no call in between is to blame.
dependence "RAW o under_lock $(at add) $(at copy) 1"
[ "$(grep -cE " $(at add)c? $(at copy)" dependences.rows)" = 1 ] || fail "more than one: $(cat dependences.rows)"

# t = malloc(8); t->val = 1; u = t->val.
dependence "RAW o through_the_heap $(at set) $(at get) 1"
dependence "RAW s through_the_heap $(at make) $(at set) 1"

# Two calls of malloc, and of free: nothing that is shown connects them; everything that does is hidden.
for pair in 'malloc one/malloc two' 'free one/free two' 'malloc one/free one' 'malloc two/free one'; do
  ! grep -E " $(at "${pair%/*}")[ch] $(at "${pair#*/}")[ch] " dependences.rows || fail "$pair is shown"
done
rows dependences --class=all | grep -qE " two_calls $(at 'malloc one')h $(at 'malloc two')h " || fail "hidden ends are not found with --class=all"

# Locals in the red zone, below SP, of a function that runs are on its stack.
dependence "RAW s leaf $(at double) $(at 'double again') 2"
dependence "RAW s leaf $(at 'double again') $(at result) 2"
# Between its two executions their place was given up.
rows dependences --class=f >false.rows
grep -qE "^(WAW|WAR) f main [0-9]+c [0-9]+c " false.rows || fail "no false dependence between two calls of leaf: $(cat false.rows)"

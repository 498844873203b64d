# SPDX-License-Identifier: GPL-2.0-or-later
# Where two runs of 10^9 blocks part, late, whose paths have no grammar and whose epochs do not begin at the same places:
# found to the block, and within 100 MB.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

cat >late.c <<'C'
#include <stdlib.h>
volatile long other, sum, mixed, few;
int main(int argc, char **argv) {
  unsigned long x = 88172645463325252ul;
  const long n = atol(argv[1]), last = atol(argv[2]);
  for (long i = 0; i < n; i++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    if (i == last)
      other++; /* ONCE */
    if (x & 1) sum += x;
    else mixed ^= x;
    if (x & 6) few++;
    else if (x & 64) mixed += i;
  }
}
C
"${CC:-cc}" -g -O1 -o late late.c
vg -q --deps=no --cdr-out-file=old.trace ./late 210000000 205000000 </dev/null
# Longer words, so other blocks in the C library before main.
vg -q --deps=no --cdr-out-file=new.trace ./late 0000210000000 -00000000001 </dev/null
blocks=$("$cdrgrind" stats --format=json old.trace | python3 -c 'import json, sys; print(json.load(sys.stdin)["totals"]["blocks"])')
[ "$blocks" -ge 1000000000 ] || fail "only $blocks blocks"

start=$SECONDS
expect 1 measured peak "$cdrgrind" diff --parts=paths --format=json old.trace new.trace >found.json
echo "$blocks blocks: $((SECONDS - start)) s, $(cat peak) MB"
once=$(grep -n ONCE late.c | cut -d: -f1)
"$cdrgrind" dump --at-line=late.c:"$once" --count=1 old.trace >place
python3 - found.json place "$once" <<'PYTHON' || fail "found elsewhere"
import json, re, sys
[at] = json.load(open(sys.argv[1]))["control"]["divergence"]
blocks = int(re.search(r"(\d+) blocks", open(sys.argv[2]).read())[1])
assert at["old"]["line"] == int(sys.argv[3]) != at["new"]["line"], at
# The block before, which ends with the branch.
assert at["old_block"] == blocks - 1, (at["old_block"], blocks)
assert at["new_block"] != at["old_block"] and at["equal"] > 900_000_000, at
PYTHON
[ "$(cat peak)" -le 100 ] || fail "it takes $(cat peak) MB"

# SPDX-License-Identifier: GPL-2.0-or-later
# `annotate --carried`: marks what `advise` says that loops carry, and nothing else; what is known of simple loops.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

for level in O0 O2; do
  record $level "$programs/advise/cases_$level"
  "$cdrgrind" annotate --class=all --objects=no --scope=program --format=json $level.trace >$level.json
  "$cdrgrind" advise --format=json $level.trace >$level.advice
  python3 "$top_srcdir/tests/e2e/annotate_carried.py" $level.json $level.advice || fail "$level"
done

# Known answers, in the table and at the arrows' heads.
cat >known.c <<'END'
int a[100], b[100], sum;
int main(void) {
  for (int i = 1; i < 100; i++)
    a[i] = a[i - 1] + 2;
  for (int i = 0; i < 90; i++)
    b[i + 4] = b[i] + a[i];
  for (int i = 0; i < 100; i++)
    sum += b[i];
  int twice = sum;
  twice += sum;
  return twice == 1;
}
END
${CC:-cc} -g -O0 -o known known.c
record known ./known
LC_ALL=C.UTF-8 "$cdrgrind" annotate --color=never --class=o known.trace >known.text
grep -qF '↻ from an earlier iteration of a loop  = within a line' known.text
# with_lines FROM TO: the kind and what loops carry of it.
with_lines() { awk -v from="$1" -v to="$2" '$3 == from && $4 == to { $2 = $3 = $4 = $5 = ""; print }' known.text | tr -s ' '; }
[ "$(with_lines 4 4)" = "RAW 3 by 1 a[…]" ] || fail "a: $(with_lines 4 4)"
[ "$(with_lines 4 6)" = "RAW a[…]" ] || fail "not carried: $(with_lines 4 6)"
[ "$(with_lines 6 6)" = "RAW 5 by 4 b[…]" ] || fail "b: $(with_lines 6 6)"
[ "$(with_lines 8 8)" = "RAW 7 by 1 sum
WAR sum
WAW 7 by 1 sum" ] || fail "sum: $(with_lines 8 8)"
grep -Eq '↻ +4  ' known.text && grep -Eq '↻ +8  ' known.text || fail "no mark in the listing"
"$cdrgrind" annotate --carried=no --class=o known.trace >not.text
! grep -q 'from earlier' not.text || fail "--carried=no looks"
"$cdrgrind" annotate --carried=no --format=json known.trace >not.json
! grep -q '"carried"' not.json || fail "--carried=no looks, in JSON"

# What an optimising compiler moves out of a loop gets the loop's line, which does not speak of it.
cat >moved.c <<'END'
int sum, most = 90, a[100];
int main(void) {
  for (int i = 0; i < 100; i++)
    a[i] = i;
  for (int i = 0; i < 100; i++)
    sum += a[i];
  for (int i = most; i < 100; i++)
    sum -= a[i];
  most = sum;
  return most == 0;
}
END
${CC:-cc} -g -O1 -fno-tree-vectorize -fno-pie -no-pie -o moved moved.c
record moved ./moved
LC_ALL=C.UTF-8 "$cdrgrind" annotate --color=never --class=o moved.trace >moved.text
cat moved.text
grep -qF ', ~ moved by the compiler' moved.text
if [ "$(known_compiler moved)" = known ]; then
  grep -qE '^  WAW   o +5 ~ +7 ~ +1  sum$' moved.text || fail "not marked"
fi
# What lines without a mark say is so: the body's, and the header's own variable.
! grep -E '^  (RAW|WAR|WAW) .* [46] ~| most$' moved.text | grep -F '~' || fail "marked, and was not moved"
# The document says the same of each end as the text.
"$cdrgrind" annotate --format=json --class=o moved.trace >moved.json
python3 - moved.json moved.text <<'PYTHON'
import json, re, sys
text = {}
for line in open(sys.argv[2], encoding="utf-8"):
    if m := re.match(r"  (RAW|WAR|WAW) +o +(\d+) ([~ ])?.*? (\d+) ([~ ])? ", line):
        text[m[1], int(m[2]), int(m[4])] = [side for side, mark in (("source", m[3]), ("target", m[5])) if mark == "~"]
rows = {(r["kind"], r["source"]["line"], r["target"]["line"]): r["moved"]
        for r in json.load(open(sys.argv[1]))["dependences"] if r["class"] == "o" and r["source"]["file"].endswith("/moved.c")}
assert len(rows) >= 3 and rows == text, (rows, text)
PYTHON
"$cdrgrind" annotate --format=json --carried=no moved.trace >moved.json
! grep -q '"moved"' moved.json || fail "moved, and loops were not looked at"

# Where there are no addresses there is nothing to look at.
record none ./known --cdr-data=none
refused 3 'recorded with --cdr-data=none' annotate --carried=yes none.trace

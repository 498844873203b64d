# SPDX-License-Identifier: GPL-2.0-or-later
# `annotate --objects=count`: objects and counts of rows against the slow reference, by the addresses of what small
# programs know; whichever way the dependences were found; what the text says.
. "$top_srcdir/tests/e2e/common.sh"
for needed in python3 addr2line; do
  command -v $needed >/dev/null || skip "no $needed"
done

# What a program knows it writes down on the side, and tells at the end. The code stands behind its own: addr2line may take
# that of a header for another file's.
cat >known.h <<'END'
#include <stdio.h>
#include <stdlib.h>
#define KNOW(kind, line, member, at, size) know(kind, line, member, (void *)(at), size)
static void know(const char *kind, int line, const char *member, void *at, unsigned long size);
static void tell(void);
END
cat >known.part <<'END'
static struct { const char *kind, *member; int line; void *at; unsigned long size; } known[1000];
static int known_count;
static void know(const char *kind, int line, const char *member, void *at, unsigned long size) {
  for (int i = 0; i < known_count; i++)
    if (known[i].at == at && known[i].member == member) return;
  known[known_count].kind = kind, known[known_count].line = line, known[known_count].member = member;
  known[known_count].at = at, known[known_count++].size = size;
}
static void tell(void) {
  for (int i = 0; i < known_count; i++) {
    printf("%s ", known[i].kind);
    if (known[i].line) printf("%d ", known[i].line);
    printf("%s %lx %lu\n", known[i].member, (unsigned long)known[i].at, known[i].size);
  }
}
END

# What is in registers is no data. An access across two variables belongs to the lower one that it depends in.
cat >globals.c <<'END'
#include "known.h"
long whole, table[16];
struct cell { int left, right; } grid[8];
struct { short low, high; } pair;
static long *const ways[] = {&table[3], &whole, &table[7], &table[3], &whole};
static void add(register int *to, register int n) {
  *to += n;
}
static void half(register short *at) {
  *at += 1;
}
int main(void) {
  register int turn, i;
  for (turn = 0; turn < 3; turn++)
    for (i = 0; i < 5; i++)
      *ways[i] += i; /* COUNTED */
  for (i = 0; i < 8; i++) {
    add(&grid[i].left, i); /* COUNTED */
    add(&grid[i].left, 1); /* COUNTED */
    add(i % 3 ? &grid[i].left : &grid[i].right, 2); /* COUNTED */
    add(&grid[i].right, 3); /* COUNTED */
  }
  for (i = 0; i < 7; i++) {
    half(i % 3 ? &pair.high : &pair.low); /* COUNTED */
    *(int *)&pair += 1; /* COUNTED */
  }
  KNOW("global", 0, "whole", &whole, sizeof whole);
  KNOW("global", 0, "table[…]", table, sizeof table);
  KNOW("global", 0, "ways[…]", ways, sizeof ways);
  KNOW("global", 0, "pair.low", &pair.low, sizeof pair.low);
  KNOW("global", 0, "pair.high", &pair.high, sizeof pair.high);
  for (i = 0; i < 8; i++) {
    KNOW("global", 0, "grid[…].left", &grid[i].left, sizeof(int));
    KNOW("global", 0, "grid[…].right", &grid[i].right, sizeof(int));
  }
  tell();
  return 0;
}
END
# Two lists that one function makes, told apart by who asked for them.
cat >lists.c <<'END'
#include "known.h"
struct node { struct node *next; long value; };
static struct node *push(register struct node *first, register long value, int line) {
  register struct node *n = malloc(sizeof *n);
  KNOW("heap", line, "n->next", &n->next, sizeof n->next);
  KNOW("heap", line, "n->value", &n->value, sizeof n->value);
  n->value = value;
  n->next = first;
  return n;
}
static long walk(register struct node *first) {
  register long sum = 0;
  for (; first; first = first->next) /* COUNTED */
    sum += ++first->value; /* COUNTED */
  return sum;
}
int main(void) {
  register struct node *one = NULL, *other = NULL;
  register int i, turn;
  register long sum = 0;
  for (i = 0; i < 12; i++) {
    one = push(one, i, __LINE__);
    if (i % 3 == 0)
      other = push(other, i, __LINE__);
  }
  for (turn = 0; turn < 5; turn++)
    sum += walk(turn % 3 ? one : other); /* COUNTED */
  tell();
  return sum == 0;
}
END
# Variables of activations that are open, by their function and place.
cat >frames.c <<'END'
#include "known.h"
static void touch(register long *to) {
  *to += 1;
}
static void nest(register int depth, register long *outer) {
  long own[2] = {0, 0}, last = 0;
  register int i, k;
  KNOW("stack", 0, "nest own[…]", own, sizeof own);
  KNOW("stack", 0, "nest last", &last, sizeof last);
  for (i = 0; i < 3; i++)
    for (k = 0; k < 4; k++)
      *(k == 0 ? &own[i & 1] : k == 1 ? &last : outer) += i; /* COUNTED */
  if (depth > 0)
    nest(depth - 1, depth % 2 ? &last : outer);
}
int main(void) {
  long total = 0, rest = 0;
  register int i;
  KNOW("stack", 0, "main total", &total, sizeof total);
  KNOW("stack", 0, "main rest", &rest, sizeof rest);
  for (i = 0; i < 2; i++)
    nest(5, &total);
  for (i = 0; i < 9; i++)
    touch(i % 4 ? &total : &rest); /* COUNTED */
  tell();
  return 0;
}
END
# More than eight in one row.
cat >many.c <<'END'
#include "known.h"
long v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, va, vb;
static long *const all[] = {&v0, &v1, &v2, &v3, &v4, &v5, &v6, &v7, &v8, &v9, &va, &vb};
static const char *const names[] = {"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "va", "vb"};
int main(void) {
  register int turn, i;
  for (turn = 0; turn < 14; turn++)
    for (i = 0; i < 12; i++)
      if (turn < 2 || (turn + i) % 5 < 2)
        *all[i] += turn; /* COUNTED */
  for (i = 0; i < 12; i++)
    KNOW("global", 0, names[i], all[i], sizeof(long));
  tell();
  return 0;
}
END

# compared NAME WANT: rows that were compared object by object, of these with several objects, with others.
compared() {
  local name=$1 want=$2
  cat known.part >>"$name.c"
  "$CC" -g -O0 -fno-pie -no-pie -o "$name" "$name.c"
  vg -q --cdr-out-file="$name.trace" "./$name" >"$name.known"
  "$cdrgrind" dump --format=json "$name.trace" | "$top_builddir/tests/reference/dependences" --hits="$name.hits" >/dev/null
  "$cdrgrind" annotate --objects=count --class=all --carried=no --format=json "$name.trace" >"$name.json"
  python3 "$top_srcdir/tests/e2e/annotate_objects.py" "$name" "$name.c" "$name.hits" "$name.known" "$name.json" >got ||
    fail "$name"
  [ "$(cat got)" = "$want" ] || fail "$name: compared $(cat got), not $want"
}
compared globals "16 9 0"
compared lists "9 7 0"
compared frames "11 7 0"
compared many "3 3 3"

# The same whichever way the dependences were found.
count() { "$cdrgrind" annotate --objects=count --carried=no --format=json "$@"; }
vg -q --deps=later --helper=no --cdr-out-file=later.trace ./lists >later.known
count lists.trace >online.json
count later.trace >later.json
count --from-trace --jobs=3 later.trace >computed.json
cmp online.json later.json && cmp online.json computed.json || fail "other counts"
# Several threads; every row's counts are the row's.
record threads "$examples/pipeline"
count --class=all threads.trace >threads.json
python3 - threads.json <<'PYTHON'
import json, sys
rows = json.load(open(sys.argv[1]))["dependences"]
assert len(rows) > 100 and all(sum(o["count"] for o in r["objects"]) + r["others"] == r["count"] for r in rows)
assert any("threads" in r and len(r["objects"]) > 1 for r in rows)
PYTHON

# Text: the most frequent first, others, who asked for blocks with the same name.
export LC_ALL=C.UTF-8
shown() { "$cdrgrind" annotate --color=never --carried=no --objects=count "$1.trace"; }
shown many >many.text
grep -qE '^  RAW   o +10    10 +68  v3 \(7\), v2 \(6\), v4 \(6\), v7 \(6\), others \(43\)$' many.text || fail "$(cat many.text)"
shown lists >lists.text
asked() { grep -n "$1 = push" lists.c | cut -d: -f1; }
grep -qF "n->value, block at lists.c:4 from lists.c:$(asked one) (24), n->value, block at lists.c:4 from lists.c:$(asked other) (4)" \
  lists.text || fail "$(cat lists.text)"
! grep -q -- '--objects=count' many.text lists.text || fail "a hint at what was done"
"$cdrgrind" annotate --color=never --carried=no many.trace >many.text
[ "$(grep -c -- '--objects=count' many.text)" = 1 ] || fail "no hint: $(cat many.text)"
"$cdrgrind" annotate --color=never --objects=count --summary many.trace | grep -q 'main  (many.c:12 to 12, known_count)$'

# What cannot be counted.
record none ./many --cdr-data=none
refused 3 'recorded with --cdr-data=none: it has no addresses, so nothing can be counted' annotate --objects=count none.trace
vg -q --deps=auto --helper=no --cdr-data=nonstack --cdr-out-file=nonstack.trace ./frames >/dev/null
refused 3 'nonstack.trace: the dependences in it are not those of its events.*try --from-trace' \
  annotate --objects=count nonstack.trace
ends 0 "$cdrgrind" annotate --objects=count --from-trace --class=all --format=json nonstack.trace

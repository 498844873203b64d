# SPDX-License-Identifier: GPL-2.0-or-later
# Blocks whose pointer went straight into a member of something that a pointer leads to have names by that member.
. "$top_srcdir/tests/e2e/common.sh"

cat >members.c <<'END'
#include <pthread.h>
#include <stdlib.h>

struct leaf { long u, v; };
struct tree { long count; struct { struct leaf *first, *more; } in; struct tree* next; };
struct tree* root;

static void* touch(void* at) { return ++*(volatile long*)at, at; }
static void race_on(void* at) {
  pthread_t a, b;
  pthread_create(&a, 0, touch, at);
  pthread_create(&b, 0, touch, at);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
__attribute__((noinline)) static void fill(struct tree* q, struct leaf** out, long n) {
  q->in.first = malloc(sizeof(struct leaf));      /* q->in.first->v */
  race_on(&q->in.first->v);
  q->in.more = calloc(n, sizeof(struct leaf));    /* q->in.more[2].u */
  race_on(&q->in.more[2].u);
  root->in.first = malloc(sizeof(struct leaf));   /* root->in.first->u */
  race_on(&root->in.first->u);
  q->next->next = malloc(sizeof(struct tree));    /* q->next->next->count */
  race_on(&q->next->next->count);
  *out = malloc(sizeof(struct leaf));             /* (*out)->v */
  race_on(&(*out)->v);
}
int main(void) {
  struct leaf* last;
  struct tree *q = malloc(sizeof *q), *next = malloc(sizeof *next);
  root = next;
  q->next = next;
  fill(q, &last, 5);
  return !last;
}
END
sed -n 's,.*/\* \([^ ]*\) \*/$,\1,p' members.c | sort >want
for flags in -O0 -O2; do
  "$CC" -g $flags -pthread -o members members.c
  vg -q --deps=no --cdr-out-file=members.out ./members
  expect 1 "$cdrgrind" races --format=json members.out >members.json
  grep -o '"variable":"[^"]*"' members.json | sed 's/.*:"\(.*\)"/\1/; s/, block at members\.c:[0-9]*$//' | sort -u >names
  cmp want names || fail "$flags: $(cat names)"
done

/* SPDX-License-Identifier: GPL-2.0-or-later
 * The lines whose dependences are known by heart: see dependences.sh. */
#include <pthread.h>
#include <stdlib.h>

struct item {
  int val;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x, y, u;

void under_lock(void) {
  pthread_mutex_lock(&mutex);
  x++;   /* add */
  y = x; /* copy */
  pthread_mutex_unlock(&mutex);
}

void through_the_heap(void) {
  struct item* t = malloc(8); /* make */
  t->val = 1;                 /* set */
  u = t->val;                 /* get */
  free(t);
}

void two_calls(void) {
  void* one = malloc(24); /* malloc one */
  void* two = malloc(24); /* malloc two */
  free(one);              /* free one */
  free(two);              /* free two */
}

/* Without optimisation its locals lie below SP. */
int leaf(int a) {
  int twice = a + a;    /* double */
  int four = twice * 2; /* double again */
  return four;          /* result */
}

int main(void) {
  under_lock();
  through_the_heap();
  two_calls();
  leaf(1);
  leaf(2);
  return 0;
}

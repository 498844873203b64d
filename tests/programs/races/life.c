/* SPDX-License-Identifier: GPL-2.0-or-later
 * Threads: creation, exit, join, detach; once; orders of the program's own; hide regions. */
#include "order.h"

static int given;
static void *given_to(void *p) { (void)p; given = 2; return 0; }

static int while_child_runs;
static void *child_of(void *p) { (void)p; while_child_runs = 1; done(0); return 0; }

static int joined;
static void *joined_by(void *p) { (void)p; joined = 1; return 0; }

static int detached;
static void *detached_one(void *p) { (void)p; detached = 1; done(1); return 0; }

static int not_joined;
static void *not_joined_one(void *p) { (void)p; not_joined = 1; done(2); return 0; }

static int exited;
static void leave(void) { exited = 1; pthread_exit(0); }
static void *exiting(void *p) { (void)p; leave(); return 0; }

static int destroyed;
static pthread_key_t key;
static void destroy(void *p) { *(int *)p = 1; }
static void *with_key(void *p) { (void)p; pthread_setspecific(key, &destroyed); return 0; }

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made_once;
static void make(void) { made_once = 1; }
static void made_once_1(void) { pthread_once(&once, make); int x = made_once; (void)x; }
static void made_once_2(void) { pthread_once(&once, make); int x = made_once; (void)x; }

static int beside_once;
static void make_nothing(void) {}
static void beside_once_1(void) { static pthread_once_t o = PTHREAD_ONCE_INIT; pthread_once(&o, make_nothing); beside_once = 1; }
static void beside_once_2(void) { beside_once = 2; }

static int annotated, channel;
static void annotated_1(void) { annotated = 1; CDRGRIND_HAPPENS_BEFORE(&channel); }
static void annotated_2(void) { CDRGRIND_HAPPENS_AFTER(&channel); annotated = 2; }

static int announced_late;
static void announced_late_1(void) { CDRGRIND_HAPPENS_BEFORE(&channel); announced_late = 1; }
static void announced_late_2(void) { CDRGRIND_HAPPENS_AFTER(&channel); announced_late = 2; }

static int hidden;
static void hidden_1(void) { CDRGRIND_HIDE_BEGIN; hidden = 1; CDRGRIND_HIDE_END; }
static void hidden_2(void) { hidden = 2; }

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int lock_hidden;
static void lock_hidden_1(void) { CDRGRIND_HIDE_BEGIN; pthread_mutex_lock(&m); CDRGRIND_HIDE_END; lock_hidden = 1; CDRGRIND_HIDE_BEGIN; pthread_mutex_unlock(&m); CDRGRIND_HIDE_END; }
static void lock_hidden_2(void) { pthread_mutex_lock(&m); lock_hidden = 2; pthread_mutex_unlock(&m); }

/* Figure 7 of the paper and its relatives: what a read saw orders, if one asks. */
static int flag, data;
static void data_1(void) { data = 5; flag = 1; }
static void data_2(void) { if (flag) { int x = data; (void)x; } }

static int x_first, y_second;
static void apart_1(void) { x_first = 1; y_second = 1; }
static void apart_2(void) { int a = x_first, b = y_second; (void)a; (void)b; }

int main(void) {
  pthread_t t;
  pthread_attr_t attributes;
  prepare();

  given = 1;
  pthread_create(&t, 0, given_to, 0);
  pthread_join(t, 0);

  pthread_create(&t, 0, child_of, 0);
  await(0);
  while_child_runs = 2;
  pthread_join(t, 0);

  pthread_create(&t, 0, joined_by, 0);
  pthread_join(t, 0);
  joined = 2;

  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &attributes, detached_one, 0);
  await(1);
  detached = 2;

  pthread_create(&t, 0, not_joined_one, 0);
  pthread_detach(t);
  await(2);
  not_joined = 2;

  pthread_create(&t, 0, exiting, 0);
  pthread_join(t, 0);
  exited = 2;

  pthread_key_create(&key, destroy);
  pthread_create(&t, 0, with_key, 0);
  pthread_join(t, 0);
  destroyed = 2;

  in_turn(made_once_1, made_once_2);
  in_turn(beside_once_1, beside_once_2);
  in_turn(annotated_1, annotated_2);
  in_turn(announced_late_1, announced_late_2);
  in_turn(hidden_1, hidden_2);
  in_turn(lock_hidden_1, lock_hidden_2);
  in_turn(data_1, data_2);
  in_turn(apart_1, apart_2);
  return 0;
}

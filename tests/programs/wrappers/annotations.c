/* SPDX-License-Identifier: GPL-2.0-or-later
 * The order that a program tells, by cdrgrind's header and by those of Valgrind's race detectors. What a thread
 * hides is not logged: nested regions, an operation entered before a region or inside it, one that it never
 * ends. */
#include <pthread.h>
#include <stdio.h>
#include <valgrind/helgrind.h>

#include "include/cdrgrind/cdrgrind.h"

void annotate_for_drd(void* object);

int queue, list, table;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, secret = PTHREAD_MUTEX_INITIALIZER;
pthread_once_t hides = PTHREAD_ONCE_INIT, shows = PTHREAD_ONCE_INIT;

static void touch(pthread_mutex_t* mutex) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
}

static void hide(void) { CDRGRIND_HIDE_BEGIN; }
static void show(void) { CDRGRIND_HIDE_END; }

static void nested_regions(void) {
  CDRGRIND_HIDE_END; /* of no region */
  touch(&lock);
  CDRGRIND_HIDE_BEGIN;
  touch(&secret);
  CDRGRIND_HIDE_BEGIN;
  touch(&secret);
  CDRGRIND_HIDE_END;
  touch(&secret);
  CDRGRIND_HAPPENS_BEFORE(&secret);
  CDRGRIND_HIDE_END;
  touch(&lock);
}

/* An operation is logged as it began. */
static void across(void) {
  pthread_once(&hides, hide);
  touch(&secret);
  pthread_once(&shows, show);
  touch(&lock);
}

static void* never_ends(void* argument) {
  CDRGRIND_HIDE_BEGIN;
  touch(&secret);
  return argument;
}

int main(void) {
  pthread_t thread;
  CDRGRIND_HAPPENS_BEFORE(&queue);
  CDRGRIND_HAPPENS_AFTER(&queue);
  ANNOTATE_HAPPENS_BEFORE(&list);
  ANNOTATE_HAPPENS_AFTER(&list);
  annotate_for_drd(&table);
  nested_regions();
  across();
  pthread_create(&thread, NULL, never_ends, NULL);
  pthread_join(thread, NULL);
  touch(&lock);
  puts("told");
  return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 * What the C library does for itself beside the program's variables: in blocks, in frames and in threads of its own.
 * Variables called right_… are in order, those called wrong_… are not: they are used if there is a third argument. The
 * other two are the library late_library.c, under two names. */
#define _GNU_SOURCE
#include <aio.h>
#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <netdb.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/programs/races/order.h"

typedef void *routine(void *);
static int wrong;

#define RACE(variable) ((void)(wrong && ++(variable)))

static pthread_t start(routine *run, void *with) {
  pthread_t t;
  if (pthread_create(&t, 0, run, with)) abort();
  return t;
}

static void nap(void) {
  struct timespec time = {0, 1000000};
  nanosleep(&time, 0);
}

/* --- thread-local variables of a library that is loaded late --- */

static void (*touch)(int);
static int *(*address)(void);

static int ended_step;
static long ended_id; /* in hide regions */
static void *leaves_block(void *p) {
  touch(1);
  CDRGRIND_HIDE_BEGIN;
  ended_id = syscall(SYS_gettid);
  CDRGRIND_HIDE_END;
  done(ended_step);
  return p;
}

/* Nobody joins the first thread. Who gets its stack frees its block. */
static void right_late(void) {
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  ended_step = new_step();
  for (int i = 0; i < 3; ++i) {
    pthread_t t;
    if (pthread_create(&t, &detached, leaves_block, 0)) abort();
    await(ended_step);
    CDRGRIND_HIDE_BEGIN;
    long id = ended_id;
    CDRGRIND_HIDE_END;
    while (!syscall(SYS_tgkill, getpid(), id, 0)) nap();
  }
  pthread_attr_destroy(&detached);
}

static int *handed; /* in hide regions */
static int handed_step, used_step;
static void *hands_over(void *p) {
  int *mine = address();
  *mine = 1;
  CDRGRIND_HIDE_BEGIN;
  handed = mine;
  CDRGRIND_HIDE_END;
  done(handed_step);
  await(used_step);
  return p;
}
static void *uses_others(void *p) {
  await(handed_step);
  CDRGRIND_HIDE_BEGIN;
  int *others = handed;
  CDRGRIND_HIDE_END;
  *others = 2;
  done(used_step);
  return p;
}
static void wrong_late(void) {
  handed_step = new_step(), used_step = new_step();
  pthread_t a = start(hands_over, 0), b = start(uses_others, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}

/* --- what setuid() and its like have all threads do --- */

static int right_identity[2], wrong_identity;
static int is_over; /* in hide regions */
static int ready_step;
static void *waits(void *p) {
  int *mine = p, over;
  RACE(wrong_identity);
  done(ready_step);
  do {
    nap();
    ++*mine;
    CDRGRIND_HIDE_BEGIN;
    over = __atomic_load_n(&is_over, __ATOMIC_ACQUIRE);
    CDRGRIND_HIDE_END;
  } while (!over);
  return p;
}
static void identity(void) {
  ready_step = new_step();
  pthread_t a = start(waits, &right_identity[0]);
  await(ready_step);
  if (setuid(getuid()) || setgid(getgid()) || seteuid(geteuid()) || setresgid(-1, -1, -1)) abort();
  RACE(wrong_identity);
  CDRGRIND_HIDE_BEGIN;
  __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
  CDRGRIND_HIDE_END;
  pthread_join(a, 0);
}

/* --- blocks in the cache of a thread that ends --- */

static void *shrinks(void *block) { return realloc(block, 50); }
static void *frees_late(void *block) {
  ((char *)block)[900] = 1;
  free(block);
  return 0;
}
static void right_shrunk(void) {
  void *block = malloc(1000), *behind = malloc(1000), *now;
  memset(block, 1, 1000);
  memset(behind, 1, 1000);
  pthread_join(start(shrinks, block), &now);
  pthread_join(start(frees_late, behind), 0);
  free(now);
}
static int freed_step;
static void *frees_early(void *block) {
  free(block);
  done(freed_step);
  return 0;
}
static void *still_uses(void *block) {
  await(freed_step);
  ((char *)block)[900] = 1;
  return 0;
}
static void wrong_shrunk(void) {
  freed_step = new_step();
  void *block = malloc(1001);
  pthread_t a = start(frees_early, block), b = start(still_uses, block);
  pthread_join(a, 0);
  pthread_join(b, 0);
}

/* --- what is done at a thread's end, or when it is cancelled --- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int right_end, wrong_end;
static pthread_key_t key;
static void count(void *block) {
  free(block);
  RACE(wrong_end);
  pthread_mutex_lock(&mutex);
  ++right_end;
  pthread_mutex_unlock(&mutex);
}
static void *has_key(void *p) {
  pthread_setspecific(key, malloc(10));
  return p;
}
static void *is_cancelled(void *p) {
  pthread_cleanup_push(count, malloc(10));
  for (;;) nap();
  pthread_cleanup_pop(0);
  return p;
}
static void ends(void) {
  pthread_key_create(&key, count);
  pthread_t a = start(has_key, 0), b = start(is_cancelled, 0);
  for (int i = 0; i < 5; ++i) nap();
  pthread_cancel(b);
  pthread_join(a, 0);
  pthread_join(b, 0);
}

/* --- threads of libc: timers, asynchronous input and output, look-ups --- */

static int right_timer[2], wrong_timer;
static sem_t rang;
static void ring(union sigval with) {
  ++*(int *)with.sival_ptr;
  RACE(wrong_timer);
  sem_post(&rang);
}
static void timers(void) {
  timer_t timer[2];
  sem_init(&rang, 0, 0);
  for (int i = 0; i < 2; ++i) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = ring};
    event.sigev_value.sival_ptr = &right_timer[i];
    right_timer[i] = 1;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer[i])) abort();
    struct itimerspec time = {{0, 0}, {0, 1000000}};
    timer_settime(timer[i], 0, &time, 0);
  }
  RACE(wrong_timer);
  for (int i = 0; i < 2; ++i) sem_wait(&rang);
  for (int i = 0; i < 2; ++i) timer_delete(timer[i]);
}

static char right_written[3][64], right_read[3][64], wrong_written[64];
static void finish(struct aiocb *a) {
  const struct aiocb *list[1] = {a};
  while (aio_error(a) == EINPROGRESS) aio_suspend(list, 1, 0);
  if (aio_return(a) != 64) abort();
}
static void input_and_output(void) {
  struct aiocb a[3], last = {.aio_nbytes = 64, .aio_buf = wrong_written, .aio_offset = 192};
  struct aiocb *list[3];
  FILE *file = tmpfile();
  if (!file) abort();
  memset(a, 0, sizeof a);
  last.aio_fildes = fileno(file);
  for (int i = 0; i < 3; ++i) {
    memset(right_written[i], 'a' + i, 64);
    a[i].aio_fildes = fileno(file), a[i].aio_nbytes = 64, a[i].aio_offset = 64 * i;
    a[i].aio_buf = right_written[i];
    if (aio_write(&a[i])) abort();
  }
  if (aio_write(&last)) abort();
  RACE(wrong_written[0]);
  while (lseek(fileno(file), 0, SEEK_END) < 256) nap(); /* no call of aio_… would be in order with that */
  finish(&last);
  for (int i = 0; i < 3; ++i) {
    finish(&a[i]);
    memset(right_written[i], 0, 64);
    a[i].aio_buf = right_read[i], a[i].aio_lio_opcode = LIO_READ, list[i] = &a[i];
  }
  if (lio_listio(LIO_WAIT, list, 3, 0)) abort();
  for (int i = 0; i < 3; ++i)
    if (aio_return(&a[i]) != 64 || right_read[i][63] != 'a' + i) abort();
  fclose(file);
}

static void look_ups(void) {
  struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
  struct gaicb what = {.ar_name = "127.0.0.1", .ar_request = &hints}, *list[1] = {&what};
  const struct gaicb *wanted[1] = {&what};
  if (getaddrinfo_a(GAI_NOWAIT, list, 1, 0)) abort();
  while (gai_error(&what) == EAI_INPROGRESS) gai_suspend(wanted, 1, 0);
  if (gai_error(&what) || !what.ar_result->ai_addr) abort();
  freeaddrinfo(what.ar_result);
}

/* --- a library's initialisers --- */

static const char *later_path;
static int right_loaded, wrong_loaded, loaded_step;
static int loads_later(void) {
  void *later = dlopen(later_path, RTLD_NOW);
  if (!later) abort();
  return ((int (*)(void))dlsym(later, "initialised"))();
}
static void *loads_first(void *p) {
  loads_later();
  RACE(wrong_loaded);
  done(loaded_step);
  return p;
}
static void *loads_second(void *p) {
  await(loaded_step);
  RACE(wrong_loaded);
  right_loaded = loads_later();
  return p;
}
static void initialisers(void) {
  loaded_step = new_step();
  pthread_t a = start(loads_first, 0), b = start(loads_second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (right_loaded != 1) abort();
}

/* --- what several threads ask for at once --- */

static int right_asked, wrong_asked;
static void *asks(void *p) {
  char text[100];
  time_t time = 1000000;
  struct tm tm;
  localtime_r(&time, &tm);
  strftime(text, sizeof text, "%c %Z", &tm);
  if (!*strerror(12345) || dlsym(RTLD_DEFAULT, "no such function") || !*dlerror()) abort();
  locale_t locale = newlocale(LC_ALL_MASK, "C", 0);
  locale_t old = uselocale(locale);
  snprintf(text, sizeof text, "%g", 1.5);
  uselocale(old);
  freelocale(locale);
  struct passwd user, *found;
  char names[4096];
  if (getpwuid_r(getuid(), &user, names, sizeof names, &found)) abort();
  RACE(wrong_asked);
  pthread_mutex_lock(&mutex);
  right_asked += *asctime(gmtime(&time));
  pthread_mutex_unlock(&mutex);
  return p;
}
static void questions(void) {
  pthread_t a = start(asks, 0), b = start(asks, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}

int main(int argc, char **argv) {
  void *late = argc > 2 ? dlopen(argv[1], RTLD_NOW) : 0;
  if (!late) return 1;
  later_path = argv[2];
  wrong = argc > 3;
  prepare();
  touch = (void (*)(int))dlsym(late, "touch");
  address = (int *(*)(void))dlsym(late, "address");
  right_late();
  identity();
  right_shrunk();
  ends();
  initialisers();
  questions();
  timers();
  input_and_output();
  look_ups();
  if (wrong) wrong_late();
  if (wrong) wrong_shrunk();
  return 0;
}

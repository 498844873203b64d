/* SPDX-License-Identifier: GPL-2.0-or-later
 * What the kernels share: their arguments, a team of threads, the line they end with. Each program includes this
 * once. The result is a number that must be the same for every number of threads; the time is not printed with -q,
 * so that runs repeat exactly. */
#ifndef CDRGRIND_TESTS_BENCH_KERNEL_H
#define CDRGRIND_TESTS_BENCH_KERNEL_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_threads = 8 };

static struct {
  const char* name;
  const char* layout; /* -l, for kernels that have several */
  size_t size;        /* -n */
  long rounds;        /* -r */
  int threads;        /* -t */
  int quiet;          /* -q */
  struct timespec start;
  pthread_barrier_t barrier;
} kernel;

static inline void give_up(const char* why) {
  fprintf(stderr, "%s: %s\n", kernel.name, why);
  exit(2);
}

static inline void read_option(char option, const char* value) {
  char* end = NULL;
  const long number = strtol(value, &end, 10);
  if (option == 'l') {
    kernel.layout = value;
    return;
  }
  if (end == value || *end || number < 1) give_up("-n, -r and -t take numbers from 1");
  if (option == 'n')
    kernel.size = (size_t)number;
  else if (option == 'r')
    kernel.rounds = number;
  else if (option == 't' && number <= most_threads)
    kernel.threads = (int)number;
  else
    give_up("usage: [-n SIZE] [-r ROUNDS] [-t THREADS, at most 8] [-l LAYOUT] [-q]");
}

/* Options as -n SIZE, one thread and, if kernel.rounds is not set before, one round unless told. */
static inline void begin(int argc, char** argv, const char* name, size_t size) {
  kernel.name = name;
  kernel.layout = "";
  kernel.size = size;
  if (!kernel.rounds) kernel.rounds = 1;
  kernel.threads = 1;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] != '-' || !argv[i][1] || argv[i][2]) give_up("options are single letters, their values apart");
    if (argv[i][1] == 'q')
      kernel.quiet = 1;
    else if (i + 1 < argc)
      read_option(argv[i][1], argv[i + 1]), i++;
    else
      give_up("the last option lacks its value");
  }
  if (!kernel.quiet) clock_gettime(CLOCK_MONOTONIC, &kernel.start);
}

/* For kernels that have no threads. */
static inline void begin_alone(int argc, char** argv, const char* name, size_t size) {
  begin(argc, argv, name, size);
  if (kernel.threads != 1) give_up("has one thread");
}

/* The status that main returns. */
static inline int finish(int is_right, uint64_t result) {
  printf("%s%s%s size=%zu rounds=%ld result=%016llx", kernel.name, *kernel.layout ? " " : "", kernel.layout,
         kernel.size, kernel.rounds, (unsigned long long)result);
  if (!kernel.quiet) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long ns = (now.tv_sec - kernel.start.tv_sec) * 1000000000 + now.tv_nsec - kernel.start.tv_nsec;
    printf(" threads=%d time=%ld.%03ld ms", kernel.threads, ns / 1000000, ns / 1000 % 1000);
  }
  printf(is_right ? "\n" : " WRONG\n");
  return is_right ? 0 : 1;
}

static inline void* array(size_t count, size_t size) {
  void* const memory = calloc(count, size);
  if (!memory) give_up("out of memory");
  return memory;
}

/* Of `bytes`, a multiple of 4: FNV-1a over words. */
static inline uint64_t checksum(const void* data, size_t bytes) {
  uint64_t sum = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < bytes; i += 4) {
    uint32_t word;
    memcpy(&word, (const char*)data + i, 4);
    sum = (sum ^ word) * UINT64_C(1099511628211);
  }
  return sum;
}

/* Numbers that look random, by place: every thread can make its own. */
static inline uint32_t scrambled(uint32_t number) {
  number = (number ^ number >> 16) * UINT32_C(0x7feb352d);
  number = (number ^ number >> 15) * UINT32_C(0x846ca68b);
  return number ^ number >> 16;
}

/* In [-1, 1). */
static inline double scrambled_real(uint32_t number) { return (int32_t)scrambled(number) * 0x1p-31; }

/* Where thread's part of `count` things begins; it ends where that of thread + 1 begins. */
static inline size_t part(size_t count, int thread) { return count * (size_t)thread / (size_t)kernel.threads; }

static inline void wait_for_all(void) { pthread_barrier_wait(&kernel.barrier); }

struct member {
  pthread_t thread;
  void (*work)(int);
  int number;
};

static inline void* start_member(void* argument) {
  const struct member* const member = argument;
  member->work(member->number);
  return NULL;
}

/* work(0) here, work(1) and so on in threads of their own. */
static inline void run_team(void (*work)(int thread)) {
  struct member members[most_threads];
  pthread_barrier_init(&kernel.barrier, NULL, (unsigned)kernel.threads);
  for (int t = 1; t < kernel.threads; t++) {
    members[t].work = work;
    members[t].number = t;
    if (pthread_create(&members[t].thread, NULL, start_member, &members[t])) give_up("cannot create a thread");
  }
  work(0);
  for (int t = 1; t < kernel.threads; t++) pthread_join(members[t].thread, NULL);
  pthread_barrier_destroy(&kernel.barrier);
}

#endif

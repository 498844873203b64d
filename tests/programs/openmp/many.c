/* SPDX-License-Identifier: GPL-2.0-or-later
 * many KIND COUNT: so many strands of one kind. The wrong ones all store to one variable. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int *out, total, last;

static void tasks(int n) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i++) {
#pragma omp task
    out[i] = i;
  }
}

static void tasks_critical(int n) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i++) {
#pragma omp task
    {
#pragma omp critical
      total += i;
    }
  }
}

/* Each waits for the two that it creates. */
static int sum_of(int first, int end) {
  if (end - first == 1) return first;
  int a, b;
#pragma omp task shared(a)
  a = sum_of(first, (first + end) / 2);
#pragma omp task shared(b)
  b = sum_of((first + end) / 2, end);
#pragma omp taskwait
  return a + b;
}
static void tree(int n) {
#pragma omp parallel
#pragma omp single
  total = sum_of(0, n / 2);
}

static void chunks(int n) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) out[i] = i;
}

static void tasks_wrong(int n) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i++) {
#pragma omp task
    last = i;
  }
}

static void chunks_wrong(int n) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) last = i;
}

static void singles(int n) {
#pragma omp parallel
  for (int i = 0; i < n; i++) {
#pragma omp single nowait
    out[i] = i;
  }
}

static void masters(int n) {
#pragma omp parallel
  for (int i = 0; i < n; i++) {
#pragma omp master
    out[i] = i;
  }
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(int);
  } kinds[] = {{"tasks", tasks},
               {"tasks_critical", tasks_critical},
               {"tree", tree},
               {"chunks", chunks},
               {"tasks_wrong", tasks_wrong},
               {"chunks_wrong", chunks_wrong},
               {"singles", singles},
               {"masters", masters}};
  if (argc != 3) return 2;
  const int n = atoi(argv[2]);
  out = calloc((size_t)n, sizeof *out);
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(kinds[i].name, argv[1]) == 0) kinds[i].run(n);
  printf("%d %d %d\n", out[n - 1], total, last);
  free(out);
  return 0;
}

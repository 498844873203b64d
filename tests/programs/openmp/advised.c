/* SPDX-License-Identifier: GPL-2.0-or-later
 * Loops of which it is known whether they are shared out, how, and what is exclusive in them. Lines are found by their
 * comments. */
#include <omp.h>

#define N 400
int a[N], b[N], total;
static volatile int spin;

static void work(int n) {
  for (int i = 0; i < n; i++) spin = i; /* in a callee */
}

static void even(void) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < N; i++) { /* even */
    a[i] = i;
    work(20);
  }
}

/* Iteration i costs i: the second of two threads has three times as much to do as the first. */
static void triangle(void) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < N; i++) /* triangle */
    work(i);
}

static void chunks(void) {
#pragma omp parallel num_threads(2) /* chunks' region */
  {
#pragma omp for schedule(dynamic, 10)
    for (int i = 0; i < N; i++) { /* chunks */
      b[i] = a[i] + 1;
      work(5);
    }
  }
}

static void in_static_chunks(void) {
#pragma omp parallel for schedule(static, 8) num_threads(2)
  for (int i = 0; i < N; i++) /* static chunks */
    b[i] = a[i] + 2;
}

/* Nine tenths are under the lock. */
static void exclusive(void) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < N; i++) { /* exclusive */
    work(10);
#pragma omp critical
    {
      work(90); /* in critical */
      total++;
    }
  }
}

/* What every thread of a team does is not shared out. */
static void repeated(void) {
#pragma omp parallel num_threads(2)
  {
    int mine = 0;
    for (int i = 0; i < N; i++) mine += a[i]; /* repeated */
    spin = mine;
  }
}

/* A loop for which the program asks for one thread; and one that nobody has made parallel. */
static void alone(void) {
#pragma omp parallel num_threads(1)
  {
    for (int i = 0; i < N; i++) a[i] += i; /* alone */
  }
}
static void serial(void) {
  for (int i = 0; i < N; i++) b[i] = a[i] * 3; /* serial */
}

static void loop_of_tasks(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(4)
  for (int i = 0; i < N; i++) /* taskloop */
    b[i] = a[i] * 2;
}

int main(void) {
  even();
  triangle();
  chunks();
  in_static_chunks();
  exclusive();
  repeated();
  alone();
  serial();
  loop_of_tasks();
  return total != N;
}

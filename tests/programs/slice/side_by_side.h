/* SPDX-License-Identifier: GPL-2.0-or-later
 * Two functions as strands of OpenMP that nothing puts in order. */
#ifndef SIDE_BY_SIDE_H
#define SIDE_BY_SIDE_H

typedef struct {
  void* (*run)(void*);
  void* argument;
} Part;
static void call(Part p) { p.run(p.argument); }

static void as_sections(Part a, Part b) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    call(a);
#pragma omp section
    call(b);
  }
}
static void as_tasks(Part a, Part b) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    call(a);
#pragma omp task
    call(b);
  }
}
static void as_chunks(Part a, Part b) {
#pragma omp parallel for num_threads(2) schedule(dynamic, 1)
  for (int i = 0; i < 2; i++) call(i ? b : a);
}
static void as_threads(Part a, Part b) {
#pragma omp parallel num_threads(2)
  call(omp_get_thread_num() ? b : a);
}

static void side_by_side(const char* kind, Part a, Part b) {
  if (strcmp(kind, "sections") == 0) as_sections(a, b);
  if (strcmp(kind, "tasks") == 0) as_tasks(a, b);
  if (strcmp(kind, "chunks") == 0) as_chunks(a, b);
  if (strcmp(kind, "threads") == 0) as_threads(a, b);
}

#endif

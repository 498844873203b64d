/* SPDX-License-Identifier: GPL-2.0-or-later
 * Cases of two functions, one after the other, each in a thread of its own: threads 2 and 3, 4 and 5 … Which of their
 * races only follow from others is known: see cases.expect. Prints the names in order; with a name, only that case.
 * With OpenMP the two are no threads but strands: sections, tasks, chunks or threads of a team, as the argument says. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

volatile int S, T, X, Y, d, f, L;
volatile int A[16], B[16];
volatile int* P;
void (*volatile F)(void);
volatile double D;
volatile int source[4], target[4];
volatile int sink;

struct node {
  volatile int value;
  struct node* volatile next;
};
struct node first_node, second_node;
struct node* volatile head;

/* The rows of the table: what the first thread does, what the second. */
static void figure_7_1(void) { S = 1, A[1] = 0; }
static void figure_7_2(void) { int x = S; sink = A[x]; }
static void old_value_1(void) { int x = S; sink = A[x]; }
static void old_value_2(void) { S = 1, A[0] = 0; }
static void condition_1(void) { S = 1, A[1] = 0; }
static void condition_2(void) { if (S) sink = A[1]; }
static void unrelated_1(void) { X = 1, Y = 1; }
static void unrelated_2(void) { sink = X, sink = Y; }
static void after_figure_1(void) { S = 1, A[1] = 0, Y = 1; }
static void after_figure_2(void) { int x = S; sink = A[x]; sink = Y; }
static void spin_1(void) { d = 5, f = 1; }
static void spin_2(void) { while (!f) {} sink = d; }
static void flag_1(void) { d = 5, f = 1; }
static void flag_2(void) { if (f) sink = d; }
static void early_1(void) { f = 1, d = 5; }
static void early_2(void) { while (!f) {} sink = d; }
static void unused_1(void) { d = 5, f = 1; }
static void unused_2(void) { int t = f; (void)t; sink = d; }
static void chain_1(void) { S = 1, A[1] = 2, B[2] = 3; }
static void chain_2(void) { int x = S, y = A[x]; sink = B[y]; }

/* More of them. */
static void early_return_1(void) { S = 1, X = 1; }
static void early_return_2(void) { if (!S) return; sink = X; }
static void published_1(void) { A[3] = 7, P = &A[3]; }
static void published_2(void) { volatile int* p = P; if (p) sink = *p; }
static void published_first_1(void) { P = &A[3], A[3] = 7; }
static void loop_bound_1(void) { S = 3, A[2] = 1; }
static void loop_bound_2(void) { int n = S; for (int i = 0; i < n; i++) sink = A[i]; }
static void switch_1(void) { S = 4, X = 1; }
static void switch_2(void) {
  switch (S) {
    case 1: T = 1; break;
    case 2: T = 2; break;
    case 3: T = 3; break;
    case 4: sink = X; break;
    case 5: T = 5; break;
    default: T = 6;
  }
}
static void callee(void) { sink = X; }
static void function_pointer_1(void) { F = callee, X = 1; }
static void function_pointer_2(void) { F(); }
static void called_1(void) { S = 1, X = 1; }
static void called_2(void) { if (S) callee(); }
static __attribute__((noinline)) void nothing(volatile int* x) { *x = 0; }
static void behind_call_1(void) { S = 1, Y = 1; }
static void behind_call_2(void) {
  volatile int x;
  if (S) nothing(&x);
  for (int i = 0; i < 3; i++) sink = B[i + 4];
  sink = Y;
}
static void through_copy_1(void) { source[1] = 1, A[1] = 1; }
static void through_copy_2(void) {
  memcpy((void*)target, (void*)source, sizeof source);
  sink = A[target[1]];
}
static void through_double_1(void) { D = 2.0, A[4] = 1; }
static void through_double_2(void) { sink = A[(int)(D * 1.5) + 1]; }
static void stored_1(void) { S = 1, Y = 1; }
static void stored_2(void) { T = S; sink = Y; }
static void stored_back_1(void) { S = 1, A[1] = 1; }
static void stored_back_2(void) { T = S; sink = A[T]; }
static void list_1(void) { second_node.value = 1, first_node.next = &second_node; }
static void list_2(void) { struct node* n = first_node.next; if (n) sink = n->value; }
static void lower_byte_1(void) { ((volatile char*)&L)[3] = 1, A[1] = 1; }
static void lower_byte_2(void) { sink = A[((volatile char*)&L)[0] + 1]; sink = L; }
static void stored_under_1(void) { S = 1, A[2] = 1; }
static void stored_under_2(void) { if (S) T = 2; sink = A[T]; }
static void heap_1(void) { S = 1, A[1] = 0; }
static void heap_2(void) {
  int* x = malloc(sizeof *x);
  *x = S;
  free(malloc(100));
  sink = A[*x];
  free(x);
}
/* The test of f belongs to the first round, and so decides nothing in the second. */
static void region_over_1(void) { f = 0, X = 1; }
static void region_over_2(void) {
  B[5] = 1;
  for (int i = 0; i < 2; i++)
    if (B[i + 4] || f)
      if (i == 1) X = 8;
}
static void chosen_1(void) { S = 1, A[1] = 1; }
static void chosen_2(void) {
  int i = 0;
  if (S) i = 1;
  sink = A[i];
}
static void chosen_behind_call_1(void) { S = 1, A[1] = 1; }
static void chosen_behind_call_2(void) {
  volatile int x;
  int i = 0;
  if (S) {
    nothing(&x);
    i = 1;
    nothing(&x);
  }
  sink = A[i];
}

#define CASE(name) {#name, name##_1, name##_2}
static const struct {
  const char* name;
  void (*first)(void);
  void (*second)(void);
} cases[] = {
    CASE(figure_7), CASE(old_value), CASE(condition), CASE(unrelated), CASE(after_figure), CASE(spin), CASE(flag),
    CASE(early), CASE(unused), CASE(chain), CASE(early_return), CASE(published),
    {"published_first", published_first_1, published_2}, CASE(loop_bound), CASE(switch), CASE(function_pointer),
    CASE(called), CASE(behind_call), CASE(through_copy), CASE(through_double), CASE(stored), CASE(stored_back),
    CASE(list), CASE(lower_byte), CASE(stored_under), CASE(heap),
    CASE(region_over), CASE(chosen), CASE(chosen_behind_call),
};

/* The second comes after the first, but by a descriptor that the first closes: nothing is handed over that would order
 * them. No client requests here: the code of the program must be decodable. */
static int order;

static void* run_first(void* part) {
  (*(void (*const*)(void))part)();
  return close(order) == 0 ? 0 : part;
}

static void* run_second(void* part) {
  while (fcntl(order, F_GETFD) != -1) sched_yield();
  (*(void (*const*)(void))part)();
  return 0;
}

static void reset(void) {
  S = T = X = Y = d = f = L = sink = 0;
  P = 0, F = 0, D = 0, head = 0, first_node.next = 0;
  for (int i = 0; i < 16; i++) A[i] = B[i] = 0;
  for (int i = 0; i < 4; i++) source[i] = target[i] = 0;
}

#ifdef _OPENMP
#include <omp.h>
#include "side_by_side.h"

static void run_case(void (*first)(void), void (*second)(void), const char* kind) {
  order = open("/dev/null", O_RDONLY);
  if (order < 0) exit(1);
  side_by_side(kind, (Part){run_first, &first}, (Part){run_second, &second});
}

int main(int argc, char** argv) {
  for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++) {
    reset();
    run_case(cases[i].first, cases[i].second, argv[1]);
    puts(cases[i].name);
  }
  return 0;
}
#else
int main(int argc, char** argv) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (argc == 2 && strcmp(cases[i].name, argv[1]) != 0) continue;
    pthread_t first, second;
    reset();
    order = open("/dev/null", O_RDONLY);
    if (order < 0) return 1;
    if (pthread_create(&first, 0, run_first, (void*)&cases[i].first)) return 1;
    if (pthread_create(&second, 0, run_second, (void*)&cases[i].second)) return 1;
    if (pthread_join(first, 0) || pthread_join(second, 0)) return 1;
    puts(cases[i].name);
  }
  return 0;
}
#endif

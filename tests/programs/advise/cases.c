/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loops of which it is known what they carry. What `cdrgrind advise` should say of a loop stands at its first line:
 *
 *     = NAME VERDICT CLASS... [; O2 VERDICT CLASS...]
 *
 * the classes but induction, each once, `exit` for exits; behind `O2`, if it is another thing that gcc 12 makes of the
 * loop with -O2: `-` if nothing is left of it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { N = 200, M = 16 };

/* Anybody may read them: no store is left out. */
double a[N + 8], b[N + 8], c[N + 8];
int ints[N], others[N], counts[N], idx[N], same[N], hist[M], list[2 * N];
int counter, hits;
double grid[M][M], next_grid[M][M], left[M][M], right[M][M], product[M][M];
double scratch[M], halves[2 * M];
double sink;
int int_sink;

struct node {
  struct node *next;
  double value;
};

static double vector_sum(void) {
  double s = 0;
  for (int i = 0; i < N; i++) /* = vector_sum parallel reduction */
    s += a[i];
  return s;
}

static double partial_sums_used(void) {
  double s = 0;
  for (int i = 0; i < N; i++) { /* = partial_sums_used pipeline recurrence */
    s += a[i];
    c[i] = s;
  }
  return s;
}

static double sum_below(double lim) {
  double s = 0;
  for (int i = 0; i < N; i++) /* = sum_below sequential recurrence ; O2 pipeline recurrence */
    if (s < lim)
      s += a[i];
  return s;
}

static double two_updates(void) {
  double s = 0;
  for (int i = 0; i < N; i++) { /* = two_updates parallel reduction */
    s += a[i];
    s += b[i];
  }
  return s;
}

static void distance_1(void) {
  for (int i = 1; i < N; i++) /* = distance_1 pipeline recurrence */
    a[i] = a[i - 1] + 1;
}

static void distance_4(void) {
  for (int i = 4; i < N; i++) /* = distance_4 pipeline recurrence ; O2 sequential recurrence */
    a[i] = a[i - 4] + 1;
}

static void anti(void) {
  for (int i = 0; i < N; i++) /* = anti pipeline anti */
    a[i] = a[i + 1] + 1;
}

static void count_same(void) {
  for (int i = 0; i < N; i++) /* = count_same parallel reduction */
    hist[same[i]]++;
}

static void count_different(void) {
  for (int i = 0; i < N; i++) /* = count_different parallel */
    others[idx[i]]++;
}

static void temporary_scalar(void) {
  double t;
  for (int i = 0; i < N; i++) { /* = temporary_scalar parallel private ; O2 parallel */
    t = a[i] * 2;
    b[i] = t * t;
  }
}

static void temporary_array(void) {
  for (int i = 0; i < M; i++) { /* = temporary_array parallel private */
    for (int j = 0; j < M; j++)
      scratch[j] = grid[i][j] * 2;
    for (int j = 0; j < M; j++)
      next_grid[i][j] = scratch[M - 1 - j];
  }
}

static void heap_scratch(void) {
  double *t = malloc(M * sizeof *t);
  for (int i = 0; i < M; i++) { /* = heap_scratch parallel private */
    for (int j = 0; j < M; j++)
      t[j] = grid[i][j] + 1;
    for (int j = 0; j < M; j++)
      next_grid[i][j] = t[M - 1 - j];
  }
  free(t);
}

static double in_callee(double x) {
  static double kept;
  kept = x * 2;
  return kept + 1;
}
static void static_scratch(void) {
  for (int i = 0; i < N; i++) /* = static_scratch parallel private ; O2 parallel */
    b[i] = in_callee(a[i]);
}

static double last_value(void) {
  double last = 0;
  for (int i = 0; i < N; i++) { /* = last_value parallel lastprivate ; O2 parallel */
    last = a[i] * 3;
    b[i] = last;
  }
  return last;
}

static void stencil_in_place(void) {
  for (int i = 1; i < N; i++) /* = stencil_in_place sequential recurrence ; O2 pipeline private anti recurrence */
    a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

static void stencil(void) {
  for (int i = 1; i < N; i++) /* = stencil parallel ; O2 parallel private */
    b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

static void matrix_product(void) {
  for (int i = 0; i < M; i++) /* = product_i parallel private ; O2 parallel */
    for (int j = 0; j < M; j++) { /* = product_j parallel private ; O2 parallel */
      double s = 0;
      for (int k = 0; k < M; k++) /* = product_k parallel reduction */
        s += left[i][k] * right[k][j];
      product[i][j] = s;
    }
}

static void gauss_seidel(void) {
  for (int i = 1; i < M - 1; i++) /* = gauss_seidel_i pipeline private recurrence ; O2 pipeline recurrence */
    for (int j = 1; j < M - 1; j++) /* = gauss_seidel_j sequential recurrence ; O2 pipeline anti recurrence */
      grid[i][j] = (grid[i - 1][j] + grid[i][j - 1] + grid[i + 1][j] + grid[i][j + 1]) / 4;
}

static void walk(struct node *p) {
  for (; p; p = p->next) /* = walk tasks traversal exit */
    p->value = p->value * 2 + 1;
}

static double walk_sum(struct node *p) {
  double s = 0;
  for (; p; p = p->next) /* = walk_sum tasks reduction traversal exit */
    s += p->value;
  return s;
}

static void first_value(double x) {
  for (int i = 0; i < N; i++) { /* = first_value parallel firstprivate ; O2 sequential recurrence */
    if (i == 0)
      c[i] = x;
    x = a[i] * 2;
    b[i] = x * x;
  }
}

/* One half of the array is scratch, the other one result. */
static void half_result(void) {
  for (int i = 0; i < M; i++) { /* = half_result parallel private */
    for (int j = 0; j < M / 2; j++)
      halves[j] = grid[i][j] + i;
    double s = 0;
    for (int j = 0; j < M / 2; j++)
      s += halves[j];
    halves[M + i] = s;
  }
}

static int written_sometimes(void) {
  int last = -1;
  for (int i = 0; i < N; i++) /* = written_sometimes parallel lastprivate */
    if (same[i] == 2)
      last = i;
  return last;
}

static int index_of_least(void) {
  int least = 1000, at = -1;
  for (int i = 0; i < N; i++) /* = index_of_least sequential lastprivate recurrence ; O2 pipeline lastprivate recurrence */
    if (idx[i] < least) {
      least = idx[i];
      at = i;
    }
  return at;
}

static void wavefront(void) {
  for (int i = 1; i < M; i++) /* = wavefront_i pipeline private recurrence ; O2 pipeline recurrence */
    for (int j = 1; j < M; j++) /* = wavefront_j pipeline recurrence */
      grid[i][j] = grid[i - 1][j] + grid[i][j - 1];
}

static int product_of_all(void) {
  int p = 1;
  for (int i = 0; i < N; i++) /* = product_of_all parallel reduction */
    p *= same[i] | 1;
  return p;
}

static int xor_of_all(void) {
  int x = 0;
  for (int i = 0; i < N; i++) /* = xor_of_all parallel reduction */
    x ^= idx[i];
  return x;
}

static double minus(void) {
  double s = 1000;
  for (int i = 0; i < N; i++) /* = minus parallel reduction */
    s -= a[i];
  return s;
}

static double minus_from(void) {
  double s = 0;
  for (int i = 0; i < N; i++) /* = minus_from pipeline recurrence */
    s = a[i] - s;
  return s;
}

static void prefix_sum(void) {
  for (int i = 1; i < N; i++) /* = prefix_sum pipeline recurrence */
    ints[i] += ints[i - 1];
}

static int maximum(void) {
  int m = -1;
  for (int i = 0; i < N; i++) /* = maximum parallel reduction */
    if (same[i] > m)
      m = same[i];
  return m;
}

static int find(int wanted) {
  int i;
  for (i = 0; i < N; i++) /* = find sequential exit */
    if (idx[i] == wanted)
      break;
  return i;
}

static double converge(double x) {
  double err;
  /* = converge sequential private recurrence exit ; O2 sequential recurrence exit */
  do {
    double y = (x + 2 / x) / 2;
    err = y > x ? y - x : x - y;
    x = y;
  } while (err > 1e-12);
  return x;
}

static void print_all(void) {
  for (int i = 0; i < 20; i++) /* = print_all ordered output */
    printf("%g\n", a[i]);
}

static void allocate(void) {
  for (int i = 0; i < 50; i++) { /* = allocate parallel private ; O2 parallel */
    double *p = malloc(64);
    p[0] = a[i];
    b[i] = p[0] * 2;
    free(p);
  }
}

static void randoms(void) {
  for (int i = 0; i < N; i++) /* = randoms sequential recurrence */
    ints[i] = rand();
}

static void read_bytes(int fd) {
  for (int i = 0; i < 4; i++) { /* = read_bytes sequential private recurrence */
    char byte = 0;
    if (read(fd, &byte, 1) == 1)
      ints[i] = byte;
  }
}

static double by_hand(void) {
  double s = 0;
  for (int i = 0; i < N; i += 4) { /* = by_hand parallel reduction */
    s += a[i];
    s += a[i + 1];
    s += a[i + 2];
    s += a[i + 3];
  }
  return s;
}

static void once(int n) {
  for (int i = 0; i < n; i++) /* = once unseen ; O2 - */
    b[i] = 1;
}

static double depth_first(int depth) {
  double s = 1;
  if (depth == 0)
    return s;
  for (int i = 0; i < 3; i++) /* = depth_first parallel reduction ; O2 sequential private recurrence */
    s += depth_first(depth - 1);
  return s;
}

static void strided(int step) {
  for (int i = 0; i < N; i += step) /* = strided parallel */
    c[i] = a[i] + 1;
}

static void nested_break(void) {
  for (int i = 0; i < M; i++) { /* = nested_break parallel private ; O2 parallel */
    for (int j = 0; j < M; j++) { /* = inner_break sequential exit */
      next_grid[i][j] = 1;
      if (grid[i][j] < 0)
        break;
    }
  }
}

/* The old value is an address, too. */
static int push_if(void) {
  int n = 0;
  for (int i = 0; i < N; i++) /* = push_if pipeline recurrence */
    if (same[i] & 1)
      list[n++] = idx[i];
  return n;
}

static void push_two(void) {
  int n = 0;
  for (int i = 0; i < N; i++) { /* = push_two parallel */
    list[n++] = idx[i];
    list[n++] = same[i];
  }
}

static void second_counter(void) {
  for (int i = 0; i < N; i++) { /* = second_counter parallel ; O2 - */
    c[counter] = a[i];
    counter++;
  }
}

static double half_way(void) {
  double s = 0;
  for (int i = 0; i < N; i++) { /* = half_way sequential recurrence ; O2 pipeline recurrence */
    s += a[i];
    c[i] = s;
    s += b[i];
  }
  return s;
}

static double three_updates(void) {
  double s = 0;
  for (int i = 0; i < N; i++) { /* = three_updates sequential recurrence ; O2 pipeline recurrence */
    s += a[i];
    s *= 0.5;
    s += b[i];
  }
  return s;
}

static void grow(unsigned *s) {
  for (int i = 0; i < N; i++) /* = grow sequential recurrence ; O2 pipeline recurrence */
    *s += (*s >> 3) + 1;
}

static int counted_outside(void) {
  int i;
  for (i = 0; i < N; i++) /* = counted_outside parallel */
    b[i] = a[i] + 2;
  return i;
}

static int odd_ones(void) {
  int n = 0;
  for (int i = 0; i < N; i++) /* = odd_ones parallel reduction */
    if (idx[i] & 1)
      n++;
  return n;
}

static void hit(int i) { hits += idx[i] & 3; }
static void in_function(void) {
  for (int i = 0; i < N; i++) /* = in_function parallel reduction */
    hit(i);
}

static int next_number(void) { return ++hits; }
static void numbers(void) {
  for (int i = 0; i < N; i++) /* = numbers parallel */
    ints[i] = next_number();
}

/* Statements so long that Valgrind cuts them, between the old value and the new one, and before the loop's branch. */
static void long_statement(void) {
  for (int i = 0; i < M; i++) /* = long_i parallel private ; O2 parallel */
    for (int j = 0; j < M; j++) /* = long_j parallel private ; O2 parallel */
      for (int k = 0; k < M; k++) /* = long_k parallel reduction */
        product[i][j] = product[i][j] + left[i][k] * right[k][j] * left[j][k] + right[j][i] * left[k][j] * right[k][i];
}

/* Two sums in one statement after the other; the second is cut. */
static void two_sums(double *of_row, double *of_column) {
  for (int i = 0; i < M; i++) /* = sums_i parallel private reduction ; O2 parallel reduction */
    for (int j = 0; j < M; j++) { /* = sums_j parallel reduction */
      of_column[j] = of_column[j] + left[i][j] * right[i][j] + left[j][i] * c[i];
      of_row[i] = of_row[i] + left[i][j] * right[i][j] + left[j][i] * c[j];
    }
}

/* The array that is updated is read elsewhere, too, but by other instances of the loop. */
static void decompose(void) {
  for (int i = 1; i < M; i++) /* = decompose_i pipeline private recurrence ; O2 sequential recurrence */
    for (int j = i; j < M; j++) /* = decompose_j parallel private ; O2 parallel */
      for (int k = 0; k < i; k++) /* = decompose_k parallel reduction */
        next_grid[i][j] -= next_grid[i][k] * next_grid[k][j];
}

/* The bound is what a function returns: always the same, or what the loop has changed. */
static struct list {
  double *begin, *end;
} whole = {a, a + N}, shrinking = {a, a + N};
static long length_of(const struct list *l) { return l->end - l->begin; }

static void steady_bound(const struct list *l) {
  for (long i = 0; i < length_of(l); i++) /* = steady_bound parallel */
    c[i] = l->begin[i] * 2;
}

static void moving_bound(struct list *l) {
  for (long i = 0; i < length_of(l); i++) { /* = moving_bound sequential recurrence exit */
    c[i] = l->begin[i] * 3;
    if (c[i] > 20) l->end--;
  }
}

static int minimum(void) {
  int m = 1000;
  for (int i = 0; i < N; i++) /* = minimum parallel reduction */
    m = idx[i] < m ? idx[i] : m;
  return m;
}

static long wide_sum(void) {
  long s = 0;
  for (int i = 0; i < N; i++) /* = wide_sum parallel reduction */
    s += idx[i];
  return s;
}

/* It is compared with something else than what it becomes. */
static int not_a_maximum(int lim) {
  int m = 0;
  for (int i = 0; i < N; i++) /* = not_a_maximum sequential recurrence ; O2 pipeline recurrence */
    if (m < lim)
      m = idx[i];
  return m;
}

static double *made(int n) {
  double *p = malloc((size_t)n * sizeof *p);
  return p;
}
/* One function allocates both, and only one is scratch. */
static void made_scratch(void) {
  double *t = made(M);
  double *to = made(M * M);
  for (int i = 0; i < M; i++) { /* = made_scratch parallel private */
    for (int j = 0; j < M; j++)
      t[j] = grid[i][j] + 2;
    for (int j = 0; j < M; j++)
      to[i * M + j] = t[M - 1 - j];
  }
  sink += to[M + 1];
  free(t);
  free(to);
}

static int tokens(void) {
  static char text[40] = "a bc def ghij";
  int n = 0;
  for (char *t = strtok(text, " "); t; t = strtok(NULL, " ")) /* = tokens sequential recurrence reduction exit */
    n += (int)strlen(t);
  return n;
}

static double farthest(void) {
  double m = 0;
  for (int i = 0; i < M; i++) /* = farthest parallel reduction private ; O2 parallel reduction */
    for (int j = 0; j < M; j++) { /* = farthest_in_row parallel reduction private ; O2 parallel reduction */
      double d = fabs(left[i][j] - right[i][j]);
      if (d > m)
        m = d;
    }
  return m;
}

static double greatest_by_call(void) {
  double m = 0;
  for (int i = 0; i < N; i++) /* = greatest_by_call parallel reduction */
    m = fmax(m, a[i]);
  return m;
}

#define GREATER(x, y) ((x) > (y) ? (x) : (y))
static double greatest_by_macro(void) {
  double m = 0;
  for (int i = 0; i < N; i++) /* = greatest_by_macro parallel reduction */
    m = GREATER(m, a[i]);
  for (int i = 0; i < N; i++) /* = greatest_by_choice parallel reduction */
    m = c[i] > m ? c[i] : m;
  return m;
}

static double greatest_by_macro_stored(void) {
  double m = 0;
  for (int i = 0; i < N; i++) /* = greatest_by_macro_stored pipeline recurrence */
    b[i] = m = GREATER(m, a[i]);
  m = 0;
  for (int i = 0; i < N; i++) /* = other_if_greater sequential recurrence ; O2 pipeline recurrence */
    m = a[i] > m ? c[i] : m;
  return m;
}

static int numbered;
static void number_all(int depth) {
  for (int i = 0; i < 3; i++) { /* = number_all sequential recurrence */
    ints[numbered % N] = depth;
    numbered++;
    if (depth > 0) number_all(depth - 1);
  }
}

static float least_of_nest(void) {
  float m = 1000;
  for (int i = 0; i < M; i++) /* = least_of_nest_i parallel private reduction ; O2 parallel reduction */
    for (int j = 0; j < M; j++) /* = least_of_nest_j parallel reduction */
      m = fminf((float)grid[i][j], m);
  return m;
}

static double greatest_by_call_stored(void) {
  double m = 0;
  for (int i = 0; i < N; i++) /* = greatest_by_call_stored pipeline recurrence */
    b[i] = m = fmax(m, a[i]);
  return m;
}

static double greatest_of_made(void) {
  double m = 0;
  for (int i = 0; i < N; i++) /* = greatest_of_made sequential recurrence */
    m = fmax(m, a[i] - m);
  return m;
}

static double greatest_then_least(void) {
  double m = 0;
  for (int i = 0; i < N; i++) { /* = greatest_then_least sequential recurrence */
    m = fmax(m, a[i]);
    m = fmin(m, c[i]);
  }
  return m;
}

static int index_of_greatest(void) {
  double m = -1;
  int at = 0;
  for (int i = 0; i < N; i++) /* = index_of_greatest pipeline lastprivate recurrence */
    if (a[i] > m)
      m = a[i], at = i;
  return at;
}

static double greatest_difference(void) {
  double m = 0;
  for (int i = 0; i < N; i++) /* = greatest_from_old sequential recurrence ; O2 pipeline recurrence */
    m = a[i] - m > m ? a[i] - m : m;
  for (int i = 0; i < N; i++) /* = greatest_difference parallel reduction */
    if (m < fabs(a[i] - c[i]))
      m = fabs(a[i] - c[i]);
  return m;
}

static double greatest_or_stored(void) {
  double m = 0;
  for (int i = 0; i < N; i++) /* = greatest_or_stored pipeline recurrence */
    if (a[idx[i]] > m)
      m = a[idx[i]];
    else
      b[i] = c[i] * 2;
  return m;
}

static int records(void) {
  int m = 0, n = 0;
  for (int i = 0; i < N; i++) /* = records sequential recurrence reduction ; O2 pipeline recurrence reduction */
    if (idx[i] > m) {
      m = idx[i];
      ++n;
    }
  return m + n;
}

static int followed(void) {
  int at = 0;
  for (int i = 0; i < N; i++) /* = followed tasks traversal */
    at = idx[(at + i) % N];
  return at;
}

static void hours(void) {
  for (int i = 0; i < 20; i++) { /* = hours sequential private anti */
    time_t t = i * 100000;
    ints[i] = gmtime(&t)->tm_min;
  }
}

static void put_lines(void) {
  for (int i = 0; i < 5; i++) /* = put_lines ordered output */
    puts("line");
}

/* A row without elements has code of its own at its end, which never runs. */
static void sparse_rows(void) {
  for (int i = 0; i < N; i++) { /* = sparse_rows parallel private ; O2 parallel */
    double s = 0;
    for (int k = 0; k < counts[i]; k++) /* = sparse_row parallel reduction */
      s += a[i + k] * b[idx[k]];
    c[i] = s;
  }
}

/* Differences: compilers keep what they have loaded for the next iteration, here of memory that they found before the
 * loop. */
struct offsets {
  int *first;
  double *to;
};
static void lengths(const struct offsets *o, int n) {
  for (int i = 0; i < n; i++) /* = lengths parallel ; O2 parallel private */
    o->to[i] = 1.0 / (o->first[i + 1] - o->first[i]);
}

/* The counter goes into the frame and comes back; others have addresses there. */
static void fill_small(double *small, int n) {
  for (int i = 0; i < n; i++) small[i] = counter + i;
}
static double spilled(int n, int m, const int *p, const int *q, double f, double g) {
  double s = 0;
  for (int i = 0; i < n; i++) { /* = spilled parallel private reduction */
    double small[4];
    fill_small(small, 4);
    int u = p[i], v = q[i], w = p[i] ^ q[i];
    for (int j = 0; j < m; j++) {
      double x = small[j & 3] * f + u, y = small[(j + v) & 3] * g - w;
      if (x != y) s += x * y + b[j];
    }
    others[i] = u + v + w;
  }
  return s;
}

/* Vectors are made of every second number. */
struct pair {
  int first, second;
} pairs[N];
static int greatest_first(void) {
  int most = 0;
  for (int i = 0; i < N; i++) /* = greatest_first parallel reduction */
    most = most < pairs[i].first ? pairs[i].first : most;
  return most;
}

/* What a pointer leads to is loaded again where something might have changed it: in rows that are not empty. */
struct rows {
  int n, *lengths;
};
struct table {
  struct rows *rows;
  double (*to)[M];
};
static void set(double *to, double x) { *to = x; }
static void chained(const struct table *t) {
  for (int i = 0; i < t->rows->n; i++) /* = chained parallel private ; O2 parallel */
    for (int k = 0; k < t->rows->lengths[i]; k++) /* = chained_row parallel */
      set(&t->to[i][k], i - k);
}

/* Both amounts are the same in every iteration, but not which of them it is. */
struct amounts {
  struct {
    int by;
  } *one, *other;
};
static int one_or_other(const struct amounts *s) {
  int at = 0;
  for (int i = 0; i < N; i++) { /* = one_or_other sequential private recurrence */
    set(&a[at % N], i);
    at += (same[i] > 7 ? s->one : s->other)->by;
  }
  return at;
}

/* What is put aside in the frame, and stored back as it was, or in a vector register that is saved for a while. */
static void put_aside(long step, double factor) {
  double saved = factor;
  __asm__ volatile("movsd %0, %%xmm9" : : "m"(saved));
  for (int i = 0; i < N; i++) { /* = put_aside parallel private */
    long by;
    double x;
    __asm__ volatile("mov %1, %0\n mov %0, %1" : "=&r"(by), "+m"(step));
    __asm__ volatile("movsd %%xmm9, %0\n movsd %0, %%xmm9\n movsd %0, %1" : "+m"(saved), "=x"(x));
    set(&c[i], by * x);
  }
}

/* A variable of the frame that others know, and change. */
static int *known_to_others;
static void change_it(void) { *known_to_others = *known_to_others * 5 % 101; }
static int known(int *it) {
  known_to_others = it;
  return *it;
}
static void changed_by_others(void) {
  int mine = 3;
  int_sink += known(&mine);
  for (int i = 0; i < N; i++) { /* = changed_by_others sequential recurrence */
    set(&a[i], mine * 3);
    change_it();
  }
}

/* Two, and three, that change places. */
static void changing_places(int one, int other, int third) {
  for (int i = 0; i < N; i++) { /* = changing_places sequential private recurrence; O2 sequential recurrence */
    set(&a[i], one);
    int was = one;
    one = other;
    other = was;
  }
  for (int i = 0; i < N; i++) { /* = changing_in_turn sequential private recurrence; O2 sequential recurrence */
    set(&a[i], one);
    set(&b[i], other);
    int was = one;
    one = other;
    other = third;
    third = was;
  }
}

/* A function that moves the stack pointer by a push of what nobody hands it, as clang has it. */
void aligned(int i);
void aligned_body(int i);
__asm__(".text\n.type aligned, @function\naligned:\n push %rax\n call aligned_body\n pop %rcx\n ret\n.size aligned, . - aligned\n");
void aligned_body(int i) { ints[i] = i; }
static void by_aligned(void) {
  for (int i = 0; i < N; i++) /* = by_aligned parallel */
    aligned(i);
}

static int greatest_of_two(void) {
  int most = 0;
  for (int i = 0; i < N; i++) { /* = greatest_of_two parallel private reduction ; O2 parallel reduction */
    const int greater = ints[i] < others[i] ? others[i] : ints[i];
    most = most < greater ? greater : most;
  }
  return most;
}

int main(void) {
  for (int i = 0; i < N + 8; i++) { /* = fill parallel */
    a[i] = i * 0.25 + 1;
    b[i] = i;
  }
  for (int i = 0; i < N; i++) { /* = fill_ints parallel */
    ints[i] = i % 7;
    idx[i] = (i * 37 + 100) % N;
    same[i] = (i * 5) % M;
  }
  struct node *nodes = calloc(M, sizeof *nodes);
  for (int i = 0; i < M - 1; i++) /* = link_nodes parallel */
    nodes[i].next = &nodes[i + 1];
  for (int i = 0; i < M; i++) /* = fill_grid parallel private ; O2 parallel */
    for (int j = 0; j < M; j++) { /* = fill_row parallel */
      grid[i][j] = i + j;
      left[i][j] = i - j;
      right[i][j] = i * j;
    }
  sink += vector_sum() + partial_sums_used() + sum_below(30) + two_updates();
  distance_1();
  steady_bound(&whole);
  moving_bound(&shrinking);
  distance_4();
  anti();
  count_same();
  count_different();
  temporary_scalar();
  temporary_array();
  heap_scratch();
  static_scratch();
  sink += last_value();
  stencil_in_place();
  stencil();
  matrix_product();
  gauss_seidel();
  walk(nodes);
  sink += walk_sum(nodes);
  prefix_sum();
  first_value(3);
  half_result();
  wavefront();
  int_sink += written_sometimes() + index_of_least() + product_of_all() + xor_of_all();
  sink += minus() + minus_from() + farthest() + greatest_by_call() + greatest_or_stored();
  sink += greatest_difference();
  number_all(3);
  sink += greatest_by_macro() + greatest_by_macro_stored();
  sink += least_of_nest() + greatest_by_call_stored() + greatest_of_made() + greatest_then_least();
  int_sink += index_of_greatest() + records() + followed();
  int_sink += maximum() + find(17);
  sink += converge(1);
  print_all();
  allocate();
  randoms();
  int fd[2];
  if (pipe(fd) == 0 && write(fd[1], "1234", 4) == 4)
    read_bytes(fd[0]);
  sink += by_hand();
  once(1);
  sink += depth_first(3);
  strided(3);
  nested_break();
  int_sink += push_if();
  push_two();
  second_counter();
  sink += half_way() + three_updates();
  unsigned grown = 1;
  grow(&grown);
  int_sink += (int)grown + counted_outside() + odd_ones();
  in_function();
  numbers();
  long_statement();
  two_sums(a, b);
  decompose();
  int_sink += minimum() + (int)wide_sum() + not_a_maximum(50) + tokens();
  made_scratch();
  hours();
  put_lines();
  free(nodes);
  for (int i = 0; i < N; i++) /* = fill_counts parallel */
    counts[i] = 1 + i % 7;
  sparse_rows();
  lengths(&(struct offsets){idx, a}, N - 1);
  sink += spilled(N, M, ints, same, 0.5, 0.25);
  int_sink += greatest_of_two();
  for (int i = 0; i < N; i++) /* = fill_pairs parallel */
    pairs[i].first = pairs[i].second = i * 37 % 101;
  int_sink += greatest_first();
  int row_lengths[M] = {3, 0, 2, 0, 0, 5};
  struct rows rows = {M, row_lengths};
  chained(&(struct table){&rows, grid});
  by_aligned();
  put_aside(3, 0.5);
  changing_places(1, 2, 3);
  changed_by_others();
  int_sink += one_or_other(&(struct amounts){(void *)&row_lengths[0], (void *)&row_lengths[2]});
  for (int i = 0; i < N; i++) /* = check parallel reduction */
    int_sink += ints[i] + list[i] + list[N + i];
  printf("%g %d %d %d\n", sink, int_sink, counter, hits);
  return 0;
}

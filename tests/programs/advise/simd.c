/* SPDX-License-Identifier: GPL-2.0-or-later
 * Loops under `omp simd': right ones keep what lanes need, in each wrong one something is in their way. */
enum { N = 64 };
static int a[N + 8], b[N + 8], c[N + 8];
static int total;

/* The statement that stores comes first: all lanes have stored when the next one loads. */
static void right_forward(void) {
#pragma omp simd
  for (int i = 1; i < N; i++) {
    a[i] = b[i];
    c[i] = a[i - 1];
  }
}

static void wrong_backward(void) {
#pragma omp simd
  for (int i = 1; i < N; i++) {
    c[i] = a[i - 1];
    a[i] = b[i];
  }
}

static void right_ahead(void) {
#pragma omp simd
  for (int i = 0; i < N; i++) a[i] = a[i + 1] + 1;
}

static void wrong_before(void) {
#pragma omp simd
  for (int i = 1; i < N; i++) a[i] = a[i - 1] + 1;
}

static void right_far(void) {
#pragma omp simd safelen(4)
  for (int i = 4; i < N; i++) a[i] = a[i - 4] + 1;
}

static void wrong_far(void) {
#pragma omp simd safelen(8)
  for (int i = 4; i < N; i++) a[i] = a[i - 4] + 1;
}

static void right_sum(void) {
  int s = 0;
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < N; i++) s += b[i];
  total += s;
}

static void wrong_sum(void) {
  int s = 0;
#pragma omp simd
  for (int i = 0; i < N; i++) s += b[i];
  total += s;
}

static void right_private(void) {
  int t;
#pragma omp simd private(t)
  for (int i = 0; i < N; i++) {
    int own = b[i];
    t = own + 1;
    a[i] = t;
  }
}

static void wrong_private(void) {
  int t;
#pragma omp simd
  for (int i = 0; i < N; i++) {
    t = b[i] + 1;
    a[i] = t;
  }
}

static void right_shared_out(void) {
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < N; i++) c[i] = b[i] + a[i];
}

static void wrong_counter(void) {
  int k = 0;
#pragma omp simd
  for (int i = 0; i < N; i++) {
    c[i] = b[k];
    k++;
  }
}

static void plain(void) {
  for (int i = 1; i < N; i++) a[i] = a[i - 1] + 1;
}

int main(void) {
  for (int i = 0; i < N + 8; i++) a[i] = b[i] = i;
  right_forward();
  wrong_backward();
  right_ahead();
  wrong_before();
  right_far();
  wrong_far();
  right_sum();
  wrong_sum();
  right_private();
  wrong_private();
  right_shared_out();
  wrong_counter();
  plain();
  return total == 0;
}

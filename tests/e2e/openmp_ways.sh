# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind races` of OpenMP programs passes over what threads repeat: what it says is what all events say, however
# often the trace is cut, and it says which way it went.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"

# both_ways NAME STATUS: of the trace NAME.
both_ways() {
  expect "$2" "$cdrgrind" races --scope=all --show-artifacts --format=json "$1" >"$1.walk"
  expect "$2" "$cdrgrind" races --scope=all --show-artifacts --format=json --from-events "$1" >"$1.events"
  grep -q '"way":"events","way_reason":"strands of a parallel runtime are followed event by event, but for what is repeated' "$1.walk" ||
    fail "$1: $(grep way "$1.walk")"
  grep -q '"way":"events","way_reason":"--from-events was given"' "$1.events" || fail "$1: $(grep way "$1.events")"
  sed 's/"way_reason":"[^"]*"//' "$1.walk" >walk
  sed 's/"way_reason":"[^"]*"//' "$1.events" >events
  cmp -s walk events || fail "$1: the ways differ: $(diff walk events | head -n 4 | cut -c 1-300)"
}

# Inner loops, with calls and without, short and long; rows whose ends lie in one line with others'; sums; a line that all
# threads wait for, each for the one before; a race that decides what long loops do.
cat >ways.c <<'C'
#include <math.h>
#include <stdlib.h>
enum { kRows = 30, kWaiting = 4, kColumns = 203, kRounds = 4 };
static double now[kRows][kColumns], next[kRows][kColumns], left;
static int done[kRows], table[1000];
#ifdef WRONG
#define NEXT now
#else
#define NEXT next
#endif
static double mean(const double* row, int i) { return (row[i - 1] + row[i + 1]) / 2; }
static int deep(int n) { return n < 2 ? n : 1 + deep(n - 2); }
static void rows(void) {
#pragma omp parallel num_threads(3)
  {
#pragma omp for
    for (int r = 0; r < kRows; r++)
      for (int c = 0; c < kColumns; c++) now[r][c] = r * c % 17;
    for (int round = 0; round < kRounds; round++) {
#pragma omp for
      for (int r = 1; r < kRows - 1; r++)
        for (int c = 1; c < kColumns - 1; c++)
          NEXT[r][c] = (mean(now[r], c) + now[r - 1][c] + now[r + 1][c]) / 3;
#pragma omp for reduction(+ : left)
      for (int r = 1; r < kRows - 1; r++)
        for (int c = 1; c < kColumns - 1; c++) {
          left += fabs(next[r][c] - now[r][c]);
          now[r][c] = next[r][c];
        }
    }
  }
}
static void calls(void) {
#pragma omp parallel for num_threads(3) schedule(dynamic, 2)
  for (int r = 0; r < kRows; r++) {
    int n = 0;
    for (int i = 0; i < 100; i++) n += deep(7 + i % 2 * (r & 1));
    for (int i = 0; i < 100; i++) n += table[(i * 37 + r) % 1000];
    next[r][0] = n;
  }
}
static void waits(void) {
#pragma omp parallel num_threads(3)
#pragma omp for schedule(static, 1)
  for (int r = 0; r < kWaiting; r++) {
    if (r > 0)
      while (!*(volatile int*)&done[r - 1]) {
#pragma omp flush
      }
#ifndef WRONG
    for (int c = 1; c < kColumns; c++) now[r][c] = now[r ? r - 1 : r][c] + 1;
#else
    for (int c = 1; c < kColumns; c++) now[r][c] = now[(r + 1) % kRows][c] + 1;
#endif
    *(volatile int*)&done[r] = 1;
  }
}
#ifdef WRONG
static int limit, step, scattered[1000], sum;
// All after the first two follow from these.
static void follow(void) {
#pragma omp parallel num_threads(3)
  {
#pragma omp single nowait
    limit = 40, step = 3;
    for (int i = 0; i < 500; i++) sum += i;
    for (int i = 0; i < limit; i++)
      for (int k = 0; k < 300; k++) scattered[(i * step + k) % 1000]++;
    for (int k = 0; k < 1000; k++) table[k] = scattered[k];
  }
}
#else
static void follow(void) {}
#endif
int main(void) {
  rows();
  calls();
  waits();
  follow();
  return left < 0;
}
C
for level in O0 O2; do
  for kind in RIGHT WRONG; do
    $CC -std=gnu11 -g -$level -fopenmp -D$kind -o ways ways.c -lm
    blocks=$([ $level = O0 ] && echo 5000 || echo 1000000)
    # Else who waits may do so for ever, on a machine under load.
    vg -q --fair-sched=yes --deps=no --cdr-chunk-blocks="$blocks" --cdr-out-file=$kind.$level ./ways
    both_ways $kind.$level 1
    [ $kind = RIGHT ] || grep -q '"artifacts":[1-9]' $kind.$level.walk || fail "no artifacts"
  done
done

for program in worksharing iterations exclusive frames; do
  vg -q --deps=no --cdr-out-file=$program "$cases/${program}_wrong" >out
  both_ways $program 1
done

# What functions of libc do for the program's code in a region, or in a task, to the program's memory.
cat >library.c <<'C'
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
typedef struct { char bytes[300]; } Block;
static char filled[2][3000], text[2][64];
static Block blocks[8];
static long hours;
#ifdef WRONG
#define OWN 0
#else
#define OWN me
#endif
int main(void) {
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
    const time_t t = 100000 * me;
    memset(filled[OWN], me, 2000);
    snprintf(text[OWN], sizeof text[0], "%d of %d at %g", me, omp_get_num_threads(), omp_get_wtime());
    char *const copy = strdup(text[OWN]);
    printf("%s\n", copy);
    free(copy);
#ifndef WRONG
#pragma omp critical
#endif
    hours += localtime(&t)->tm_hour;
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < 8; i++) {
      Block block;
      memset(&block, i, sizeof block);
#pragma omp task firstprivate(block)
      memcpy(&blocks[i], &block, sizeof block);
    }
  }
  return hours == 1 || blocks[7].bytes[0] != 7;
}
C
for level in 0 2; do
  $CC -g -O$level -fno-builtin -fopenmp -o library library.c
  $CC -g -O$level -fno-builtin -fopenmp -DWRONG -o library-wrong library.c
  vg -q --deps=no --cdr-out-file=library.trace ./library >out
  both_ways library.trace 0
  vg -q --deps=no --cdr-out-file=library-wrong.trace ./library-wrong >out
  both_ways library-wrong.trace 1
  python3 - library-wrong.trace.walk library.c <<'END' || fail "-O$level: other races in what libc does"
import json, sys
races = json.load(open(sys.argv[1]))["races"]
asked = [n for n, line in enumerate(open(sys.argv[2]), 1) if "localtime" in line][0]
variables = {r["variable"].split("[")[0] for r in races if r["first"]["line"] != asked}
assert variables == {"filled", "text"}, variables
results = [r for r in races if r["first"]["line"] == asked and r["variable"] != "hours"]
assert results and all(r["location"]["kind"] == "global" for r in results), races
END
done

/* SPDX-License-Identifier: GPL-2.0-or-later
 * Every function of the malloc family. All blocks have sizes that end in 007, by which the test knows them;
 * other blocks are the C library's. (pvalloc's is not among them: it gives whole pages.) */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile size_t huge = (size_t)1 << 60;

static void plain(void) {
  void* p = malloc(1007);
  free(p);
  free(NULL);
  p = calloc(19, 53); /* 1007 */
  printf("calloc: %d\n", *(char*)p);
  free(p);
}

/* A block at the end of the heap grows where it is; one below another moves. */
static void resize(void) {
  char* last = realloc(NULL, 100007);
  char* in_place;
  char* moved;
  char* above;
  memset(last, 'x', 100007);
  in_place = realloc(last, 50007);
  printf("shrunk: %s\n", in_place == last ? "in place" : "moved");
  above = malloc(2007);
  moved = realloc(in_place, 110007);
  printf("grown: %c\n", moved[50006]);
  moved = reallocarray(moved, 53, 19); /* 1007 */
  printf("array: %c\n", moved[1006]);
  printf("to nothing: %d\n", realloc(moved, 0) == NULL);
  free(above);
}

static void* shown(const char* what, void* p, size_t alignment) {
  printf("%s: %s\n", what, (uintptr_t)p % alignment ? "not aligned" : "aligned");
  return p;
}

static void align(void) {
  void* p = NULL;
  free(shown("memalign", memalign(256, 3007), 256));
  free(shown("aligned_alloc", aligned_alloc(512, 4007), 512));
  free(shown("valloc", valloc(5007), 4096));
  printf("posix_memalign: %d\n", posix_memalign(&p, 1024, 6007));
  free(shown("posix_memalign", p, 1024));
  printf("odd posix_memalign: %d\n", posix_memalign(&p, 3, 7007));
}

static void fail(void) {
  void* volatile kept = malloc(8007);
  printf("malloc: %d\n", malloc(huge) == NULL);
  printf("calloc: %d\n", calloc(huge, 1u << 30) == NULL);
  printf("realloc: %d\n", realloc(kept, huge) == NULL);
  printf("reallocarray: %d %s\n", reallocarray(kept, huge, huge) == NULL, strerrorname_np(errno));
  free(kept);
}

int main(void) {
  static char buffer[BUFSIZ];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  plain();
  resize();
  align();
  fail();
  free(pvalloc(9007));
  return 0;
}

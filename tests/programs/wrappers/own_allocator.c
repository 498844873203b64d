/* SPDX-License-Identifier: GPL-2.0-or-later
 * A program with a malloc of its own: its blocks are seen as the C library's would be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function that no call is spared. */
#define KEPT __attribute__((noipa))

static char pool[1 << 20] __attribute__((aligned(16)));
static size_t used;

KEPT void* malloc(size_t bytes) {
  char* p = pool + used;
  if (bytes > sizeof pool - used - 32) return NULL;
  *(size_t*)p = bytes;
  used += 16 + (bytes + 15) / 16 * 16;
  return p + 16;
}

KEPT void* calloc(size_t count, size_t each) { return malloc(count * each); }

KEPT void* realloc(void* old, size_t bytes) {
  size_t* p = malloc(bytes);
  if (p && old) memcpy(p, old, ((size_t*)old)[-2]);
  return p;
}

KEPT void free(void* p) { (void)p; }

/* glibc has it no more. */
void cfree(void* p);
KEPT void cfree(void* p) { (void)p; }

int main(void) {
  char* p = malloc(1007);
  strcpy(p, "moved");
  p = realloc(p, 2007);
  puts(p);
  free(p);
  p = calloc(19, 53); /* 1007 */
  cfree(p);
  return 0;
}

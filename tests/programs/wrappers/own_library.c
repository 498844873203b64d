/* SPDX-License-Identifier: GPL-2.0-or-later
 * A library that brings an allocator of its own. */
#include <stddef.h>
#include <string.h>

void* malloc(size_t bytes);
void* calloc(size_t count, size_t each);
void* realloc(void* old, size_t bytes);
void free(void* p);

static char pool[1 << 20] __attribute__((aligned(16)));
static size_t used;

void* malloc(size_t bytes) {
  char* p = pool + used;
  if (bytes > sizeof pool - used - 32) return NULL;
  *(size_t*)p = bytes;
  used += 16 + (bytes + 15) / 16 * 16;
  return p + 16;
}

void* calloc(size_t count, size_t each) {
  void* p = malloc(count * each);
  return p ? memset(p, 0, count * each) : p;
}

void* realloc(void* old, size_t bytes) {
  size_t* p = malloc(bytes);
  if (p && old) memcpy(p, old, ((size_t*)old)[-2]);
  return p;
}

void free(void* p) { (void)p; }

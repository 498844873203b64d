/* SPDX-License-Identifier: GPL-2.0-or-later
 * The C library's functions for memory and strings, of many lengths, overlapping and not; the heap. */
#include <stdlib.h>
#include <string.h>

static char from[5000], to[5000];

int main(void) {
  for (size_t length = 0; length < 200; length += 7) {
    memset(from, (int)length, length);
    memcpy(to + length % 16, from, length);
    memmove(to + 3, to, length);
    if (memcmp(to + 3, from, length / 16) != 0 && length % 16 == 0) return 1;
  }
  memcpy(to, from, sizeof to);
  memmove(to, to + 1, sizeof to - 1);
  strcpy(from, "a string of some length, so that vector loops turn");
  char* copy = strdup(from);
  if (!copy || strcmp(copy, from) != 0 || strlen(copy) != 50) return 1;
  copy = realloc(copy, 4000);
  const int right = copy && strchr(copy, 'v') == copy + 33;
  free(copy);
  return right ? 0 : 1;
}

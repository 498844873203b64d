/* SPDX-License-Identifier: GPL-2.0-or-later
 * Its allocator is that of a library: see own_library.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char* p = malloc(1007);
  strcpy(p, "moved");
  p = realloc(p, 2007);
  puts(p);
  free(p);
  p = calloc(19, 53); /* 1007 */
  free(p);
  return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 * Two fields are set, printed, set again and printed again: one arrow for each kind of dependence. See
 * two_fields.md. */
#include <stdio.h>

static struct {
  int width;
  int height;
} page;

int main(void) {
  page.width = 210;
  page.height = 297;
  printf("width %d\n", page.width);
  page.width = 148;
  page.height = 210;
  printf("width %d, height %d\n", page.width, page.height);
  return 0;
}

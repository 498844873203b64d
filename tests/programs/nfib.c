/* SPDX-License-Identifier: GPL-2.0-or-later
 * nfib N: as many calls as the number that it prints. */
#include <stdio.h>
#include <stdlib.h>

static long nfib(int n) { return n < 2 ? 1 : nfib(n - 1) + nfib(n - 2) + 1; }

int main(int argc, char** argv) {
  printf("%ld\n", nfib(argc > 1 ? atoi(argv[1]) : 10));
  return 0;
}

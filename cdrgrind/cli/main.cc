// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program cdrgrind.

#include <cstdio>
#include <cstring>

#include "cdrgrind/config.h"

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("cdrgrind " CDRGRIND_VERSION);
    return 0;
  }
  std::fputs("cdrgrind: error: no command; try 'cdrgrind --version'\n", stderr);
  return 2;
}

/* SPDX-License-Identifier: GPL-2.0-or-later
 * Cases of which it is known whether they have a race; the program's argument names one, with - before it the one to leave
 * out. With WRONG defined a clause or a construct is missing. A case is a function, and those before it back to the case before. */
#ifndef CASES_H
#define CASES_H

#include <omp.h>
#include <stdio.h>
#include <string.h>

#ifdef WRONG
#define RIGHT_OR_WRONG(right, wrong) _Pragma(wrong)
#else
#define RIGHT_OR_WRONG(right, wrong) _Pragma(right)
#endif

enum { N = 24 };

typedef struct {
  const char* name;
  void (*run)(void);
} Case;

static int is_wanted(const char* name, const char* argument) {
  if (!argument) return 1;
  return argument[0] == '-' ? strcmp(argument + 1, name) != 0 : strcmp(argument, name) == 0;
}

/* Without an argument all, one after the other. */
#define RUN_CASES(...)                                                         \
  int main(int argc, char** argv) {                                            \
    static const Case cases[] = {__VA_ARGS__};                                 \
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)                \
      if (is_wanted(cases[i].name, argc < 2 ? NULL : argv[1])) cases[i].run(); \
    return 0;                                                                  \
  }

#endif

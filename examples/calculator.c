/* SPDX-License-Identifier: GPL-2.0-or-later
 * A parser by recursive descent whose functions share two global variables. See calculator.md. */
#include <ctype.h>
#include <stdio.h>

static const char *at;
static int depth, deepest;

static int sum(void);

static int number(void) {
  int value = 0;
  while (isdigit((unsigned char)*at)) value = value * 10 + (*at++ - '0');
  return value;
}

static int term(void) {
  if (*at != '(') return number();
  at++;
  if (++depth > deepest) deepest = depth;
  int value = sum();
  depth--;
  at++;
  return value;
}

static int sum(void) {
  int value = term();
  while (*at == '+' || *at == '-')
    if (*at++ == '+')
      value += term();
    else
      value -= term();
  return value;
}

static int result(const char *text) {
  at = text;
  return sum();
}

int main(void) {
  int first = result("17+(20-3)");
  int second = result("(1+(2+3))-(4)");
  printf("%d %d, %d deep\n", first, second, deepest);
  return 0;
}

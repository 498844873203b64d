/* SPDX-License-Identifier: GPL-2.0-or-later
 * Thread-local variables that do not fit into what threads have from the start, and an initialiser. */
static __thread int mine;
static __thread char large[20000];
void touch(int by) {
  mine += by;
  for (int i = 0; i < 20000; i += 500) large[i] = (char)(large[i] + by);
}
int *address(void) { return &mine; }

static int value;
__attribute__((constructor)) static void initialise(void) { value = 1; }
int initialised(void) { return value; }

/* SPDX-License-Identifier: GPL-2.0-or-later
 * The same names as in helgrind.h, so in a file of their own. */
#include <valgrind/drd.h>

void annotate_for_drd(void* object);

void annotate_for_drd(void* object) {
  ANNOTATE_HAPPENS_BEFORE(object);
  ANNOTATE_HAPPENS_AFTER(object);
}

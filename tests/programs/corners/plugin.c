/* SPDX-License-Identifier: GPL-2.0-or-later
 * A plug-in, compiled as two: with -DANSWER=1 and -DANSWER=2, equal but for one byte of code. */
#include <stdlib.h>

int answer(int question) { return abs(question) + ANSWER; }

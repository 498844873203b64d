/* SPDX-License-Identifier: GPL-2.0-or-later
 * What a run costs before and behind the program. */
int main(void) { return 0; }

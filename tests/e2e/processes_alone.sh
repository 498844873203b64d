# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that fork and execute others, recorded without helper processes.
export VALGRIND_OPTS=--helper=no
. "$top_srcdir/tests/e2e/processes.sh"

# SPDX-License-Identifier: GPL-2.0-or-later
# Of random programs with loops of all kinds `cdrgrind advise` finds what its slow reference finds: loops, instances,
# iterations, and what they carry through memory, with counts and distances. Without and with optimisation.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/advise_random_lib.sh"

check_programs 1 2 4 5 7 14 19 23 31 44 58 5007

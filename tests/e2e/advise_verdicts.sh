# SPDX-License-Identifier: GPL-2.0-or-later
# Of loops made of statements whose answer is known `cdrgrind advise` calls none parallel that is not, whatever the
# compiler has made of them.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/advise_verdicts_lib.sh"

check_verdicts 2 3 6

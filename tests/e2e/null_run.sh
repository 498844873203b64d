# SPDX-License-Identifier: GPL-2.0-or-later
# The tool starts, runs a program and passes its status on.
. "$top_srcdir/tests/e2e/common.sh"

vg /bin/true 2>log
grep -q '== cdrgrind-' log || fail "the tool does not say its name"
expect 1 vg -q /bin/false
"$VALGRIND" --tool=cdrgrind --version >version

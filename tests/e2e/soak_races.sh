# SPDX-License-Identifier: GPL-2.0-or-later
# soak_races.sh [N]: as races_random_1.sh, each in one epoch, too, for N fresh seeds, at least 300 of them. The first seed is printed:
# SOAK_SEED=S repeats a run, as far as the threads run as they did.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_random_lib.sh"
# shellcheck disable=SC2034
thorough=yes

fresh_seeds "${1:-300}"
check_race_seeds "${seeds[@]}"

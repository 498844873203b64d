# SPDX-License-Identifier: GPL-2.0-or-later
# soak_random.sh [N]: as dependences_random_1.sh, but thoroughly, for N fresh
# seeds, at least 300 of them. The first seed is printed: SOAK_SEED=S repeats a run.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/random_lib.sh"
# shellcheck disable=SC2034
thorough=yes

fresh_seeds "${1:-300}"
check_seeds "${seeds[@]}"

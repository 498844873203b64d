# SPDX-License-Identifier: GPL-2.0-or-later
# soak_advise.sh [N]: as advise_random.sh, for N fresh seeds, 150 of them (300 programs) unless told. The first seed is
# printed: SOAK_SEED=S repeats a run.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/advise_random_lib.sh"

fresh_seeds "${1:-150}"
check_programs "${seeds[@]}"

# SPDX-License-Identifier: GPL-2.0-or-later
# soak_verdicts.sh [N]: as advise_verdicts.sh, for N fresh seeds, 50 of them (6,000 loops) unless told. The first seed is
# printed: SOAK_SEED=S repeats a run.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/advise_verdicts_lib.sh"

fresh_seeds "${1:-50}"
check_verdicts "${seeds[@]}"

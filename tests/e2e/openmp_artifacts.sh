# SPDX-License-Identifier: GPL-2.0-or-later
# Which races of OpenMP's strands only follow from others: the cases of threads, as sections, tasks, chunks and threads of a
# team, and what strands hand on to each other.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/openmp_lib.sh"

for kind in sections tasks chunks threads; do
  check_artifacts cases "$programs/slice/cases_openmp" $kind
  check_artifacts strands "$programs/slice/strands" $kind
done

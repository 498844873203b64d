# SPDX-License-Identifier: GPL-2.0-or-later
# SARIF and XML of all programs with races.
RACE_PROGRAMS="artifacts atomics hello_objects hello_threads hidden life memory mutexes objects rwlocks spins spins_objects spins_optimised waits"
export RACE_PROGRAMS
. "$top_srcdir/tests/e2e/races_formats.sh"

# SPDX-License-Identifier: GPL-2.0-or-later
# run_race_cases.sh: the slow reference of races on hand-written events.
if ! command -v python3 >/dev/null; then
  echo "SKIP: no python3" >&2
  exit 77
fi
exec python3 -B "$(dirname "$0")/race_cases.py"

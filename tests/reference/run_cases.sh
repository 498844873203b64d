# SPDX-License-Identifier: GPL-2.0-or-later
# run_cases.sh: the slow reference on hand-written events. Every case in cases/ is one definition of
# docs/dependences.md; its .expected was worked out by hand. "options" in the header line are the reference's.
here=$(dirname "$0")
reference=${REFERENCE:-${top_builddir:-.}/tests/reference/dependences}
status=0
for events in "$here"/cases/*.json; do
  options=$(sed -n '1s/.*"options":"\([^"]*\)".*/\1/p' "$events")
  # shellcheck disable=SC2086
  "$reference" $options "$events" | diff "${events%.json}.expected" - >&2 || {
    echo "${events##*/}: not as expected" >&2
    status=1
  }
done
exit $status

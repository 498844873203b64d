# SPDX-License-Identifier: GPL-2.0-or-later
#
# Catch2's headers differ from version to version, and RapidCheck's header for it wants to come after them:
# tests/unit/catch.h and tests/unit/properties.h include them, all others those two.
cd "${top_srcdir:?}" || exit 1

found=$(find tests cdrgrind -type f \( -name '*.h' -o -name '*.cc' \) \
  ! -path tests/unit/catch.h ! -path tests/unit/properties.h -print0 |
  xargs -0 grep -nE '^[ \t]*#[ \t]*include[ \t]*<(catch2/|rapidcheck/catch)')
[ -z "$found" ] || {
  echo "include tests/unit/catch.h or tests/unit/properties.h in place of"
  echo "$found"
  exit 1
}

# SPDX-License-Identifier: GPL-2.0-or-later
# Every source file and every document stands in a Makefile.inc, and each of these is included: what does not
# is neither built nor distributed.
status=0
cd "${top_srcdir:?}" || exit 1
fragments=$(find cdrgrind include web tests examples docs -name Makefile.inc)
# The name as a fragment writes it: below the fragment's own folder. `check_PROGRAMS += %D%/name' implies name.c.
unlisted=$(find cdrgrind include web tests examples docs -type f \
  \( -name '*.h' -o -name '*.cc' -o -name '*.c' -o -name '*.sh' -o -name '*.1' -o -name '*.md' -o -name '*.ts' -o -name '*.css' \) \
  ! -path '*/.deps/*' ! -path 'tests/e2e/*.dir/*' ! -path cdrgrind/config.h ! -name Makefile.inc |
  awk '
    FILENAME != "-" {
      if (/^#/) next
      text[FILENAME] = text[FILENAME] $0 "\n"
      for (n = split($0, words, /[ \t\\]+/); n; n--) word[FILENAME, words[n]]
      next
    }
    {
      program = $0
      sub(/\.c$/, "", program)
      for (dir = $0; sub(/\/[^\/]*$/, "", dir);) {
        fragment = dir "/Makefile.inc"
        if (index(text[fragment], "%D%" substr($0, length(dir) + 1)) || (fragment, "%D%" substr(program, length(dir) + 1)) in word) next
      }
      print $0 ": not in any Makefile.inc"
    }' $fragments -)
if [ -n "$unlisted" ]; then
  echo "$unlisted"
  status=1
fi
# What is included, by its path.
included=$(awk '$1 == "include" {
  dir = FILENAME
  sub(/\/[^\/]*$/, "", dir)
  sub(/^%D%/, dir, $2)
  print $2 }' Makefile.am $fragments)
for fragment in $fragments; do
  grep -qxF "$fragment" <<<"$included" || {
    echo "$fragment: no Makefile.am or Makefile.inc includes it"
    status=1
  }
done
exit $status

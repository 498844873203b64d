# SPDX-License-Identifier: GPL-2.0-or-later
# Every source file and every document stands in a Makefile.inc, and each of these is included: what does not
# is neither built nor distributed.
status=0
cd "${top_srcdir:?}" || exit 1
fragments=$(find cdrgrind include web tests examples docs -name Makefile.inc)
while IFS= read -r file; do
  case $file in cdrgrind/config.h | */Makefile.inc) continue ;; esac
  # The name as a fragment writes it: below the fragment's own folder.
  found=no
  for fragment in $fragments; do
    dir=${fragment%/Makefile.inc}
    case $file in "$dir"/*) ;; *) continue ;; esac
    grep -v '^#' "$fragment" | grep -qF "%D%/${file#"$dir"/}" && found=yes
    # `check_PROGRAMS += %D%/name' implies name.c.
    grep -v '^#' "$fragment" | tr ' \t\\' '\n\n\n' | grep -qxF "%D%/$(
      echo "${file#"$dir"/}" | sed 's/\.c$//')" && found=yes
  done
  if [ $found = no ]; then
    echo "$file: not in any Makefile.inc"
    status=1
  fi
done < <(find cdrgrind include web tests examples docs -type f \
  \( -name '*.h' -o -name '*.cc' -o -name '*.c' -o -name '*.sh' -o -name '*.1' -o -name '*.md' -o -name '*.ts' -o -name '*.css' \) \
  ! -path '*/.deps/*' ! -path 'tests/e2e/*.dir/*')
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

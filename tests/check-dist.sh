# SPDX-License-Identifier: GPL-2.0-or-later
# check-dist.sh SRCDIR DISTDIR: every file of the source tree that someone
# wrote is in the distribution.
src=$1 dist=$2 status=0
dist=$(cd "$dist" && pwd) || exit 1
cd "$src" || exit 1
while IFS= read -r file; do
  case $file in cdrgrind/config.h | cdrgrind/report/html/page_program.inc) continue ;; esac
  if [ ! -e "$dist/$file" ]; then
    echo "$file: not in the distribution; name it in a Makefile.inc" >&2
    status=1
  fi
done < <(find cdrgrind include web tests examples docs -type f \
  \( -name '*.h' -o -name '*.cc' -o -name '*.c' -o -name '*.sh' -o -name '*.inc' -o -name '*.md' \
  -o -name '*.1' -o -path 'web/*' -o -path 'tests/golden/*' -o -path 'tests/traces/*' -o -path 'tests/fuzz/corpus/*' \) \
  ! -path '*/.deps/*' ! -path 'tests/e2e/*.dir/*' ! -name '*~')
exit $status

# SPDX-License-Identifier: GPL-2.0-or-later
# No source file is longer than a reader's patience.
limit=900
status=0
cd "${top_srcdir:?}" || exit 1
while IFS= read -r file; do
  lines=$(wc -l <"$file")
  if [ "$lines" -gt $limit ]; then
    echo "$file: $lines lines, more than $limit"
    status=1
  fi
done < <(find cdrgrind include web tests examples dev .ci Makefile.am configure.ac -type f \
  \( -name '*.h' -o -name '*.cc' -o -name '*.c' -o -name '*.sh' -o -name '*.inc' -o -name '*.ts' -o -name '*.css' -o -name dev \
  -o -name Makefile.am -o -name configure.ac \) ! -path '*/.deps/*')
exit $status

# SPDX-License-Identifier: GPL-2.0-or-later
# No source file is longer than a reader's patience.
limit=900
cd "${top_srcdir:?}" || exit 1
find cdrgrind include web tests examples dev .ci Makefile.am configure.ac -type f \
  \( -name '*.h' -o -name '*.cc' -o -name '*.c' -o -name '*.sh' -o -name '*.inc' -o -name '*.ts' -o -name '*.css' -o -name dev \
  -o -name Makefile.am -o -name configure.ac \) ! -path '*/.deps/*' -exec awk -v limit=$limit '
    FNR == limit + 1 { print FILENAME ": more than " limit " lines"; bad = 1 }
    END { exit bad }' {} +

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# source-files.sh: names, each with a NUL behind it, of what clang-format formats. Programs that tests record and the
# examples are not: what is expected of them names their lines.
exec find cdrgrind include tests/unit tests/bench tests/fuzz tests/reference -type f \
  \( -name '*.h' -o -name '*.cc' -o -name '*.c' \) ! -path cdrgrind/config.h ! -path 'tests/bench/programs/*' \
  ! -path 'tests/reference/cases/*' -print0

# SPDX-License-Identifier: GPL-2.0-or-later
# The random programs and the examples between them have shown every kind of
# dependence: each cell of kind x class x codes x same or other thread was
# counted, save those that rare-cells names with a reason. The programs were
# run by dependences_random_*.sh and dependences_examples.sh, which left tables.
. "$top_srcdir/tests/e2e/common.sh"

tables=("$top_builddir"/tests/e2e/dependences_{random_*,examples}.dir/*.table)
[ -e "${tables[0]}" ] || fail "no tables: dependences_random_*.sh come first"

all_cells() {
  local kind class source target threads
  for kind in RAW WAR WAW; do
    for class in f l o r s; do
      for source in - c h; do
        for target in - c h; do
          for threads in other same; do
            printf '%s\t%s\t%s\t%s\t%s\n' $kind $class $source $target $threads
          done
        done
      done
    done
  done
}

# KIND CLASS SRC TGT THREADS patterns (shell globs) to cells.
rare() {
  local kind class source target threads
  sed 's/#.*//' "$top_srcdir/tests/e2e/rare-cells" | while read -r pattern; do
    [ -n "$pattern" ] || continue
    all_cells | while IFS=$'\t' read -r kind class source target threads; do
      # shellcheck disable=SC2053
      [[ "$kind $class $source $target $threads" == $pattern ]] || continue
      printf '%s\t%s\t%s\t%s\t%s\n' "$kind" "$class" "$source" "$target" "$threads"
    done
  done | sort -u
}

cut -f1-5 "${tables[@]}" | sort -u >seen
all_cells | sort -u >all
rare >rare
if comm -23 all seen | comm -23 - rare | grep .; then fail "cells without a dependence"; fi

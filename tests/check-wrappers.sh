# SPDX-License-Identifier: GPL-2.0-or-later
# The table in docs/wrappers.md has a row for every wrapper of the preload and for nothing else, and the programs that it
# names do call the function, with the result that it says. Those of OpenMP are in docs/openmp.md, and one program calls
# all of gcc's; of MPI in cdrgrind/base/mpi_calls.h.
cd "${top_builddir:?}" || exit 1
document=${top_srcdir:?}/docs/wrappers.md
preload=cdrgrind/preload/vgpreload_cdrgrind-amd64-linux.so
programs=tests/programs/wrappers
openmp_document=${top_srcdir:?}/docs/openmp.md
openmp_program=tests/programs/openmp/entries
status=0

bad() {
  echo "$*"
  status=1
}

# Names in Z-encoding have `Zu' for an underscore and `ZAZa' for the version.
wrapped() {
  nm -D --defined-only "$preload" | sed -n 's/.* _vgw[0-9]*//p' |
    sed -e '/^ZZ_/{s/ZAZa$//;s/^ZZ_[^_]*_//;s/Zu/_/g;}' -e 's/^ZU_[^_]*_//' | sort -u
}

# Those of MPI are in a list of their own; tests/programs/mpi/functions.c calls many.
mpi() { grep -E '^(MPI|mpi)_'; }
mpi_listed() { sed -n 's/^  X([0-9]*, \([A-Za-z_]*\), \([a-z_]*\), .*/MPI_\1\nmpi_\2_\nmpi_\2_f08_/p' "$top_srcdir/cdrgrind/base/mpi_calls.h" | sort -u; }

openmp() { grep -E '^(GOMP|omp|__kmpc)_'; }
of_gcc() { grep -v '^__kmpc_'; }
# `<n>` stands for the four forms of a loop's variable.
openmp_said() {
  sed -n '/^## Entry points/,/^## Strands/p' "$openmp_document" | grep -oE '`[a-zA-Z_0-9]*(<n>)?`' | tr -d '`' |
    sed '/<n>$/{h;s/<n>$/4/p;g;s/<n>$/4u/p;g;s/<n>$/8/p;g;s/<n>$/8u/;}' | openmp | sort -u
}
openmp_called() { nm -u "$openmp_program" | sed -E 's/.* U ([^@]*).*/\1/' | openmp | sort -u; }

rows() { sed -n 's/^| `\(.*\)` | \(.*\) | \(.*\) | \(.*\) |$/\1;\2;\3;\4/p' "$document"; }

calls() { nm "$programs/$1" | sed -E 's/.* ([A-Za-z]) ([^@]*).*/\2/' | grep -qxF "$2"; }

# PROGRAM OPERATION RESULT: whether it is expected to leave the operation so.
leaves() {
  grep -E " $2 leave" "$top_srcdir/$programs/$1.expect" | sed -E 's/.* (failed|unwound)$/\1/; t; s/.*/done/' | grep -qxF "$3"
}

# What a program must cause: PROGRAM FUNCTION OPERATION RESULT.
check() {
  local expect=$top_srcdir/$programs/$1.expect
  [ -f "$expect" ] && [ -x "$programs/$1" ] || { bad "$2: no program $1"; return; }
  calls "$1" "$2" || bad "$2: $1 does not call it"
  case $3 in
    alloc | free | resize*) return ;;
    thread-exit) grep -q "thread-exit enter" "$expect" || bad "$2: not in $1.expect" ;;
    *) leaves "$1" "$3" "$4" || bad "$2: not $4 in $1.expect" ;;
  esac
}

diff <(wrapped | openmp) <(openmp_said) || bad "docs/openmp.md: not the wrappers that there are (< wrapped, > said)"
diff <(wrapped | openmp | of_gcc) <(openmp_called | grep -xF -f <(wrapped)) || bad "$openmp_program: does not call them all"
diff <(wrapped | mpi) <(mpi_listed) || bad "base/mpi_calls.h: not the wrappers of MPI that there are (< wrapped, > listed)"
diff <(wrapped | grep -vE '^(GOMP|omp|__kmpc|MPI|mpi)_') <(rows | cut -d';' -f1 | sort -u) || bad "docs/wrappers.md: not the wrappers that there are (< wrapped, > said)"
[ "$(rows | wc -l)" -gt 50 ] || bad "docs/wrappers.md: few rows"
while IFS=';' read -r function op succeeds fails; do
  check "$succeeds" "$function" "$op" done
  [ "$fails" = – ] || check "$fails" "$function" "$op" failed
done < <(rows)
exit $status

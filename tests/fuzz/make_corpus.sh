#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make_corpus.sh MAKE_CORPUS FOLDER: writes the whole corpus: what the program make_corpus builds, and object
# files of samples/; if VALGRIND_LIB is set also recordings of a program of this machine. Run it when a format has changed;
# the seeds are in the tree so that they need no compiler.
set -euo pipefail
make_corpus=$1 folder=$2
samples=$(cd "$(dirname "$0")/samples" && pwd)
"$make_corpus" "$folder"
mkdir -p "$folder/symbols"
folder=$(cd "$folder" && pwd)

# object NAME SOURCE FLAGS…: relocatable files keep their debug sections unresolved, so each is linked.
object() {
  local name=$1 source=$2
  shift 2
  (cd "$samples" && ${CC:-gcc} -fdebug-prefix-map="$samples=/samples" -fno-asynchronous-unwind-tables -fcf-protection=none \
    -fno-exceptions -nostdlib -static -no-pie -Wl,-z,noseparate-code -Wl,-e,0 -Wl,--build-id=none "$@" "$source" \
    -o "$folder/symbols/$name")
  objcopy --remove-section=.comment "$folder/symbols/$name"
}
object dwarf5 sample.c -O1 -g
object dwarf4 sample.c -O2 -gdwarf-4
object compressed sample.c -O1 -g -gz
object types sample.cc -O1 -g -fdebug-types-section
object types4 sample.cc -O1 -gdwarf-4 -fdebug-types-section
object no_debug sample.c -O1

# recording NAME OPTION…: a small one, that names the C library, the linker and the program.
recording() {
  local name=$1
  shift
  mkdir -p "$folder/trace_libraries"
  (cd / && env -i VALGRIND_LIB="$VALGRIND_LIB" "${VALGRIND:-valgrind}" --tool=cdrgrind --vgdb=no -q --deps=yes "$@" \
    --cdr-out-file="$folder/trace_libraries/$name" /bin/echo hello >/dev/null)
}
if [ -n "${VALGRIND_LIB:-}" ]; then
  recording puts --toggle-collect=puts
  recording locale --toggle-collect=setlocale
  recording epochs --toggle-collect=setlocale --cdr-chunk-blocks=400 --cdr-dataflow=no
fi

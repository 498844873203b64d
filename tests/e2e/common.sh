# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read first by every end-to-end test: `. "$top_srcdir/tests/e2e/common.sh"'.
# Puts the test into a fresh folder of its own below the build folder and
# defines
#   $cdrgrind      the program in the build tree
#   $programs      the folder of the built test programs
#   $examples      the folder of the built examples
#   fail MESSAGE   end as failed
#   skip MESSAGE   end as skipped
#   expect WANT COMMAND...   run it; its exit status must be WANT
#   ends WANT COMMAND...     the same, what it prints goes to the files out and err
#   refused STATUS PATTERN ARGUMENT...   cdrgrind says no: nothing on standard output, a line like the pattern on the
#                  other one
#   fresh_seeds COUNT   sets seeds to so many that follow each other; the first is printed, SOAK_SEED=S repeats a run
#   vg ARGS...     the recorder: valgrind --tool=cdrgrind --deps=yes ARGS
#   record NAME PROGRAM OPTION...   records the program, without dependences, in NAME.trace
#   list_commands  the commands that --help names, a line each, into the file commands; those that print what one trace
#                  holds into the file readers
#   options_in     the options, a line each, that the help on standard input names, without Valgrind's own
#   install_to TARGET VARIABLE=VALUE...   make TARGET for the folder installed, the plug-in into opt/plugin there; what it
#                  prints goes to make.log
#   stand_in_library   builds libmpich.so.12 here: nothing but what the wrappers of MPI want
#   stand_in_ranks PROGRAM NAME   records a program that is linked to it, as rank 0 and 1 of two: NAME0, NAME1
#   known_compiler PROGRAM   whether it was compiled by the GCC of which it is known what it makes of loops: prints known,
#                  or other
#   measured FILE COMMAND...   runs it, without input; FILE then has the most memory that one of its processes had, in MB
#   until_free TRACE   waits until nobody writes it: the helper of a program that was killed may go on for a while
# A command that fails ends the test (set -e).

set -Eeuo pipefail
export LC_ALL=C
# Python's own files stay out of the source folders.
export PYTHONDONTWRITEBYTECODE=1
# Teams of OpenMP are as large on every machine.
export OMP_NUM_THREADS=2 OMP_DYNAMIC=false

: "${top_srcdir:?}" "${top_builddir:?}" "${VALGRIND:?}" "${VALGRIND_LIB:?}"
cdrgrind=$top_builddir/cdrgrind/cli/cdrgrind
programs=$top_builddir/tests/programs
examples=$top_builddir/examples

work=$top_builddir/tests/e2e/$(basename "$0" .sh).dir
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# The interpreter itself, as configure has found it: PATH may have a script that looks for it.
if [ -x "${PYTHON3-}" ] && [ "$(command -v python3)" != "$PYTHON3" ]; then
  PATH=${PYTHON3%/*}:$PATH
fi

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

skip() {
  echo "SKIP: $*" >&2
  exit 77
}

expect() {
  local want=$1 got=0
  shift
  "$@" || got=$?
  [ "$got" = "$want" ] || fail "status $got, not $want: $*"
}

ends() {
  local want=$1 got=0
  shift
  "$@" >out 2>err </dev/null || got=$?
  [ "$got" = "$want" ] || fail "status $got, not $want: $*: $(tail -n 20 err)"
}

refused() {
  local status=$1 pattern=$2
  shift 2
  ends "$status" "$cdrgrind" "$@"
  [ ! -s out ] || fail "$*: something on standard output"
  grep -qE -- "$pattern" err || fail "$*: $(cat err)"
}

list_commands() {
  "$cdrgrind" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
  [ "$(wc -l <commands)" -ge 13 ] || fail "only these commands: $(cat commands)"
  grep -vxE 'record|pack|repack|help|diff|export|mpi|report' commands >readers
}

options_in() {
  sed -n '/^Of Valgrind/,$d; s/^ \{2,4\}\(-[^ ,=]*\)[ ,]\(-[^ =]*\).*/\1\n\2/p; t
    s/^ \{2,4\}\(-[^ =]*\).*/\1/p' | sort
}

# A make of its own: not a part of the one that runs the tests.
install_to() {
  env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS \
    make -C "$top_builddir" -s "$@" DESTDIR="$work/installed" plugindir=/opt/plugin >make.log 2>&1
}

vg() {
  "$VALGRIND" --tool=cdrgrind --vgdb=no --deps=yes "$@"
}

record() {
  local name=$1 program=$2
  shift 2
  vg -q --deps=no --cdr-out-file="$name.trace" "$@" "$program" >/dev/null </dev/null
}

known_compiler() {
  if readelf --string-dump=.comment "$1" | grep -q 'GCC: (Debian 12'; then echo known; else echo other; fi
}

stand_in_library() {
  "$CC" -g -shared -fPIC -Wl,-soname,libmpich.so.12 -o libmpich.so.12 "$top_srcdir/tests/programs/mpi/stand_in.c"
}
stand_in_ranks() {
  local rank
  for rank in 0 1; do
    STAND_IN_RANK=$rank LD_LIBRARY_PATH=$PWD \
      vg -q --cdr-out-file="$2$rank" "$1" $rank >/dev/null </dev/null
  done
}

measured() {
  python3 -c 'import resource, subprocess, sys
status = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL).returncode
open(sys.argv[1], "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
sys.exit(status)' "$@"
}

until_free() {
  for _ in $(seq 3000); do
    ! python3 "$top_srcdir/tests/e2e/locks.py" "$1" </dev/null >/dev/null 2>&1 || return 0
    sleep 0.1
  done
  fail "$1: somebody is still writing it"
}

fresh_seeds() {
  local first=${SOAK_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
  echo "seeds $first to $((first + $1 - 1))"
  mapfile -t seeds < <(seq "$first" $((first + $1 - 1)))
}

trap 'echo "$0: line $LINENO: status $?: $BASH_COMMAND" >&2' ERR

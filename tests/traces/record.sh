#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# record.sh BUILD VERSION: with the build folder BUILD, records the programs of VERSION/ again and writes their traces and what the commands
# say of them. Only for a new format version: recordings of old ones are kept as they are, that is their purpose.
# The programs are recorded as /tmp/recorded/NAME, which tests map to where they are; the plug-in is copied there
# too, for its path is in the traces.
set -euo pipefail
build=$(cd "$1" && pwd)
cdrgrind=$build/cdrgrind/cli/cdrgrind
cd "$(dirname "$0")/$2"
recorded=/tmp/recorded
rm -rf $recorded && mkdir $recorded
cp -rL "$build/vglib" $recorded/lib
cp ./*.c $recorded
small="-g1 -O1 -fno-inline -fcf-protection=none -fno-asynchronous-unwind-tables -Wl,-z,noseparate-code -Wl,--build-id=none"
for source in *.c; do
  name=${source%.c}
  libraries=-pthread
  [ $name != hello ] || libraries="-nostdlib -static"
  (cd $recorded && gcc $small $libraries $source -o $name && objcopy -R .comment $name)
  cp $recorded/$name .
done
trace() {
  local name=$1 status=0
  shift
  (cd $recorded && VALGRIND_LIB=$recorded/lib valgrind.bin --tool=cdrgrind --vgdb=no -q --deps=yes --cdr-out-file="$name.trace" "$@" >/dev/null) || status=$?
  [ $status = "${want:-3}" ] || { echo "$name: status $status" >&2 && exit 1; }
  cp "$recorded/$name.trace" .
}
if [ -f hello.c ]; then
  trace hello ./hello
  trace hello_no_deps --deps=no ./hello
  "$cdrgrind" dump hello.trace >hello.text
  "$cdrgrind" dump --format=json hello.trace >hello.json
  "$cdrgrind" dump --format=lackey hello.trace >hello.lackey
fi
if [ -f threads.c ]; then
  want=22
  trace threads --toggle-collect=work ./threads
  trace threads_no_deps --deps=no --toggle-collect=work ./threads
fi
if [ -f chain.c ]; then
  want=0
  trace chain --cdr-control=predict --toggle-collect=work ./chain
  "$cdrgrind" dump --events=sync chain.trace >chain.text
fi
rm -rf $recorded

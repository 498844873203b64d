# SPDX-License-Identifier: GPL-2.0-or-later
# Threads that throw, open libraries, and end with or without their process.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/processes_lib.sh"

ulimit -c 0
"$CC" -g -O0 -shared -fPIC -DANSWER=1 -o plugin.so "$top_srcdir/tests/programs/corners/plugin.c"
run_way thrown exceptions 1
run_way thrown libraries 1 -- ./plugin.so
run_way thrown uncaught 1
ended uncaught.trace.* 'signal 6'
for way in quick_exit running-exit running-return thread-last; do
  run_alike "$way" -- "$programs/corners/deaths" "$way"
done
ended quick_exit.trace.* 'exit 3'
ended running-exit.trace.* 'exit 5'
ended running-return.trace.* 'exit 0'
ended thread-last.trace.* 'exit 0'
# All threads have an end, also those that the process's end has stopped.
for way in running-exit running-return thread-last; do
  "$cdrgrind" dump --events=thread "$way".trace.* >threads
  [ "$(grep -c ' thread-start ' threads)" = "$(grep -c ' thread-end' threads)" ] || fail "$way: $(cat threads)"
done

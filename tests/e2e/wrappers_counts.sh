# SPDX-License-Identifier: GPL-2.0-or-later
# 1, 2, 4, 8 threads at a time and 500 in succession, in C and in C++: every thread has its creation, its work on
# the mutex and its join in the trace, by its serial number.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/wrappers_lib.sh"

# The operations of both programs.
expected() {
  awk 'function pair(thread, op, enter, leave) {
         print "thread " thread " " op " enter" enter
         print "thread " thread " " op " leave" leave
       }
       function run(threads,    i) {
         for (i = 1; i <= threads; i++) pair(1, "thread-create", "", " value " last + i)
         for (i = 1; i <= threads; i++) pair(1, "thread-join", "", " value " last + i)
         for (i = 1; i <= threads; i++) pair(last + i, "mutex-lock", " lock", " lock")
         for (i = 1; i <= threads; i++) pair(last + i, "mutex-unlock", " lock", " lock")
         last += threads
       }
       BEGIN {
         last = 1
         for (threads = 1; threads <= 8; threads *= 2) run(threads)
         for (i = 0; i < 500; i++) run(1)
       }'
}

sources=$work
for name in thread_counts thread_counts_cxx; do
  expected >$name.expect
  check_wrapper $name >$name.diff || fail "$name: $(head -n 20 $name.diff)"
done
[ "$(wc -l <thread_counts.expect)" = 4120 ] || fail "$(wc -l thread_counts.expect)"

# SPDX-License-Identifier: GPL-2.0-or-later
# The dependence tables stay small however many calls there are: nfib(32), seven million calls, takes at most
# 64 MB more with dependences than without.
. "$top_srcdir/tests/e2e/common.sh"

valgrind=$VALGRIND
[ ! -x "$valgrind.bin" ] || valgrind=$valgrind.bin

# peak OPTION...: kilobytes.
peak() {
  "$programs/measure" "$valgrind" --tool=cdrgrind --vgdb=no -q --cdr-data=none "$@" \
    --cdr-out-file=nfib.trace "$programs/nfib" 32 >out 2>err || fail "$(cat err)"
  [ "$(cat out)" = 7049155 ] || fail "nfib(32) is $(cat out)"
  tail -n 1 err | cut -d" " -f3
}

without=$(peak --deps=no)
with=$(peak --deps=yes)
echo "$without kB without dependences, $with kB with"
[ $((with - without)) -le $((64 * 1024)) ] || fail "$((with - without)) kB more with dependences"
"$cdrgrind" verify nfib.trace >verify || fail "$(cat verify)"
# None was given up for want of memory.
"$cdrgrind" annotate nfib.trace >listing 2>err
! grep -q incomplete err || fail "$(cat err)"

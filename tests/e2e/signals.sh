# SPDX-License-Identifier: GPL-2.0-or-later
# Signals from a timer of 1 kHz: nested, on a stack of their own, jumping out, interrupting system calls.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/processes_lib.sh"

for way in plain stack nested nested-stack jump timer restart interrupt; do
  run_way signals $way 1 --deps=no
done
enters() { "$cdrgrind" dump --events=signal "$1".trace.* | grep -c " signal-enter "; }
leaves() { "$cdrgrind" dump --events=signal "$1".trace.* | grep -c " signal-leave "; }
for way in plain stack nested nested-stack timer; do
  [ "$(enters $way)" -ge 25 ] || fail "$way: $(enters $way) signals"
  [ "$(enters $way)" = "$(leaves $way)" ] || fail "$way: $(enters $way) enter, $(leaves $way) leave"
done
[ "$(leaves jump)" -lt 10 ] || fail "jump: $(leaves jump) handlers return"

# SPDX-License-Identifier: GPL-2.0-or-later
# Handlers that jump out: their frames, and those that the jump leaves besides, end by Pop, and nothing is left
# over. Handlers that return end by signal-leave, where they had begun.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/recording.sh"

record long_jumps
events long_jumps --events=signal,call >long_jumps.events

[ "$(count ' signal-enter signal=10 ' <long_jumps.events)" = 20 ] || fail "not 20 signals that jump out"
[ "$(count ' signal-enter signal=12 ' <long_jumps.events)" = 20 ] || fail "not 20 signals that return"
[ "$(count ' signal-leave ' <long_jumps.events)" = 20 ] || fail "not 20 returns from a handler"
awk '/ signal-enter signal=12 / { at = $5 } / signal-leave / && $4 != at { exit 1 }' long_jumps.events ||
  fail "a handler leaves to another place than where it came from"

# Between a jump and main's next call lie the frames of raise_from_below (6), raise and its own, the signal's,
# those of jump_from_below (4) and jump_out, siglongjmp and its own.
awk '
  / call / { depth++ }
  / signal-enter / { depth++ }
  / return / { depth-- }
  / signal-leave / { depth-- }
  / pop / { split($4, n, "="); depth -= n[2]; if (n[2] > 12) jumps++ }
  / call ip=main/ && !(seen++) { level = depth }
  / call ip=main/ && depth != level { print "depth " depth ", not " level ": " $0; wrong = 1 }
  END { if (jumps != 20) print jumps " jumps over 12 frames"; exit wrong || jumps != 20 }
' long_jumps.events || fail "frames are lost or left over"

# SPDX-License-Identifier: GPL-2.0-or-later
# Frames entered and left in other ways than call and return: each call of main finds as many frames as the
# one before, and the functions on top have their names.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/recording.sh"

# level NAME: every call made by main is at the same depth.
level() {
  awk '
    / call / { depth++ }
    / return / { depth-- }
    / pop / { split($4, n, "="); depth -= n[2] }
    / call ip=main/ && !(seen++) { level = depth }
    / call ip=main/ && depth != level { print "depth " depth ", not " level ": " $0; wrong = 1 }
    END { exit wrong || !seen }
  ' "$1.events" || fail "$1: frames are lost or left over"
}

record calls
events calls --events=call,block >calls.events
level calls
# A tail call opens no frame: three functions, one call and one return.
[ "$(count ' block .* addr=tail_third flags=entry exit=return' <calls.events)" = 5 ] || fail "not five tail calls"
! grep -A1 ' block .* addr=tail_\(first\|second\)' calls.events | grep -E ' (call|return|pop) ' || fail "a tail call makes a frame"
grep -A1 ' block .* addr=tail_third' calls.events | count ' return ' | grep -qx 5 || fail "tail calls do not return"
# Its caller's frame ends with it.
grep -A1 ' block .* addr=skip_one' calls.events | count ' pop count=1$' | grep -qx 5 || fail "no Pop of the frame thrown away"
grep -A2 ' block .* addr=skip_one' calls.events | count ' return ' | grep -qx 5 || fail "no Return of the frame in its place"

# An exception leaves 2 to 11 frames of the program and those of the runtime at once.
record exceptions
events exceptions --events=call,block >exceptions.events
level exceptions
[ "$(count ' block .* addr=behind flags=entry' <exceptions.events)" = 10 ] || fail "not ten exceptions caught"

# SPDX-License-Identifier: GPL-2.0-or-later
# Coroutines and handlers on stacks of their own: every switch is told, the frames of the stack that is left
# wait, and those of the other go on.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/recording.sh"

record switches
events switches --events=stack,signal,call,thread >switches.events

# The thread's own, two on the heap, two mapped, two registered, one alternate for signals.
[ "$(grep -oE ' stack=[0-9]+' switches.events | sort -u | wc -l)" = 8 ] || fail "not eight stacks"

# In each place: main to low, 10 times to and fro, back to main. Three handlers: there and back.
[ "$(count ' stack-switch ' <switches.events)" = $((3 * 12 + 3 * 2)) ] || fail "$(count ' stack-switch ' <switches.events) switches"
see switches ' signal-enter signal=10 '
grep -B1 ' signal-enter ' switches.events | count ' stack-switch .* range=stack.*' | grep -qx 3 || fail "handlers are not on the alternate stack"
grep -A1 ' signal-leave ' switches.events | count ' stack-switch ' | grep -qx 3 || fail "a handler does not leave to the stack below"

# Both ways round in address order.
awk '/ stack-switch / { split($0, part, "sp=0x"); sp = part[2]; if (length(sp) == length(before) && before != "") if (sp > before) up++; else down++; before = sp }
  END { exit !(up > 12 && down > 12) }' switches.events || fail "not upwards and downwards"

# Per stack, what is called returns to where it was called. A coroutine's root and the frame that ends by
# leaving it may stay open.
awk '
  { for (i = 3; i <= NF; i++) if ($i ~ /^stack=/) stack = $i }
  / call / || / signal-enter / { depth[stack]++ }
  / return / || / signal-leave / { depth[stack]-- }
  / pop / { split($4, n, "="); depth[stack] -= n[2] }
  depth[stack] < 0 { print "a frame too many ends: " $0; exit 1 }
  / call ip=main/ && !(seen++) { level = depth[stack] }
  / call ip=main/ && depth[stack] != level { print "depth " depth[stack] ", not " level ": " $0; exit 1 }
' switches.events || fail "frames are lost or left over"

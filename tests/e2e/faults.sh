# SPDX-License-Identifier: GPL-2.0-or-later
# A fault in the middle of a block: the event says at which instruction, and has the accesses before it. No
# exit is claimed that was not taken.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/recording.sh"

record faults
events faults --events=block,access,signal,call >faults.events
signal() { # behind which event, at which instruction
  grep -A1 -E -- "$1" faults.events | grep -qE "signal-enter signal=$2 ip=$3 " || fail "no signal $2 at $3"
}

# movaps has an exit for wrong alignment, which was not taken; the load behind it faults.
see faults ' partial .* addr=aligned_then_fault .* ip=aligned_faults_here .* @aligned_then_fault L line,16 .* L line\+16,8$'
see_not faults ' block .* addr=aligned_then_fault'
signal ' partial .* ip=aligned_faults_here' 11 aligned_faults_here

# Now it is taken: the block ends there, and movaps counts as not executed.
see faults ' block .* addr=misaligned .* exit=fault,alignment,not-executed .* @misaligned L first,8$'
see_not faults ' partial .* addr=misaligned'
signal ' block .* addr=misaligned' 11 misaligned_faults_here

see faults ' partial .* addr=second_half .* ip=half_faults_here .* @second_half S first,8 @second_half\+[0-9]+ L first,8 @second_half\+[0-9]+ S second,8 @second_half\+[0-9]+ L counter,8 S counter,8:modify$'
see_not faults ' block .* addr=second_half'
signal ' partial .* ip=half_faults_here' 11 half_faults_here

# Three elements complete, each with its load and store; the fourth faults.
[ "$(count ' block .* @repeat_faults_here L 0x[0-9a-f]+,1 S line(\+[12])?,1' <faults.events)" = 3 ] || fail "not three elements"
see faults ' partial .* ip=repeat_faults_here'
signal ' partial .* ip=repeat_faults_here' 11 repeat_faults_here

see faults ' partial .* addr=division .* ip=division_here .* @division L first,8 @division\+[0-9]+ S second,8 @division\+[0-9]+ @division\+[0-9]+ L zero,8$'
signal ' partial .* ip=division_here' 8 division_here

see faults ' block .* addr=undecodable .* exit=undecodable,not-executed .* @undecodable L first,8$'
signal ' block .* addr=undecodable' 4 undecodable_here

# No store behind a fault, and every handler jumped out.
see_not faults ' S never'
see_not faults ' signal-leave'
[ "$(count ' signal-enter ' <faults.events)" = 6 ] || fail "not six signals"

# SPDX-License-Identifier: GPL-2.0-or-later
# 200 threads one after the other: each has a serial number of its own, though Valgrind's ids and pthread_t
# values are used again, and joins name the right one.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/recording.sh"

record succession
events succession --events=thread,sync >succession.events

[ "$(count ' thread-create ' <succession.events)" = 200 ] || fail "$(count ' thread-create ' <succession.events) creations"
[ "$(grep ' thread-start ' succession.events | cut -d' ' -f2 | sort -n | tr '\n' ' ')" = "$(seq -s' ' 1 201) " ] || fail "serials are not 1 to 201"
[ "$(count ' thread-start .* creator=1$' <succession.events)" = 200 ] || fail "creators"
[ "$(count ' thread-end$' <succession.events)" = 201 ] || fail "$(count ' thread-end$' <succession.events) ends"
used_again=$(grep ' thread-start ' succession.events | grep -o 'pthread=0x[0-9a-f]*' | sort | uniq -d | wc -l)
[ "$used_again" -gt 0 ] || fail "the test shows nothing: no pthread_t was used again"
joined=$(grep ' sync-leave op=thread-join ' succession.events | grep -oE 'value=[0-9]+' | cut -d= -f2 | tr '\n' ' ')
[ "$joined" = "$(seq -s' ' 2 201) " ] || fail "joined: $joined"
# Each thread's addition depends on the one before: in main, from one pthread_create to the next.
create="$(line succession pthread_create)c"
rows succession >succession.rows
for t in $(seq 2 200); do
  grep -qxE "RAW o main $create $create [0-9]+ $t-$((t + 1))" succession.rows || fail "no dependence of thread $((t + 1)) on $t"
done

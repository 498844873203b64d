# SPDX-License-Identifier: GPL-2.0-or-later
# Handlers on alternate stacks and coroutines hang below what they interrupt and what resumes them, each time anew: in
# dependences, three ways, and in the stacks that dump prints.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/recording.sh"
. "$top_srcdir/tests/e2e/random_lib.sh"

record handlers
compare_keys handlers
rows handlers --class=all >handlers.rows
at() { line handlers "/* $1 */"; }
dependence() { grep -qE -- "^$1 [0-9]+\$" handlers.rows || fail "not there: $1; there are:
$(cat handlers.rows)"; }
no_dependence() { ! grep -E -- "^$1 [0-9]+\$" handlers.rows || fail "is there: $1"; }

# The line between two signals depends on the first, and the second on it.
dependence "WAR o from_two_places $(at 'first signal')c $(at between)"
dependence "RAW o from_two_places $(at between) $(at 'second signal')c"
dependence "RAW o from_two_places $(at 'first signal')c $(at 'second signal')c"
no_dependence "RAW o from_two_places $(at between) $(at 'first signal')c"
dependence "RAW o left_by_a_jump $(at 'after the jump') $(at 'signal after the jump')c"
dependence "RAW o on_signal $(at 'before the inner handler') $(at 'inner signal')c"

# In the coroutine: its own steps meet there; what is outside meets the resumption.
dependence "RAW s generate $(at 'own step') $(at step)"
dependence "RAW s generate $(at 'own step') $(at 'own step')"
dependence "WAR o generate $(at step) $(at step)"
dependence "RAW o coroutine $(at 'first resumption')c $(at 'between resumptions')"
dependence "RAW o coroutine $(at 'between resumptions') $(at 'second resumption')c"
dependence "RAW o coroutine $(at 'second resumption')c $(at 'after resumptions')"
dependence "RAW o coroutine $(at 'for the coroutine') $(at 'second resumption')c"
no_dependence "RAW o coroutine $(at 'first resumption')c $(at 'after resumptions')"

# The frames below a handler, found by reading and without, in epochs of all sizes, from main on.
stack_is() {
  local trace=$1 execution=$2 want
  shift 2
  "$cdrgrind" dump --thread=1 --at-line="handlers.c:$(at handler):$execution" "$trace" >got
  want=$(printf '%s\n' "$@")
  [ "$(sed -n 's/^#[0-9]* 0x[0-9a-f]* \([a-z_]*\) .*/\1/p' got | grep -xF "$want")" = "$want" ] ||
    fail "$trace: execution $execution of the handler: not $*: $(cat got)"
}
for blocks in 1 3 20; do
  vg -q --cdr-out-file="short$blocks.trace" --cdr-chunk-blocks=$blocks --toggle-collect=main "$programs/corners/handlers" \
    >out </dev/null
done
for trace in handlers short1 short3 short20; do
  "$cdrgrind" verify $trace.trace >verify.out || fail "$trace: $(tail -n 5 verify.out)"
  stack_is $trace.trace 1 on_signal first from_two_places main
  stack_is $trace.trace 2 on_signal second from_two_places main
  stack_is $trace.trace 3 on_signal first nested main
  stack_is $trace.trace 4 on_signal first left_by_a_jump main
  stack_is $trace.trace 5 on_signal second left_by_a_jump main
  stack_is $trace.trace 8 on_signal generate
done

# The coroutine's loop is still open when the program ends, on a stack that nobody runs on: it counts all the same.
"$cdrgrind" advise handlers.trace >advice
grep -A1 '  generate  ' advice | grep -q ' 1 instance, 2 iterations, ' || fail "advise lacks the coroutine's loop: $(cat advice)"

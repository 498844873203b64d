# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read after common.sh by the tests of the wrappers. Defines
#   check_wrappers OPTIONS...   every program of tests/programs/wrappers that has a NAME.expect runs under the
#                               recorder as it does alone, the trace has the operations that NAME.expect lists,
#                               its invariants hold, and its log orders what the program did. With options
#                               only those that have threads
#
# A NAME.expect lists, thread by thread, the operations on the program's own objects.
#
#   thread 2 cond-wait leave changed lock result 110 failed
#   thread 1 alloc 1007 | thread 1 free 1007 | thread 1 resize 1007 2007
#   serial threads of barrier: 1
#
# An object is a variable of the program, whose address `nm' knows; a block is one whose size ends in 007. What
# libraries do to their own is left out. The value of thread-* is the serial number of the other thread.

sources=$top_srcdir/tests/programs/wrappers
command -v python3 >/dev/null || skip "no python3"

variables() {
  nm -C --defined-only "$1" | sed -n 's/^0*\([1-9a-f][0-9a-f]*\) [bBdD] \(.*\)/\1 \2/p' |
    while read -r address name; do echo "$((0x$address)) $name"; done
}

# variables, then the dump: lines as in the .expect files, by thread.
operations() {
  awk '
    function number(key) { return match($0, "\"" key "\":-?[0-9]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : 0 }
    function word(key) { return match($0, "\"" key "\":\"[^\"]*\"") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5) : "" }
    function operand(key,    address) { address = number(key); return address in name ? " " name[address] : "" }
    function nonzero(label, key) { return number(key) != 0 ? " " label number(key) : "" }
    function flag(text) { return index($0, "\"" text "\"") ? " " text : "" }
    function ours(size) { return size % 1000 == 7 }
    FNR == NR { name[$1] = substr($0, length($1) + 2); objects[name[$1]] = 1; next }
    { thread = "thread " number("thread") " "; event = word("event"); op = word("op") }
    event ~ /^sync-/ {
      about_thread = op ~ /^thread-/
      if (!about_thread && !(number("object") in name)) {
        unnamed += op ~ /^cond-/
        next
      }
      line = thread op " " substr(event, 6) (about_thread ? "" : operand("object") operand("object2"))
      leave = event == "sync-leave"
      if (leave && op == "barrier-wait") {
        if (number("value") != 0) serials[name[number("object")]]++
        print line
        next
      }
      print line (leave || !about_thread ? nonzero("value ", "value") : "") (leave ? nonzero("result ", "result") flag("failed") flag("unwound") : "")
    }
    (event == "alloc" || event == "free") && ours(number("size")) { print thread event " " number("size") }
    event == "resize" && ours(number("size")) { print thread event " " number("size") " " number("new_size") }
    event ~ /^hide-/ { print thread event }
    END {
      for (barrier in serials) print "serial threads of " barrier ": " serials[barrier] | "sort"
      if ("old" in objects) print "conditions without a name: " unnamed + 0
    }
  ' "$1" "$2" | sort -s -k1,1r -k2,2n
}

# NAME OPTIONS...: its trace and what is seen of it; the differences go to stdout.
check_wrapper() {
  local name=$1 status=0
  shift
  "$programs/wrappers/$name" >"$name.want" 2>"$name.want-err" || status=$?
  expect "$status" vg -q --log-file="$name.log" "$@" --cdr-out-file="$name.trace" "$programs/wrappers/$name" \
    >"$name.out" 2>"$name.err"
  cmp "$name.want" "$name.out"
  cmp "$name.want-err" "$name.err"
  variables "$programs/wrappers/$name" >"$name.variables"
  "$cdrgrind" dump --format=json --events=sync,heap,hide,thread "$name.trace" >"$name.json"
  operations "$name.variables" "$name.json" >"$name.operations"
  sed '/^#/d' "$sources/$name.expect" | sort -s -k1,1r -k2,2n | diff - "$name.operations" &&
    "$cdrgrind" verify "$name.trace" >"$name.verify" && python3 "$top_srcdir/tests/e2e/sync_order.py" "$name.json"
}

check_wrappers() {
  local file name bad=
  for file in "$sources"/*.expect; do
    name=$(basename "$file" .expect)
    [ $# = 0 ] || grep -q thread-create "$file" || continue
    check_wrapper "$name" "$@" || bad="$bad $name"
  done
  [ -z "$bad" ] || fail "other operations than expected (< expected, > seen), or in another order:$bad"
}

# Three threads that are always ready, with a switch at `enter` or `leave`, into switches.trace. They share one arena, so
# a block that realloc moves away from can be another thread's before realloc has returned.
record_switches() {
  GLIBC_TUNABLES=glibc.malloc.arena_max=1:glibc.malloc.tcache_count=0 \
    vg -q --cdr-test-switch="$1" --cdr-out-file=switches.trace "$programs/wrappers/thread_switches" >switches.out
  "$cdrgrind" verify switches.trace >switches.verify
}

# The switch did take place, inside of most operations of switches.trace.
check_switched() {
  "$cdrgrind" dump --format=json switches.trace |
    awk -v mode="$1" -F'"event":"' '
      { event = substr($2, 1, index($2, "\"") - 1) }
      mode == "enter" && last == "sync-enter" { all++; inside += event == "turn" || event == "thread-start" }
      mode == "leave" && event == "sync-leave" { all++; inside += last == "turn" }
      { last = event }
      END { print inside + 0 " of " all " switched"; exit !(all > 300 && inside > 0.6 * all) }' >switches.count ||
    fail "few switches: $(cat switches.count)"
}

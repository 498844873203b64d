# SPDX-License-Identifier: GPL-2.0-or-later
# Programs run under the recorder as they do alone, and each of their synchronisation and heap operations is in
# the trace: NAME.expect lists, thread by thread, those on the program's own objects.
#
#   thread 2 cond-wait leave changed lock result 110 failed
#   thread 1 alloc 1007 | thread 1 free 1007 | thread 1 resize 1007 2007
#   serial threads of barrier: 1
#
# An object is a variable of the program, whose address `nm' knows; a block is one whose size ends in 007. What
# libraries do to their own is left out. The value of thread-* is the serial number of the other thread.
. "$top_srcdir/tests/e2e/common.sh"

sources=$top_srcdir/tests/programs/wrappers

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
    FNR == NR { name[$1] = $2; next }
    { thread = "thread " number("thread") " "; event = word("event"); op = word("op") }
    event ~ /^sync-/ {
      about_thread = op ~ /^thread-/
      if (!about_thread && !(number("object") in name)) next
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
    END { for (barrier in serials) print "serial threads of " barrier ": " serials[barrier] | "sort" }
  ' "$1" "$2" | sort -s -k1,1r -k2,2n
}

check() {
  local name=$1 status=0
  "$programs/wrappers/$name" >"$name.want" || status=$?
  expect "$status" vg -q --cdr-out-file="$name.trace" "$programs/wrappers/$name" >"$name.out"
  cmp "$name.want" "$name.out"
  variables "$programs/wrappers/$name" >"$name.variables"
  "$cdrgrind" dump --format=json --events=sync,heap "$name.trace" >"$name.json"
  operations "$name.variables" "$name.json" >"$name.operations"
  sed '/^#/d' "$sources/$name.expect" | sort -s -k1,1r -k2,2n | diff - "$name.operations" || bad="$bad $name"
}

bad=
for file in "$sources"/*.expect; do
  check "$(basename "$file" .expect)"
done
[ -z "$bad" ] || fail "other operations than expected (< expected, > seen):$bad"

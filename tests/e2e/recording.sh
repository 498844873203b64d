# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read by tests that record the programs of tests/programs/corners, after common.sh. These are linked at
# fixed addresses, so nm knows what stands where. Defines
#   record NAME [OPTION...] [-- ARGUMENT...]
#                             NAME runs under the recorder as it does alone (output, status), and its trace,
#                             NAME.trace, is sound
#   events NAME [OPTION...]   `cdrgrind dump' of it, addresses of the program's symbols by name: counter+8
#   rows NAME [OPTION...]     the dependences within the program, one a line, by line of its source:
#                             KIND CLASS ANCESTOR LINE[c|h] LINE[c|h] COUNT [THREAD-THREAD]
#   line NAME TEXT            the number of the source's line with TEXT, which stands for `/* TEXT */' too
#   count PATTERN             how many lines of the input match (none is fine)
#   see NAME PATTERN          fail unless an event of NAME (in NAME.events) matches
#   see_not NAME PATTERN

corners=$top_srcdir/tests/programs/corners

record() {
  local name=$1 options=() native=0 status=0
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  [ $# = 0 ] || shift
  "$programs/corners/$name" "$@" >"$name.want" 2>"$name.native.err" </dev/null || native=$?
  vg -q --cdr-out-file="$name.trace" "${options[@]}" "$programs/corners/$name" "$@" \
    >"$name.out" 2>"$name.err" </dev/null || status=$?
  [ "$status" = "$native" ] || fail "$name: status $status, alone $native: $(cat "$name.err")"
  cmp "$name.want" "$name.out"
  sound "$name"
}

# A trace that verify finds fine.
sound() {
  "$cdrgrind" verify "$1.trace" >"$1.verify" || fail "$1: verify: $(tail -n 20 "$1.verify")"
}

events() {
  local name=$1
  shift
  nm -t d -S --defined-only "$programs/corners/$name" >"$name.symbols"
  "$cdrgrind" dump "$@" "$name.trace" | awk '
    FNR == NR {
      size = NF == 4 ? $2 + 0 : 1
      if ($NF ~ /^(_|\.)/) next
      if (size > 8192) size = 1
      for (i = 0; i < size; i++) {
        at = sprintf("0x%x", $1 + i)
        if (i == 0 || !(at in symbol)) symbol[at] = $NF (i ? "+" i : "")
      }
      next
    }
    {
      out = ""
      while (match($0, /0x[0-9a-f]+/)) {
        at = substr($0, RSTART, RLENGTH)
        out = out substr($0, 1, RSTART - 1) (at in symbol ? symbol[at] : at)
        $0 = substr($0, RSTART + RLENGTH)
      }
      print out $0
    }' "$name.symbols" -
}

rows() {
  local name=$1 end
  shift
  end="[{]\"file\":\"[^\"]*/$name\\.c\",\"line\":([0-9]+),\"code\":\"([ch]?)\"[}]"
  "$cdrgrind" annotate --format=json "$@" "$name.trace" |
    sed -E 's/,"threads":\[([0-9]+),([0-9]+)\]/ \1-\2/; s/\{"kind"/\n&/g' | sed -nE \
    "s|^\{\"kind\":\"(...)\",\"class\":\"(.)\",\"ancestor\":\"([^\"]*)\",\"source\":$end,\"target\":$end,\"count\":([0-9]+( [0-9]+-[0-9]+)?)[,}].*|\1 \2 \3 \4\5 \6\7 \8|p"
}

line() {
  local number
  number=$(grep -nF -- "$2" "$corners/$1.c" | cut -d: -f1)
  [ -n "$number" ] && [ "$(wc -w <<<"$number")" = 1 ] || fail "$1.c: '$2' is not on one line but on: $number"
  echo "$number"
}

count() {
  grep -cE -- "$1" || :
}

see() {
  grep -qE -- "$2" "$1.events" || fail "$1: no event is like: $2"
}

see_not() {
  local seen
  ! seen=$(grep -m3 -E -- "$2" "$1.events") || fail "$1: an event is like: $2
$seen"
}

# SPDX-License-Identifier: GPL-2.0-or-later
# Programs without debug information: reports say so once, in their head, and tell code by its address. Loops of one
# function are not taken for parts of one loop because nobody knows their lines.
. "$top_srcdir/tests/e2e/common.sh"

# has PATTERN: in the report.
has() { grep -qE -- "$1" report || fail "$name: not '$1': $(cat report)"; }
has_not() { ! grep -qE -- "$1" report || fail "$name: '$1': $(cat report)"; }

source=$top_srcdir/tests/programs/advise/bare_loops.c
"$CC" -O1 -pthread -o bare "$source"
strip -o stripped bare
"$CC" -O1 -g -pthread -o full "$source"
ln -s stripped linked

for name in bare stripped; do
  expect 0 "$cdrgrind" record -q --cdr-out-file=trace "./$name" >/dev/null
  expect 0 "$cdrgrind" advise -n 0 trace >report
  has 'Symbols: .* without debug info, the program among them: compile it with -g$'
  [ "$(grep -cE '^0x[0-9a-f]+  .*  ?(parallel|pipeline|sequential|no verdict)' report)" -ge 7 ] ||
    fail "$name: loops are joined, or have no address: $(cat report)"
  has_not 'the compiler has made'
  has '^      exit +at 0x[0-9a-f]+$'
  has_not 'line 0| 1 times| 1 iterations'
  expect 0 "$cdrgrind" annotate trace >report
  has 'the program among them: compile it with -g$'
  ends 1 "$cdrgrind" races trace
  cp out report
  has 'the program among them: compile it with -g$'
  has '^Presumed: +plain stores beside atomic instructions are atomic'
  case $name in
    bare) has '^        at 0x[0-9a-f]+: count \(in bare\)$' ;;
    stripped) has '^        at 0x[0-9a-f]+: \?\?\? \(in stripped\)$' ;;
  esac
done

# By a name that is not the file's.
name=linked
PATH=$PWD:$PATH expect 0 "$cdrgrind" record -q --cdr-out-file=trace linked >/dev/null
expect 0 "$cdrgrind" advise trace >report
has '^Program: +/.*/stripped$'
has 'the program among them: compile it with -g$'

name=full
expect 0 "$cdrgrind" record -q --cdr-out-file=trace ./full >/dev/null
expect 0 "$cdrgrind" advise -n 0 trace >report
has_not 'compile it with -g|^0x'
has '^bare_loops\.c:2[0-9]  main  '
ends 1 "$cdrgrind" races trace
cp out report
has_not '^Presumed:'

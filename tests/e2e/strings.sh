# SPDX-License-Identifier: GPL-2.0-or-later
# Functions on strings and memory read what the C standard has them read, and not a byte beside; they return what the C
# library's return.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"
sources=$top_srcdir/tests/programs

# What they return and write.
$CC -g -O1 -fno-builtin -o returned "$sources/wrappers/strings.c"
for locale in C C.UTF-8; do
  ./returned "$locale" >want
  vg -q --deps=no --cdr-out-file=returned.trace ./returned "$locale" >got
  cmp want got || fail "$locale: they return something else"
done
expect 0 "$cdrgrind" verify returned.trace >verified

# Another thread stores to bytes beside, to the first, to the last.
$CC -g -O0 -fno-builtin -pthread -o exact "$sources/races/strings.c"
for side in beside first last; do
  vg -q --deps=no --cdr-out-file=$side.trace ./exact $side >cases
  status=1
  [ $side != beside ] || status=0
  both_ways $status $side $side.trace
  roots=$("$cdrgrind" races --color=never $side.trace | sed -n 's/^Roots: *//p' || true)
  want=$(cat cases)
  [ $side != beside ] || want=0
  [ "$roots" = "$want" ] || fail "$side: $roots roots, not $want"
done

# Also where symbols have been stripped, as packages are.
cp -R "$VALGRIND_LIB" stripped
preload=vgpreload_cdrgrind-amd64-linux.so
cp --remove-destination "$(readlink -f "$VALGRIND_LIB/$preload")" stripped/$preload
cp --remove-destination "$(readlink -f "$VALGRIND_LIB/cdrgrind-amd64-linux")" stripped/cdrgrind-amd64-linux
strip stripped/$preload
VALGRIND_LIB=$PWD/stripped vg -q --deps=no --cdr-out-file=stripped.trace ./exact last >cases
"$cdrgrind" races --color=never stripped.trace >text || true
grep -q "^Roots: *$(cat cases)\$" text || fail "stripped: $(tail -n 5 text)"

# They are called by their names.
"$cdrgrind" patterns last.trace >text
grep -q 'accesses of libraries: strcmp' text || fail "no strcmp: $(grep libraries: text)"

# What they return follows from what they read.
for level in 0 2; do
  $CC -g -O$level -fno-builtin -pthread -o follows "$sources/races/follows_text.c"
  vg -q --deps=no --cdr-out-file=follows.trace ./follows
  both_ways 1 follows follows.trace
  "$cdrgrind" races --show-artifacts follows.trace >text || true
  grep -q '^Artifacts: *1, ' text || fail "-O$level: $(cat text)"
done

# A loop of them carries nothing.
cat >names.c <<'END'
#include <stdio.h>
#include <string.h>
struct { char name[12]; int count; } all[64];
int main(int argc, char** argv) {
  for (int i = 0; i < 64; i++) sprintf(all[i].name, "name%d", i % 10);
  for (int i = 0; i < 64; i++) {
    if (strcmp(all[i].name, argv[argc - 1]) == 0) all[i].count++;
    all[i].count += (int)strlen(all[i].name);
  }
  return 0;
}
END
for level in 0 1 2; do
  $CC -g -O$level -fno-builtin -o names names.c
  vg -q --deps=no --cdr-out-file=names.trace ./names name7
  "$cdrgrind" advise names.trace >advice
  grep -qE '^names.c:6.* main +parallel' advice || fail "-O$level: $(cat advice)"
done

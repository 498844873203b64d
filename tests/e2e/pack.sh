# SPDX-License-Identifier: GPL-2.0-or-later
# pack: what every command says of a packed trace is what it said before, when the program, its library and its sources are
# gone; packing twice changes nothing; what is wrong.
. "$top_srcdir/tests/e2e/common.sh"

mkdir -p there
cat >there/part.h <<'END'
#define ADD(to, what) __atomic_fetch_add(to, what, __ATOMIC_SEQ_CST)
END
cat >there/part.c <<'END'
#include "part.h"
long total;
long atomic_total;
void part(long n) {
  for (long i = 0; i < n; i++) total += i;
  ADD(&atomic_total, n);
}
END
cat >there/main.c <<'END'
#include <pthread.h>
#include <stdlib.h>
void part(long n);
struct pair { long left, right; } *pairs;
long counters[2];
static void* work(void* arg) {
  long me = (long)arg;
  for (int i = 0; i < 20; i++) counters[me]++, pairs[me].left += i;
  part(10);
  return 0;
}
int main(int argc, char** argv) {
  (void)argv;
  pthread_t t[2];
  pairs = calloc(2, sizeof *pairs);
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void*)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  for (int i = 1; i < argc; i++) part(20);
  free(pairs);
  return 0;
}
END
gcc -g -O1 -fPIC -shared -o there/libpart.so "$PWD/there/part.c"
gcc -g -O0 -o there/prog "$PWD/there/main.c" -Lthere -lpart -Wl,-rpath,"$PWD/there" -pthread
# Stripped, with the debug information apart: it is packed, too.
objcopy --only-keep-debug there/libpart.so there/libpart.so.debug
objcopy --strip-debug --add-gnu-debuglink=there/libpart.so.debug there/libpart.so
vg -q --cdr-out-file=trace there/prog </dev/null
vg -q --cdr-out-file=other there/prog more </dev/null

say() { # FOLDER: what all commands say of the file trace
  mkdir "$1"
  local command format
  for command in annotate races sync sharing patterns advise loops paths; do
    for format in text json; do
      case $command in loops) [ $format = text ] || continue ;; esac
      "$cdrgrind" $command --format=$format trace >"$1/$command.$format" 2>"$1/$command.$format.err" || :
    done
  done
  sed -i '/^Time: /d' "$1/loops.text"
  "$cdrgrind" races --format=sarif trace >"$1/races.sarif" 2>&1 || :
  "$cdrgrind" races --format=gcc trace >"$1/races.gcc" 2>&1 || :
  "$cdrgrind" annotate --color=never --function=work trace >"$1/work" 2>&1
  "$cdrgrind" paths --asm trace >"$1/asm" 2>&1 || :
  "$cdrgrind" dump --at-line=main.c:8 trace >"$1/at" 2>&1 || :
  # But for the sizes of the files, and the frames that they have.
  "$cdrgrind" stats --format=json trace | sed '/^ *"frames": \[/,/^ *\],$/d; /^ *"bytes":/d' >"$1/stats.json"
  "$cdrgrind" stats trace | sed -n '/^-- Events/,$p' >"$1/stats.text"
  local table
  for table in blocks accesses sync dependences races loops timeline; do
    "$cdrgrind" export --table=$table -o "$1/tables" trace >"$1/$table.out" 2>&1
  done
  for format in text json; do
    "$cdrgrind" diff --format=$format trace other 2>&1 | sed '/file_bytes/d; /File bytes/d' >"$1/diff.$format" || :
    "$cdrgrind" diff --format=$format other trace 2>&1 | sed '/file_bytes/d; /File bytes/d' >"$1/back.$format" || :
  done
}
say before
grep -q 'counters\[me\]++' before/annotate.text || fail "no source: $(cat before/annotate.text)"
grep -q 'part.c' before/annotate.json || fail "the library has no lines"
grep -q 'part.c' before/back.text || fail "diff does not tell what came: $(cat before/back.text)"
cp trace plain

expect 0 "$cdrgrind" pack trace >out
grep -qE '^trace: [0-9]+ modules and [0-9]+ sources, [0-9,]+ bytes of [0-9]+ files$' out || fail "$(cat out)"
expect 0 "$cdrgrind" verify trace >out
expect 0 "$cdrgrind" pack other >out
cp trace packed
expect 0 "$cdrgrind" pack trace >out
cmp trace packed || fail "packed twice it is another file"
expect 0 "$cdrgrind" pack -o twice.trace packed
cmp twice.trace packed || fail "packed twice into another file"

mv there gone
say after
diff -r before after >differences || fail "not the same without the program: $(head -40 differences)"

# Repacked it is still packed; without sources those of this machine are used, and there are none.
"$cdrgrind" repack -o trace packed >/dev/null
"$cdrgrind" annotate --color=never --function=work trace | cmp - before/work || fail "repack lost what was packed"
mv gone there
expect 0 "$cdrgrind" pack --no-sources -o trace plain >/dev/null
mv there gone
"$cdrgrind" annotate --color=never --function=work trace >text 2>&1 || :
! grep -q 'counters\[me\]++' text || fail "a source that was not packed"
grep -q 'main.c' text || fail "names are missing: $(cat text)"
mv gone there

# What is wrong.
expect 2 "$cdrgrind" pack - <plain 2>err
grep -q 'name the new one with -o' err || fail "$(cat err)"
head -c 3000 plain >cut
refused 3 'has no end|not a trace|cut' pack -o out.trace cut
refused 3 'cannot be opened' pack missing.trace

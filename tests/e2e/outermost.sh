# SPDX-License-Identifier: GPL-2.0-or-later
# Names of code: the parts of a coroutine are demangled and told apart; the outermost frame of a program without symbols
# is the program's own, not the dynamic linker's.
. "$top_srcdir/tests/e2e/common.sh"

cat >generators.cc <<'CXX'
#include <coroutine>
struct Generator {
  struct promise_type {
    long value = 0;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long n) { value = n; return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
  long next() { handle.resume(); return handle.promise().value; }
};
long shared;
namespace counting {
Generator up(int n) {
  for (int i = 0; i < n; i++) co_yield shared += i;
}
Generator down(long n) {
  for (long i = n; i > 0; i--) co_yield shared -= i;
}
}
int main() {
  Generator u = counting::up(5), d = counting::down(3);
  long sum = 0;
  for (int i = 0; i < 3; i++) sum += u.next() + d.next();
  u.handle.destroy();
  d.handle.destroy();
  return sum == 0;
}
CXX
# shellcheck disable=SC2086
${CXX:-c++} -std=c++20 -g -O0 generators.cc -o generators
vg -q --cdr-out-file=generators.trace ./generators || :
"$cdrgrind" annotate --format=json --class=all generators.trace | grep -o '"ancestor":"[^"]*"' | sort -u >ancestors
for name in 'counting::up(int) [clone .actor]' 'counting::down(long) [clone .actor]'; do
  grep -qF "\"$name\"" ancestors || fail "no $name among $(cat ancestors)"
done
! grep 'Frame' ancestors || fail "the frames of coroutines are in names"

cat >program.c <<'C'
#include <stdio.h>
static int counter;
int main(void) {
  for (int i = 0; i < 100; i++) counter += i;
  printf("%d\n", counter);
  return 0;
}
C
# shellcheck disable=SC2086
${CC:-cc} -O1 program.c -o program
strip program
vg -q --cdr-out-file=program.trace ./program >out
"$cdrgrind" dump --thread=1 program.trace | grep -c ' block ' >blocks
"$cdrgrind" dump --thread=1 --at-block="$(cat blocks)" program.trace | grep '^#' | tail -n 1 >outermost
grep -qE '^#[0-9]+ 0x[0-9a-f]+ program\+0x' outermost || fail "the outermost frame is $(cat outermost)"

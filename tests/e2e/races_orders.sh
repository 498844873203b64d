# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind races --atomics=c++` on right programs and wrong twins that differ in a memory order or a fence alone: all
# wrong ones race, no right one does, as gcc and clang compile them, with and without optimisation.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/races_ways_lib.sh"
command -v python3 >/dev/null || skip "no python3"
source=$top_srcdir/tests/programs/races/orders.cc
flags="-std=c++20 -g -no-pie -fcf-protection=none -pthread -I$top_srcdir/include"

variables() { # FILE: what races, a line each
  python3 -c 'import json, sys
print("".join(v + "\n" for v in sorted({r["variable"] for r in json.load(open(sys.argv[1]))["races"]})), end="")' "$1"
}
unknown_in() { # FILE
  sed -n 's/.*"unknown_orders":\([0-9]*\).*/\1/p' "$1"
}

sed -n 's/^int .*, \(wrong_[a-z_]*\);.*/\1/p' "$source" | sort >wrong
[ "$(wc -l <wrong)" = 14 ] || fail "not 14 cases: $(cat wrong)"
sed -n 's/^int \(right_[a-z_]*\), .*/\1/p' "$source" | sort | cat - wrong | sort >all

compilers=("$CXX")
! command -v clang++ >/dev/null || compilers+=(clang++)
for compiler in "${compilers[@]}"; do
  for level in 0 1 2; do
    name=$(basename "${compiler%% *}")$level
    # shellcheck disable=SC2086 # words
    $compiler $flags -O$level -o "$name" "$source"
    record "$name" "./$name"
    both_ways 1 "$name" "$name.trace" --atomics=c++
    variables "$name.json" >"$name.found"
    diff wrong "$name.found" || fail "$name: other races"
    [ "$(unknown_in "$name.json")" -le 6 ] || fail "$name: $(unknown_in "$name.json") unknown orders"
    # Every order taken for the strongest, only a store in between that another thread reads in the first one's place leaves
    # a race; and nothing of this is said.
    both_ways 1 "$name.sync" "$name.trace"
    variables "$name.sync.json" | diff <(echo wrong_sequence) - || fail "$name: other races without --atomics=c++"
    ! grep -q unknown_orders "$name.sync.json" || fail "$name: orders without --atomics=c++"
  done
done
# Where nothing orders, all race but the counter's right twin, whose variable one thread alone uses before the joins.
both_ways 1 strict "$name.trace" --atomics=strict --adhoc=race
variables strict.json | diff <(grep -v '^right_counter$' all) - || fail "--atomics=strict: other races"

# Debug information is where orders stand: without it none is known.
strip -g -o stripped "$name"
record stripped ./stripped
expect 1 "$cdrgrind" races --atomics=c++ stripped.trace >stripped.text
grep -Eq '^Orders: +[1-9][0-9]* atomic instructions of unknown memory order, taken for acquire and release$' stripped.text ||
  fail "no unknown orders: $(cat stripped.text)"

# An order that is chosen while the program runs, and C's operations, which the compiler expands without a trace.
cat >unknown.cc <<'CC'
#include <pthread.h>
#include <atomic>
#include <cstdlib>
int data, expanded;
std::atomic<int> flag;
static void *first(void *order) {
  data = 1;
  flag.store(1, static_cast<std::memory_order>(atoi(static_cast<const char *>(order))));
  __atomic_fetch_add(&expanded, 1, __ATOMIC_RELAXED);
  return nullptr;
}
int main(int, char **argv) {
  pthread_t t;
  pthread_create(&t, nullptr, first, argv[1]);
  while (!flag.load(std::memory_order_acquire)) {}
  data = 2;
  int old = __atomic_fetch_add(&expanded, 1, __ATOMIC_RELAXED);
  pthread_join(t, nullptr);
  return old > 1;
}
CC
# shellcheck disable=SC2086 # words
$CXX $flags -O1 -o unknown unknown.cc
vg -q --deps=no --cdr-out-file=unknown.trace ./unknown 0
both_ways 0 unknown unknown.trace --atomics=c++
[ "$(unknown_in unknown.json)" -ge 3 ] || fail "unknown: $(unknown_in unknown.json) unknown orders"

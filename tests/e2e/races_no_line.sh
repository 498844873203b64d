# SPDX-License-Identifier: GPL-2.0-or-later
# Code without a line is found where it is inlined, otherwise by its function: it stands for itself, not for its module.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

# Without debug information a block is the program's code's that asked for it, not that of a library with lines.
cat >block.cc <<'CC'
#include <thread>
#include <vector>
int main() {
  std::vector<long> v(100);
  std::thread a([&] { v[3]++; }), b([&] { v[3]++; });
  a.join();
  b.join();
}
CC
$CXX -O1 -pthread -o block block.cc
cp block stripped
strip stripped
for program in block stripped; do
  vg -q --deps=no --cdr-out-file=$program.trace ./$program
  expect 1 "$cdrgrind" races --format=json $program.trace >$program.json
done
grep -q '"variable":"block of 800 bytes at main (block+0x[0-9a-f]*) + 24"' block.json || fail "$(cat block.json)"
grep -q '"variable":"block of 800 bytes at stripped+0x[0-9a-f]* + 24"' stripped.json || fail "$(cat stripped.json)"

# The assembler of binutils makes no such code.
command -v clang >/dev/null || skip "no clang"

source=$top_srcdir/tests/programs/races/no_line.c
for level in -O0 -O2; do
  clang -g $level -pthread -o no_line "$source"
  vg -q --deps=no --cdr-out-file=trace ./no_line
  expect 1 "$cdrgrind" races --format=json trace >races.json
  python3 - "$source" races.json <<'END' || fail "$level: other places"
import json, sys
lines = {line.split("/* ")[1].removesuffix(" */"): i for i, line in enumerate(open(sys.argv[1]).read().split("\n"), 1)
         if line.startswith("  count();")}
found = {}
for r in json.load(open(sys.argv[2]))["races"]:
    sides = sorted((r[side]["file"].split("/")[-1], r[side]["line"], r[side]["function"]) for side in ("first", "second"))
    assert (r["variable"], *sides) not in found, r
    found[r["variable"], *sides] = r["instances"]
want = {
    ("inlined", ("no_line.c", lines["one"], "counter"), ("no_line.c", lines["the other"], "main")): 3,
    ("apart", ("no_line", 0, "count_apart"), ("no_line", 0, "count_apart")): 3,
    ("apart", ("no_line", 0, "count_apart"), ("no_line", 0, "count_elsewhere")): 3,
}
assert found == want, found
END
done

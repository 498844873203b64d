# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind advise' shows loops of the C++ library's headers where the program calls for them, and names the form of its
# algorithms that runs on several threads.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
source=$(cd "$top_srcdir" && pwd)/tests/programs/advise/algorithms.cc

# It may have options.
# shellcheck disable=SC2206
compile=($CXX -std=c++17 -g -fno-pie -no-pie -fcf-protection=none)
for level in O0 O2; do
  "${compile[@]}" -$level -w -o algorithms_$level "$source"
  record algorithms_$level ./algorithms_$level
  "$cdrgrind" advise --format=json algorithms_$level.trace >algorithms_$level.json
  python3 - algorithms_$level.json "$source" $level "$(known_compiler algorithms_$level)" <<'END'
import json, sys
advice, source, level, compiler = sys.argv[1:]
at = {}
for loop in json.load(open(advice))["loops"]:
    for call in loop.get("called_at", []):
        assert not loop["pragma"] and "/c++/" in loop["place"]["file"], loop
        place = call["place"]
        assert place["file"].endswith("algorithms.cc") and place["line"] and place["function"], call
        at.setdefault(place["line"], []).append((call["callee"], call["parallel_algorithm"]))
wrong = checked = 0
for number, line in enumerate(open(source), 1):
    code, _, wanted = line.strip().partition(";  // ")
    if not wanted:
        continue
    if number not in at:
        # All of it may be put in line, as the program's own.
        assert level == "O2" and compiler != "known", (number, level)
        continue
    checked += 1
    algorithm = code[code.index("std::"):].split("(")[0]
    got = {form or "none" for callee, form in at[number]}
    if got != {wanted} or not any(algorithm in callee for callee, form in at[number]):
        print(f"{source}:{number}: {level}: {at[number]}, not {wanted}", file=sys.stderr)
        wrong += 1
assert not wrong and checked >= 5, (wrong, checked)
END
  "$cdrgrind" advise -n 100 algorithms_$level.trace >text
  grep -q '^algorithms\.cc:[0-9]*  scaled.*, in std::transform<.*> (stl_algo\.h:[0-9-]*)  parallel' text || fail "$(cat text)"
  grep -q '^    std::reduce(std::execution::par, \.\.\.) would do it by several threads (C++17)$' text || fail "$(cat text)"
  grep -q '  return std::accumulate(v.begin(), v.end(), 0.0);' text || fail "no line of the call: $(cat text)"
  [ $level != O0 ] || grep -q '^    algorithms\.cc:41: std::fill(std::execution::par' text || fail "$(cat text)"
  "$cdrgrind" advise --format=sarif algorithms_$level.trace | grep -q 'It stands in std::transform<.*>, stl_algo.h:' ||
    fail "notes for editors do not say it"
done

# Runs together: all calls.
"$cdrgrind" advise --format=json algorithms_O0.trace algorithms_O0.trace >twice.json
python3 - algorithms_O0.json twice.json <<'END'
import json, sys
once, twice = ({json.dumps(l["called_at"]) for l in json.load(open(f))["loops"] if "called_at" in l} for f in sys.argv[1:])
assert once == twice and once, (once, twice)
END

# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind races` interrupted in each of its parts: it ends with what it knows, says what is missing, and has status 130.
# Also where whoever started the test ignores SIGINT.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

vg -q --deps=no --cdr-out-file=trace "$programs/slice/cases" >/dev/null
expect 1 "$cdrgrind" races --format=json trace >all.json
expect 1 "$cdrgrind" races trace >all.text
! grep -q '^Incomplete:' all.text || fail "incomplete without an interruption"
! grep -q '"incomplete"' all.json || fail "incomplete without an interruption"

interrupted() { # PART:N WHAT OPTIONS: what is missing
  local at=$1 what=$2
  shift 2
  ends 130 env --default-signal=INT "$cdrgrind" races --interrupt="$at" --format=json "$@" trace
  grep -qE "^cdrgrind: warning: interrupted: $what" err || fail "$at $*: $(cat err)"
  mv out got.json
  ends 130 env --default-signal=INT "$cdrgrind" races --interrupt="$at" "$@" trace
  grep -qE "^Incomplete: +$what" out || fail "$at $*: $(tail -n 20 out)"
  python3 - all.json got.json "$at" <<'END'
import json, sys
whole, some = (json.load(open(f)) for f in sys.argv[1:3])
key = lambda r: (r["variable"], *sorted((r[s]["file"], r[s]["line"]) for s in ("first", "second")))
known = {key(r) for r in whole["races"]}
got = [key(r) for r in some["races"]]
assert set(got) <= known, set(got) - known
assert some["summary"]["incomplete"], some["summary"]
part = sys.argv[3].split(":")[0]
all_there = part not in ("shared memory", "accesses", "pairs of threads")
assert not all_there or len(got) == len(known), (len(got), len(known))
if part == "what follows from what":
    assert some["summary"]["undecided"] > 0, some["summary"]
if part == "examples":
    assert any(len(r["first"]["stack"]) == 1 for r in some["races"])
print(len(got), len(known))
END
}

for way in "" --from-events; do
  interrupted "shared memory:1" "only the first 0 of [0-9,]* events" $way >count
  grep -q '^0 ' count || fail "races in nothing"
  interrupted "pairs of threads:1" "not all threads" $way
  interrupted "examples:1" "call stacks and locks" $way
  interrupted "what follows from what:1" "whether the later races" $way
  interrupted "reasons:1" "some reasons" $way
done
# What was read is looked at in full: some races, and not all.
interrupted "accesses:200" "only the first [0-9,]* of [0-9,]* events" --from-events >count
read -r some known <count
[ "$some" -gt 0 ] && [ "$some" -lt "$known" ] || fail "races of a part of the run: $some of $known"
for n in 2 3 5 9; do
  interrupted "accesses:$n" "only the first [0-9,]* of [0-9,]* events" >count
done
ends 130 env --default-signal=INT "$cdrgrind" races --interrupt="examples:1" --format=sarif trace
grep -q '"executionSuccessful": false' out || fail "SARIF does not say it"

# --no-artifacts: nothing is judged, and that is said.
ends 1 "$cdrgrind" races --no-artifacts --format=json trace
python3 - all.json out <<'END'
import json, sys
whole, plain = (json.load(open(f)) for f in sys.argv[1:3])
assert plain["summary"]["note"] == "--no-artifacts was given", plain["summary"]
assert plain["summary"]["roots"] == len(whole["races"]) and plain["summary"]["artifacts"] == 0, plain["summary"]
assert all(r["labels"]["status"] == "root" and not r["judged"] for r in plain["races"])
END
ends 1 "$cdrgrind" races --no-artifacts trace
grep -q '^Artifacts: *not told from roots: --no-artifacts' out || fail "the header does not say it: $(head -n 12 out)"
refused 2 'no-artifacts' races --no-artifacts --only-roots trace

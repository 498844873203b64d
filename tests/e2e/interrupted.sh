# SPDX-License-Identifier: GPL-2.0-or-later
# Long commands interrupted in each of their parts: they end with what they know, say what is missing, and have status 130.
# What they say is a part of what they say otherwise. Packing and ranks leave nothing behind. races_interrupted.sh and
# sync_sections.sh have the others.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

record pipeline "$examples/pipeline"
events=$("$cdrgrind" stats --format=json pipeline.trace | python3 -c 'import json, sys; print(json.load(sys.stdin)["totals"]["events"])')

# interrupted PART:N WHAT COMMAND OPTION...
interrupted() {
  local at=$1 what=$2
  shift 2
  ends 130 env --default-signal=INT "$cdrgrind" "$@" --interrupt="$at" --format=json pipeline.trace
  grep -qE "^cdrgrind: warning: interrupted: $what" err || fail "$at $*: $(cat err)"
  grep -q '"incomplete"' out || fail "$at $*: the document does not say it"
  mv out part.json
  ends 130 env --default-signal=INT "$cdrgrind" "$@" --interrupt="$at" pipeline.trace
  grep -qE "^Incomplete: +$what" out || fail "$at $*: $(head -n 30 out)"
  "$cdrgrind" "$@" --format=json pipeline.trace >whole.json
  ! grep -q '"incomplete"' whole.json || fail "$*: incomplete without an interruption"
}
# What repeats itself is passed over at once, and may lie across the end of a look: not less was looked at than one has,
# and not all.
looked_at() { # COMMAND
  local n
  n=$(sed -nE 's/.*only the first ([0-9,]+) of.*/\1/p' err | tr -d ,)
  [ "$n" -ge 16384 ] && [ "$n" -lt "$events" ] || fail "$1: $(cat err)"
}
# less EXPRESSION: of the part and of the whole, as `doc': the part has less, but not more.
less() {
  python3 - part.json whole.json "$1" <<'END' || fail "not a part of it: $1"
import json, sys
part, whole = (eval(sys.argv[3], {"doc": json.load(open(f))}) for f in sys.argv[1:3])
assert part < whole, (part, whole)
END
}

interrupted "shared memory:1" "only the first 0 of [0-9,]+ events" sharing
less 'len(doc["variables"])'
interrupted "accesses:2" "only the first [0-9,]+ of [0-9,]+ events" sharing
looked_at sharing
less 'sum(p["bytes"] for p in doc["passed"])'
interrupted "pairs of threads:1" "what threads may share" sharing
less 'sum(v["may"]["true"] for v in doc["variables"])'

interrupted "blocks:5" "only the first [0-9]+ of [0-9,]+ blocks of code" patterns
less 'sum(l["accesses"] for l in doc["lines"])'
interrupted "libraries:1" "what libraries access for the program: only the first 0 of" patterns --scope=program
less 'sum(l["library_accesses"] for l in doc["lines"])'

interrupted "objects:2" "what instructions walk over: only the first [0-9,]+ of" patterns
looked_at patterns
less 'sum(o["count"] for l in doc["lines"] for i in l["instructions"] for o in i["objects"])'

interrupted "paths:2" "only the first [0-9,]+ of [0-9,]+ events" paths
looked_at paths
less 'doc["instructions"]'
ends 130 env --default-signal=INT "$cdrgrind" paths --strata --interrupt=paths:2 pipeline.trace
# Where copies begin and end there are steps that are no events.
grep -q '^cdrgrind: warning: interrupted: only the first 16,3[0-9][0-9] of ' err || fail "strata: $(cat err)"

# What loops carry is not known of a part of the run: advise says nothing, annotate all the rest.
for format in text json sarif; do
  ends 130 env --default-signal=INT "$cdrgrind" advise --interrupt=loops:2 --format=$format pipeline.trace
  grep -q '^cdrgrind: .*interrupted: only the first 16,384 of ' err || fail "advise: $(cat err)"
  [ ! -s out ] || fail "advise: something on standard output"
done
interrupted "loops:2" "what loops carry: only the first 16,384 of [0-9,]+ events" annotate
! grep -q '"carried"' part.json || fail "annotate: something that loops carry"
less 'len(str(doc))'
"$cdrgrind" annotate --carried=no --format=json pipeline.trace >without.json
python3 - part.json without.json <<'END' || fail "annotate: other dependences"
import json, sys
part, without = (json.load(open(f)) for f in sys.argv[1:])
assert part["dependences"] == without["dependences"] != []
END
interrupted "objects:2" "how often variables are depended on: only the first [0-9,]+ of [0-9,]+ events" annotate \
  --objects=count --carried=no
looked_at annotate
! grep -q '"others"' part.json || fail "annotate: counts"
python3 - part.json without.json <<'END' || fail "annotate: other dependences, or no names"
import json, sys
part, without = (json.load(open(f)) for f in sys.argv[1:])
assert part["dependences"] == without["dependences"] != []
END
rm without.json
interrupted "reading:2" "only the first [0-9,]+ of [0-9,]+ events" loops
looked_at loops
less 'doc["length"]'
interrupted "bodies:1" "some loops of thread [12]" loops
less 'doc["loops"]'

verified() { # PART:N WHAT
  ends 130 env --default-signal=INT "$cdrgrind" verify --interrupt="$1" pipeline.trace
  grep -qE "^cdrgrind: warning: interrupted: $2" err || fail "verify $1: $(cat err)"
  ! grep -qE '^fine|damaged' out || fail "verify $1: $(cat out)"
}
verified frames:2 "only the first 1 of [0-9]+ frames"
verified events:2 "only the first [0-9,]+ of [0-9,]+ events"
looked_at verify
grep -q "^$(sed -nE 's/.*only the first ([0-9,]+) of.*/\1/p' err) events keep the" out || fail "verify: $(cat out)"
ends 0 "$cdrgrind" verify pipeline.trace
[ "$(sed -n 's/ events keep the.*//p' out | tr -d ,)" = "$events" ] || fail "verify: $(cat out)"
# What is known to be damaged is said, interrupted or not.
python3 -c 'import sys
data = bytearray(open("pipeline.trace", "rb").read())
data[len(data) // 2] ^= 1
open("damaged.trace", "wb").write(data)'
ends 3 "$cdrgrind" verify damaged.trace

cp pipeline.trace packed.trace
for files in 1 4 9; do
  ends 130 env --default-signal=INT "$cdrgrind" pack --interrupt=files:$files packed.trace
  grep -q 'interrupted: nothing was written' err || fail "pack: $(cat err)"
  cmp pipeline.trace packed.trace
  ends 130 env --default-signal=INT "$cdrgrind" pack --interrupt=files:$files -o new.trace packed.trace
  [ ! -e new.trace ] || fail "pack: something was left"
done
ls -A >left
! grep -vxE 'pipeline\.trace|packed\.trace|damaged\.trace|(out|err|left|part\.json|whole\.json)' left || fail "pack: something was left"

stand_in_library
"$CC" -g -o ranks "$top_srcdir/tests/programs/mpi/two_ranks.c" libmpich.so.12
stand_in_ranks ./ranks rank
for file in 1 2; do
  ends 130 env --default-signal=INT "$cdrgrind" mpi --interrupt=traces:$file rank0 rank1
  grep -q 'interrupted: not all ranks were read' err || fail "mpi: $(cat err)"
  [ ! -s out ] || fail "mpi: something on standard output"
done

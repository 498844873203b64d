# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read after openmp_lib.sh by the tests of very many strands. Defines
#   check_many COUNT MEGABYTES KIND...   records tests/programs/openmp/many KIND COUNT; what its races are must be found,
#                                        with that much memory at most, the recorder without a helper, too

check_many() {
  local count=$1 most=$2 kind
  shift 2
  for kind; do
    measured memory "$VALGRIND" --tool=cdrgrind --vgdb=no -q --deps=no --cdr-dataflow=no --helper=no \
      --cdr-out-file="$kind.trace" "$cases/many" "$kind" "$count" >out
    [ "$(cat memory)" -le "$most" ] || fail "$kind $count: recording took $(cat memory) MB"
    local want=0
    [[ $kind != *_wrong ]] || want=1
    expect $want measured memory "$cdrgrind" races --format=json "$kind.trace" >"$kind.json"
    [ "$(cat memory)" -le "$most" ] || fail "$kind $count: races took $(cat memory) MB"
    echo "$kind $count: $(cat memory) MB" >>sizes
    # Every two of them race.
    python3 - "$kind.json" "$count" $want <<'END' || fail "$kind $count: other races"
import json, sys
n, wrong = int(sys.argv[2]), sys.argv[3] == "1"
found = [(r["variable"], r["instances"], r["labels"]["schedulable"]) for r in json.load(open(sys.argv[1]))["races"]]
assert found == ([("last", n * (n - 1) // 2, True)] if wrong else []), found
END
    rm "$kind.trace"
  done
  cat sizes
}

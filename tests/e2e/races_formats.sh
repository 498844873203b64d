# SPDX-License-Identifier: GPL-2.0-or-later
# Races for other tools: SARIF as the standard has it, Valgrind's XML as helgrind writes it, each with the races of the JSON
# report; a baseline leaves what is new.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
reference=$top_srcdir/tests/reference

checked() { # NAME OPTIONS
  local name=$1
  shift
  "$cdrgrind" races --format=json "$@" "$name.out" >"$name.json" || :
  "$cdrgrind" races --format=sarif "$@" "$name.out" >"$name.sarif" || :
  "$cdrgrind" races --format=xml "$@" "$name.out" >"$name.xml" || :
  python3 "$reference/sarif.py" "$name.sarif" "$name.json" || fail "$name $*: SARIF"
  python3 "$reference/valgrind_xml.py" "$name.xml" "$name.json" || fail "$name $*: XML"
}

for name in ${RACE_PROGRAMS:-artifacts life mutexes}; do
  vg -q --deps=no --cdr-out-file="$name.out" "$programs/races/$name" >/dev/null
  checked "$name"
done
[ -z "${RACE_PROGRAMS-}" ] || exit 0

# The statuses are those of the other formats.
expect 1 "$cdrgrind" races --format=sarif mutexes.out >/dev/null
expect 7 "$cdrgrind" races --format=xml --error-exitcode=7 mutexes.out >/dev/null

# Sources below the root have relative addresses.
root=$(cd "$top_srcdir" && pwd)
"$cdrgrind" races --format=sarif --source-root="$root/tests" mutexes.out >rooted.sarif || :
python3 "$reference/sarif.py" rooted.sarif mutexes.json || fail "SARIF with a root"
python3 - rooted.sarif "$root" <<'END'
import json, sys
run = json.load(open(sys.argv[1]))["runs"][0]
assert run["originalUriBaseIds"]["SRCROOT"]["uri"] == "file://" + sys.argv[2] + "/tests/", run["originalUriBaseIds"]
places = [l["physicalLocation"]["artifactLocation"] for r in run["results"] for l in r["locations"]]
assert places and all(p == {"uri": "programs/races/mutexes.c", "uriBaseId": "SRCROOT"} for p in places), places
flows = run["results"][0]["codeFlows"][0]["threadFlows"]
assert all(f["locations"][-1]["importance"] == "essential" for f in flows)
END

# Artifacts: as notes with --show-artifacts, else not at all.
"$cdrgrind" races --format=sarif --show-artifacts artifacts.out >all.sarif || :
python3 "$reference/sarif.py" all.sarif || fail "SARIF with artifacts"
python3 - all.sarif artifacts.sarif artifacts.json <<'END'
import json, sys
shown, hidden, races = (json.load(open(f)) for f in sys.argv[1:])
rules = lambda log: [r["ruleId"] for r in log["runs"][0]["results"]]
artifacts = sum(r["labels"]["status"] == "artifact" for r in races["races"])
assert artifacts > 0 and rules(shown).count("cdr-race-artifact") == artifacts, rules(shown)
assert "cdr-race-artifact" not in rules(hidden)
END

# A baseline: all is known; of a report without some, these are new. Lines do not matter.
ends 0 "$cdrgrind" races --format=json --baseline=mutexes.json mutexes.out
grep -q '"roots":0,.*"known":11' out || fail "not all are known: $(tail -n 1 out)"
python3 - <<'END'
import json, re
report = json.load(open("mutexes.json"))
kept = [r for r in report["races"] if r["variable"] != "two_locks"]
assert len(kept) == len(report["races"]) - 1
for r in kept:
    for side in "first", "second":
        r[side]["line"] += 100
json.dump(dict(report, races=kept), open("moved.json", "w"))
END
ends 1 "$cdrgrind" races --format=json --baseline=moved.json mutexes.out
python3 - out <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
assert [r["variable"] for r in report["races"]] == ["two_locks"], report["races"]
assert report["summary"]["known"] == 10 and report["summary"]["roots"] == 1, report["summary"]
END
ends 1 "$cdrgrind" races --baseline=moved.json mutexes.out
grep -qE '^Known: +10, in the baseline$' out || fail "$(tail -n 9 out)"
"$cdrgrind" races --format=sarif --baseline=moved.json mutexes.out >new.sarif || :
python3 "$reference/sarif.py" new.sarif || fail "SARIF with a baseline"
grep -q '"baselineState": "new"' new.sarif || fail "no baselineState"
# A fingerprint is that of the same race in the whole report.
python3 - new.sarif mutexes.sarif <<'END'
import json, sys
new, whole = ({r["properties"]["variable"]: r["partialFingerprints"] for r in json.load(open(f))["runs"][0]["results"]}
              for f in sys.argv[1:])
assert new and all(whole[v] == p for v, p in new.items()), (new, whole)
END

# What is wrong.
ends 2 "$cdrgrind" races --baseline=missing.json mutexes.out
grep -q 'missing.json: cannot be read' err || fail "$(cat err)"
echo '{"schema":"other"}' >other.json
ends 3 "$cdrgrind" races --baseline=other.json mutexes.out
grep -q 'other.json: not a report of cdrgrind races --format=json' err || fail "$(cat err)"
echo '{"schema":' >broken.json
ends 3 "$cdrgrind" races --baseline=broken.json mutexes.out
ends 2 "$cdrgrind" races --format=html mutexes.out

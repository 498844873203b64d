# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind sync`: critical sections by the lines that enter them, what threads would wait for them on processors of their
# own, a part of the run, and an end by Ctrl-C.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

# Three threads work alone, equally long, then for 10,000 instructions under the lock. In the recorded run nobody waits;
# with processors of their own they come at about the same time: the second waits for one, the third for two.
vg -q --deps=no --cdr-out-file=together.trace "$programs/sync/contention" 100000
"$cdrgrind" sync --scope=program --format=json together.trace >together.json
python3 - together.json "$top_srcdir/tests/programs/sync/contention.c" <<'END'
import json, sys
doc = json.load(open(sys.argv[1]))
source = open(sys.argv[2]).read().splitlines()
locks = {s["name"]: s for s in doc["sections"]}
assert set(locks) == {"lock", "quiet"}, locks.keys()
(line,) = locks["lock"]["lines"]
assert source[line["at"]["line"] - 1].strip() == "pthread_mutex_lock(&lock);" and line["at"]["function"] == "worker", line
assert line["times"] == 3 and line["shared"] == 0, line
assert 30_000 <= line["insns_held"] < 33_000 and 10_000 <= line["longest"] < 12_000, line
assert line["would_wait"] == 2 and 25_000 <= line["insns_would_wait"] < 33_000, line
assert [b["at"] for b in line["behind"]] == [line["at"]] and line["behind"][0]["times"] == 2, line
(line,) = locks["quiet"]["lines"]
assert (line["times"], line["would_wait"], line["insns_would_wait"], line["behind"]) == (3, 0, 0, []), line
ends = [r["insns"] for r in doc["chart"] if r["what"] == "end"]
assert len(ends) == 4 and doc["rerun"]["ended"] and max(ends) < doc["rerun"]["insns"] < sum(ends), (ends, doc["rerun"])
END
LC_ALL=C.UTF-8 "$cdrgrind" sync --color=never together.trace >text
has() { grep -qE -- "$1" "${2-text}" || fail "no line like '$1' in: $(cat "${2-text}")"; }
has '^lock  \(mutex\)$'
has '^ +3 +[0-3] +3[0-9],[0-9]{3} +1[01],[0-9]{3} +2 +[23][0-9],[0-9]{3}  contention\.c:[0-9]+ in worker, for contention\.c:[0-9]+$'
has '^Would wait: with a processor for each thread'

# Locks in both orders: on processors of their own threads may come to a stand.
cat >orders.c <<'END'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}
static void *forwards(void *p) {
  for (volatile int i = 0; i < 20000; i++) continue;
  both(&a, &b);
  return p;
}
static void *backwards(void *p) {
  both(&b, &a);
  return p;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, forwards, 0);
  pthread_create(&two, 0, backwards, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
END
"$CC" -g -O0 -pthread orders.c -o orders
vg -q --deps=no --cdr-out-file=orders.trace ./orders
"$cdrgrind" sync --format=json orders.trace >orders.json
python3 -c 'import json, sys
doc = json.load(open(sys.argv[1]))
assert sum(l["times"] for s in doc["sections"] if s["name"] in "ab" for l in s["lines"]) == 4, doc["sections"]' orders.json

# A part of the run: what happens in both parts is what happens in all; events are those of dump.
"$cdrgrind" dump --format=json --events=sync together.trace >events
middle=$(python3 -c 'import json, sys
print([e["i"] for e in map(json.loads, list(open("events"))[1:]) if e["event"] == "sync-enter" and e["op"] == "mutex-lock"][-3])')
"$cdrgrind" sync --scope=program --format=json --to=$((middle - 1)) together.trace >first.json
"$cdrgrind" sync --scope=program --format=json --from="$middle" together.trace >second.json
python3 - together.json first.json second.json "$middle" <<'END'
import collections, json, sys
whole, first, second = (json.load(open(f)) for f in sys.argv[1:4])
middle = int(sys.argv[4])
assert first["chart"] + second["chart"] == whole["chart"]
assert first["chart"][-1]["event"] < middle <= second["chart"][0]["event"]
def counts(doc):
    of = collections.Counter()
    for o in doc["objects"]:
        of[o["name"], "acquisitions"] += o["acquisitions"]
        of[o["name"], "insns_held"] += o["insns_held"]
    for s in doc["sections"]:
        for l in s["lines"]:
            for key in "times", "insns_held", "would_wait", "insns_would_wait":
                of[s["name"], l["at"]["line"], key] += l[key]
    return +of
assert counts(first) + counts(second) == counts(whole), (counts(first), counts(second), counts(whole))
assert counts(first) and counts(second) and counts(second) != counts(whole)
END
refused 2 '--to=3 is before --from=7' sync --from=7 --to=3 together.trace
refused 3 'there are [0-9]+ events, and --from=999999999 was asked' sync --from=999999999 together.trace

# Ctrl-C ends it with what is known.
interrupted() { # PART:N WHAT
  ends 130 env --default-signal=INT "$cdrgrind" sync --interrupt="$1" together.trace
  grep -qE "^cdrgrind: warning: interrupted: $2" err || fail "$1: $(cat err)"
  has "^Incomplete: +$2" out
  ends 130 env --default-signal=INT "$cdrgrind" sync --interrupt="$1" --format=json together.trace
  grep -q '"incomplete":\["' out || fail "$1: JSON does not say it"
}
interrupted operations:1 'only the first 0 of [0-9,]+ events'
interrupted places:1 'lines of the source of later operations'
! grep -q incomplete together.json || fail "incomplete without an interruption"

# SPDX-License-Identifier: GPL-2.0-or-later
# Loop nests of traces: they unroll to what the events say, and tell where in the source the loops are. What control
# flow takes in other forms.
. "$top_srcdir/tests/e2e/common.sh"

is() { [ "$1" = "$2" ] || fail "'$1', not '$2'"; }
record() { # NAME PROGRAM OPTION...
  local name=$1 program=$2
  shift 2
  LD_BIND_NOW=1 vg -q --deps=no --cdr-out-file="$name" "$@" "$program" >/dev/null </dev/null
}

# By hand. The program is tests/programs/loop_nest.c.
record work "$programs/loop_nest" --toggle-collect=work
is "$("$cdrgrind" loops work --of=calls --format=nest)" \
  '(sweep@loop_nest.c:19 (touch@loop_nest.c:14)^3 pthread_mutex_lock@loop_nest.c:20 pthread_mutex_unlock@loop_nest.c:22 sweep@loop_nest.c:23 (touch@loop_nest.c:14)^4)^5'
is "$("$cdrgrind" loops work --of=sync --format=nest | cut -d' ' -f-2)" '(mutex-lock(lock) mutex-unlock(lock))^5'
"$cdrgrind" loops work >text
grep -qE '^Input: +work, lines of thread 1$' text || fail "$(cat text)"
grep -qE '^ +in work, loop_nest.c:18-23$' text || fail "$(cat text)"
"$cdrgrind" loops work --of=calls --format=dot | grep -qF '\nsweep, loop_nest.c:14"' || fail "no place in the graph"

record sweep "$programs/loop_nest" --toggle-collect=sweep
is "$("$cdrgrind" loops sweep --of=lines --format=nest | sed 's/loop_nest.c://g')" \
  '(12 (13 14 8 9 10)^3 13 15 12 (13 14 8 9 10)^4 13 15)^5'
for of in blocks lines paths; do
  "$cdrgrind" loops sweep --of=$of --format=json | python3 -c '
import json, sys
outer = json.load(sys.stdin)["nest"][0]
inner = [i for i in outer["body"] if not isinstance(i, str)]
assert outer["count"] in (4, 5), outer["count"]
for loop in inner or [outer]:
    assert loop["function"] == "sweep" and loop["file"].endswith("/loop_nest.c"), loop
    assert 12 <= loop["lines"][0] <= 13 and 13 <= loop["lines"][1] <= 15, loop' || fail "$of"
done

# An example: how often divide swaps, from call to call.
record divide "$examples/quicksort" --toggle-collect=divide
is "$("$cdrgrind" loops divide --of=calls --format=nest | sed 's/@quicksort.c:/@/g')" \
  '(swap@16)^12 ((swap@16)^2 swap@17 divide@23)^2 swap@17 divide@23 (swap@16)^4 (swap@16 swap@17 divide@23)^2 (swap@16 swap@17 divide@23 (swap@16)^2)^2 swap@17 divide@23 swap@16 swap@17'

# Against the events.
compare() { # NAME THREAD
  "$cdrgrind" dump --format=json "$1" >"$1.events"
  for of in blocks paths sync; do
    for algorithm in optimal greedy; do
      "$cdrgrind" loops "$1" --of=$of --thread="$2" --algorithm=$algorithm --format=json >nest.json
      python3 "$top_srcdir/tests/e2e/loops_count.py" "$1.events" $of "$2" <nest.json || fail "$1 $of"
    done
  done
}
compare work 1
record pipeline "$examples/pipeline"
compare pipeline 3
record faults "$programs/corners/faults"
compare faults 1

# What is wrong.
refused 2 'one of a trace, --symbols=FILE and --mpi-log=FILE' loops work --symbols=work
refused 2 'none of blocks, lines, calls, paths, sync' loops work --of=functions
refused 2 '--of is for traces' loops --symbols=work --of=lines
refused 2 '--thread is for traces' loops --symbols=work --thread=1
refused 3 'there is no thread 2' loops work --thread=2
refused 3 'not a cdrgrind trace' loops "$top_srcdir/tests/programs/loop_nest.c"

# Other forms of control flow.
"$cdrgrind" stats --control --format=json work >control.json
python3 - work.events control.json <<'END'
import json, sys
blocks = sum('"event":"block"' in line or '"event":"partial"' in line for line in open(sys.argv[1]))
d = json.load(open(sys.argv[2]))
assert d["schema"] == "cdrgrind.stats/1" and d["blocks"] == blocks and d["raw_bytes"] == 4 * blocks, d
forms = {row["form"]: row for row in d["control"]}
assert {"gzip -9", "xz -9", "zstd -19", "SEQUITUR", "strata 0", "loop nest", "stretches, grammar"} <= set(forms), forms
for row in d["control"]:
    assert 0 < row["bytes"] < d["raw_bytes"] and row["seconds"] >= 0 and row["memory_bytes"] >= 0, row
END
"$cdrgrind" stats --control work >text
grep -qE '^loop nest +[0-9,]+ +[0-9.]+ % +[0-9.]+ +[0-9.]+$' text || fail "$(cat text)"

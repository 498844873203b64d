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
tree() { sed '1,/  loop$/d'; }
"$cdrgrind" loops work >text
grep -qE '^Input: +work, lines$' text || fail "$(cat text)"
tree <text | diff - <(cat <<'END'
   98.74 %           5  loop_nest.c:18-23  work
                          loop_nest.c:18-19  work
                          loop_nest.c:12  sweep
   31.51 %           3    loop_nest.c:13-14  sweep
                            loop_nest.c:13-14  sweep
                            loop_nest.c:8-10  touch
                          loop_nest.c:13, 15  sweep
                          loop_nest.c:20-23  work
                          loop_nest.c:12  sweep
   42.02 %           4    loop_nest.c:13-14  sweep
                            loop_nest.c:13-14  sweep
                            loop_nest.c:8-10  touch
                          loop_nest.c:13, 15  sweep
END
) || fail "not the tree of the program's lines"
"$cdrgrind" loops work --of=calls | tree | diff - <(cat <<'END'
  100.00 %           5  loop_nest.c:19-23  work
                          loop_nest.c:19  work  calls sweep
   27.27 %           3    loop_nest.c:14  sweep  calls touch
                          loop_nest.c:20  work  calls pthread_mutex_lock
                          loop_nest.c:22  work  calls pthread_mutex_unlock
                          loop_nest.c:23  work  calls sweep
   36.36 %           4    loop_nest.c:14  sweep  calls touch
END
) || fail "not the tree of its calls"
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

# The program from main on, unless all is wanted; documents say all, unless the program is.
record whole "$programs/loop_nest"
"$cdrgrind" loops whole >text
grep -qE '^Left out: +[0-9,]+ instructions of others than the program \(--scope=all shows them\)$' text || fail "$(cat text)"
! grep -E 'rtld|ld-linux|libc|dl-|@plt' text || fail "not the program's"
case $("$cdrgrind" loops whole --format=nest) in 'loop_nest.c:'*) ;; *) fail "the nest does not begin in the program" ;; esac
"$cdrgrind" loops whole --scope=all >text
! grep -q '^Left out' text || fail "$(cat text)"
[ "$("$cdrgrind" loops whole --scope=all --format=json | sed -n 's/^"length"/&/p')" = \
  "$("$cdrgrind" loops whole --format=json | sed -n 's/^"length"/&/p')" ] || fail "a document leaves something out"

# All threads: those that did the same stand together, and each is what --thread tells of it alone.
record threads "$programs/loop_threads"
"$cdrgrind" loops threads >text
is "$(grep -E '^-- Thread' text)" $'-- Thread 1\n-- Threads 2, 4, 5, alike\n-- Thread 3'
grep -qE '^Without any: +thread 6: no lines$' text || fail "$(cat text)"
grep -qE ' 6  loop_threads.c:9, 8  fill$' text || grep -qE ' 6  loop_threads.c:8-9  fill$' text || fail "$(cat text)"
"$cdrgrind" loops threads --scope=program --format=json >all.json
for thread in 1 2 3 4 5 6; do
  "$cdrgrind" loops threads --scope=program --format=json --thread=$thread >one.json
  "$cdrgrind" loops threads --format=nest --thread=$thread >>lines
  python3 - $thread <<'END' || fail "thread $thread is another one among all"
import json, sys
thread = int(sys.argv[1])
everybody, one = json.load(open("all.json")), json.load(open("one.json"))
group, = [g for g in [everybody] + everybody["others"] if thread in g["threads"]]
assert one["threads"] == [thread] and "others" not in one, one
assert all(group[k] == one[k] for k in ("length", "major", "nest", "loops")), (group, one)
END
done
"$cdrgrind" loops threads --format=nest | cmp - lines || fail "not a line for each thread"
"$cdrgrind" loops threads --format=dot | grep -qF ' t2_top [label="threads 2, 4, 5\n' || fail "no graph of thread 2"

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

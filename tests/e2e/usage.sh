# SPDX-License-Identifier: GPL-2.0-or-later
# What users are told: all options, what is allowed for one, what to do with too many threads, and the next command only
# where there is something to show.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"

# Every option that the recorder or the command takes.
"$cdrgrind" record --help >help
options=$(grep -oE '"--[a-z-]+' "$top_srcdir/cdrgrind/tool/options.cc" "$top_srcdir/cdrgrind/cli/record_command.cc" |
  sed 's/.*"//' | grep -vxE -- '--(tool|vgdb)?' | sort -u)
[ "$(wc -l <<<"$options")" -ge 19 ] || fail "only these options: $options"
for option in $options; do
  grep -qE -- "^ +(-. )?$option[ =]" help || fail "record --help does not name $option"
done
vg --help >valgrind.help
for option in --cdr-chunk-blocks --helpers --helper --cdr-control; do
  grep -qF -- "    $option=" valgrind.help || fail "valgrind --tool=cdrgrind --help does not name $option"
done
grep -qF 'write the trace to <file>; %p is the process, %q{VAR}' valgrind.help || fail "$(cat valgrind.help)"

# What is allowed.
allows() {
  local pattern=$1
  shift
  ends 1 vg "$@" "$programs/hello"
  grep -qE -- "$pattern" err || fail "$*: $(cat err)"
}
allows '--cdr-control is auto, grammar, predict or runs' --cdr-control=foo
allows '--cdr-data is all, nonstack or none' --cdr-data=foo
allows '--helper is auto, yes or no' --helper=foo
for helpers in foo 6 10 -1 ''; do
  allows '--helpers is auto or a number from 0 to 5' --helpers=$helpers
done
allows '--cdr-test-switch is enter or leave' --cdr-test-switch=foo
allows 'in megabytes from 1 to 1048576' --cdr-memory=99999999
allows 'in megabytes from 1 to 1048576' --cdr-deps-memory=0
vg --cdr-out-file=hello.trace "$programs/hello" >out 2>err
grep -q 'next: cdrgrind annotate .*hello.trace$' err || fail "no next command: $(cat err)"
for value in 0 -1 x; do
  refused 2 "'$value' is none of the numbers from 1 on" dump --at-block "$value" hello.trace
  refused 2 "'$value' is none of the numbers from 1 on" dump --thread="$value" hello.trace
  refused 2 "'$value' is none of the numbers from 1 on" sync --from-sync="$value" hello.trace
  refused 2 "'$value' is none of the numbers from 1 on" paths --thread="$value" hello.trace
  refused 2 "'$value' is none of the numbers from 1 on" loops --thread="$value" hello.trace
done

# Standard input, for every command that reads a trace.
list_commands
while IFS= read -r command; do
  ends 0 "$cdrgrind" $command hello.trace
  "$cdrgrind" $command - <hello.trace >from_input 2>err || fail "$command -: $(cat err)"
  cmp <(sed -E 's/^(Trace|File|Time|Input|Next).*//; s/hello.trace/-/' out) \
    <(sed -E 's/^(Trace|File|Time|Input|Next).*//' from_input) || fail "$command - is not as from the file"
done <readers
"$cdrgrind" repack -o again.trace - <hello.trace >out
"$cdrgrind" dump hello.trace | cmp - <("$cdrgrind" dump again.trace)
"$cdrgrind" repack - <hello.trace >out 2>err && fail "standard input cannot be replaced"
grep -q 'name the new one with -o' err || fail "$(cat err)"
refused 3 '^cdrgrind: error: -: ' races -

# No next command for an empty trace, nor for one that is cut.
vg --instr-atstart=no --cdr-out-file=empty.trace "$programs/hello" >out 2>err
grep -q ' 0 instructions, ' err || fail "not empty: $(cat err)"
! grep -q 'next:' err || fail "empty: $(cat err)"
ends 0 "$cdrgrind" stats empty.trace
! grep -q '^Next:' out || fail "empty: $(tail -n 1 out)"
(ulimit -f 8 && vg --helper=no --log-fd=3 --cdr-out-file=cut.trace "$programs/hello" >out 3>cut.log)
grep -q 'cannot write any more' cut.log || fail "not cut: $(cat cut.log)"
! grep -q 'next:' cut.log || fail "cut: $(cat cut.log)"
ends 0 "$cdrgrind" stats cut.trace
! grep -q '^Next:' out || fail "cut: $(tail -n 1 out)"
ends 0 "$cdrgrind" stats hello.trace
grep -q '^Next: cdrgrind annotate hello.trace$' out || fail "$(tail -n 1 out)"

# Too many threads: one line with the option, before Valgrind gives up. The option is passed on.
cat >threads.c <<'END'
#include <pthread.h>
static pthread_barrier_t barrier;
static void *wait_for_all(void *unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}
int main(void) {
  pthread_t threads[12];
  pthread_barrier_init(&barrier, 0, 13);
  for (int i = 0; i < 12; ++i) pthread_create(&threads[i], 0, wait_for_all, 0);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < 12; ++i) pthread_join(threads[i], 0);
  return 0;
}
END
"$CC" -g -O1 -pthread -o threads threads.c
expect 1 vg -q --max-threads=8 --cdr-out-file=threads.trace ./threads >out 2>err
told='cdrgrind: error: 7 threads live, and Valgrind has no room for one more: record with --max-threads=N'
[ "$(grep -cF "$told" err)" = 1 ] || fail "not told once: $(head -n 20 err)"
grep -nE 'cdrgrind: error|--max-threads=INT|Max number of threads' err | head -n 1 | grep -qF "$told" ||
  fail "not before the panic: $(head -n 20 err)"
until_free threads.trace
expect 0 "$cdrgrind" record -q --max-threads=14 --cdr-out-file=threads.trace ./threads >out 2>err
[ ! -s err ] || fail "enough room: $(cat err)"

# The recorder's wrappers are no part of the program.
"$cdrgrind" stats --format=json threads.trace >stats.json
"$cdrgrind" dump --format=json --events=block,partial threads.trace >blocks.json
python3 - <<'END'
import json
count = {k: 0 for k in ("blocks", "instructions", "wrapper_blocks", "wrapper_instructions")}
with open("blocks.json") as lines:
    next(lines)
    for line in lines:
        block = json.loads(line)
        kind = "wrapper_" if "shim" in block["flags"] else ""
        count[kind + "blocks"] += 1
        count[kind + "instructions"] += len(block["insns"])
totals = json.load(open("stats.json"))["totals"]
assert count["wrapper_instructions"] > 100, count
assert {k: totals[k] for k in count} == count, (totals, count)
END
ends 0 "$cdrgrind" stats threads.trace
grep -qE '^Wrappers: +[0-9,]+ instructions in [0-9,]+ blocks of the recorder' out || fail "$(head -n 20 out)"

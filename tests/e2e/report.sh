# SPDX-License-Identifier: GPL-2.0-or-later
# `cdrgrind report`: a page of one file whose documents are the commands', and a timeline that equals what is counted over
# dumped events. What browsers make of it: report_browser.sh.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
here=$top_srcdir/tests/e2e

"$CC" -g -O0 -pthread -o program "$top_srcdir/tests/programs/diff/threads.c"
record threads ./program
if [ "$(sed -n 3p "$top_builddir/cdrgrind/report/html/page_program.inc")" = '""' ]; then
  refused 2 'built without.*esbuild and node-typescript' report threads.trace -o threads.html
  [ ! -e threads.html ] || fail "a page without a program"
  skip "built without esbuild and node-typescript"
fi

# check NAME COMMAND...: NAME.html, and what the commands that it names say, one by one.
check() {
  local name=$1
  shift
  ends 0 "$cdrgrind" report "$@" -o "$name.html"
  [ ! -s out ] || fail "$name: something on standard output"
  [ ! -s err ] || fail "$name: $(cat err)"
  python3 "$here/report_check.py" documents "$name.html" "$cdrgrind" || fail "$name: not what the commands say"
}
check threads threads.trace
"$cdrgrind" dump --format=json threads.trace >threads.events
"$cdrgrind" sync --scope=program --format=json threads.trace >threads.sync
python3 "$here/report_check.py" timeline threads.html threads.events threads.sync || fail "the timeline of threads"

# Locks, conditions, semaphores, joins, each several times: idle time and hand-overs.
record pipeline "$examples/pipeline"
check pipeline --scope=all pipeline.trace
"$cdrgrind" dump --format=json pipeline.trace >pipeline.events
"$cdrgrind" sync --format=json pipeline.trace >pipeline.sync
python3 "$here/report_check.py" timeline pipeline.html pipeline.events pipeline.sync || fail "the timeline of pipeline"

# Frames of libraries that text folds, critical sections, barriers of both kinds.
$CXX -g -O0 -pthread -o meet "$here/report_meet.cc"
record meet ./meet
check meet meet.trace
python3 "$here/report_check.py" meetings meet.html || fail "sections, barriers or folded frames are not in the page"

# Two traces: what diff says, too.
record lists "$examples/two_lists"
cp lists.trace again.trace
check two again.trace lists.trace
python3 "$here/report_check.py" has two.html cdrgrind.diff/1 || fail "two traces are not compared"

# The ranks of an MPI program, also one of them alone; the library is a stand-in. Two runs of a rank are compared.
stand_in_library
"$CC" -g -o two_ranks "$top_srcdir/tests/programs/mpi/two_ranks.c" libmpich.so.12
stand_in_ranks ./two_ranks rank
check ranks rank1 rank0
python3 "$here/report_check.py" has ranks.html cdrgrind.mpi/1 'rank 1 receives with tag 9 at two_ranks.c' ||
  fail "ranks are not put together"
cp rank0 again0
check runs rank0 again0
python3 "$here/report_check.py" has runs.html cdrgrind.diff/1 || fail "two runs of a rank are not compared"
ends 0 "$cdrgrind" report rank0 -o rank.html
python3 "$here/report_check.py" failed rank.html mpi || fail "a rank alone"
python3 "$here/report_check.py" has rank.html 'of 2 ranks these have no trace here: 1' || fail "a rank alone: not said"
mkdir many
"$programs/traces/mpi_ranks" many 9 grid 2
ends 0 "$cdrgrind" report many/* -o many.html
python3 "$here/report_check.py" has many.html '"ranks":9' || fail "nine ranks"
refused 2 'those of the ranks of one run' report many/0 many/1 rank0 -o x.html

# Without sources; from standard input; the newest trace; a trace without addresses.
ends 0 "$cdrgrind" report --no-sources lists.trace -o bare.html
python3 "$here/report_check.py" lacks bare.html 'int main(void)' || fail "sources are in the page"
python3 "$here/report_check.py" has two.html 'int main(void)' || fail "no sources are in the page"
"$cdrgrind" report - -o input.html <lists.trace
"$cdrgrind" report lists.trace -o - >output.html
python3 "$here/report_check.py" has output.html 'int main(void)' || fail "no page on standard output"
[ ! -e ./- ] || fail "a page in a file called -"
python3 "$here/report_check.py" documents input.html "$cdrgrind" lists.trace || fail "standard input"
vg -q --deps=no --cdr-data=none --cdr-out-file=bare.trace "$programs/hello" >out
ends 0 "$cdrgrind" report bare.trace -o none.html
python3 "$here/report_check.py" failed none.html annotate advise races sharing patterns || fail "a trace without addresses"

# What goes wrong.
refused 2 'one trace, or two' report lists.trace again.trace threads.trace -o x.html
refused 2 '-o' report lists.trace
refused 3 'cannot be opened|No such file' report missing.trace -o x.html
refused 2 'lists.trace' report lists.trace -o lists.trace
cmp lists.trace again.trace
[ ! -e x.html ] || fail "a page of nothing"

# Who ends it ends the commands that it has started, even one that is stopped. One that runs already is taken: before, a
# new process has not said yet that it is to end so.
lives() { grep -q '^State:[[:space:]]*[^XZ[:space:]]' "/proc/$1/status" 2>/dev/null; }
"$cdrgrind" report threads.trace -o ended.html &
report=$! child=
while [ -z "$child" ] && lives $report; do
  child=$(grep -lx "PPid:[[:space:]]*$report" /proc/[0-9]*/status 2>/dev/null | head -1 | cut -d/ -f3) || :
  [ -z "$child" ] || grep -qz '^--format=json$' "/proc/$child/cmdline" 2>/dev/null || child=
done
if [ -n "$child" ] && kill -STOP "$child" 2>/dev/null; then
  kill -KILL $report
  for _ in $(seq 300); do if lives "$child"; then sleep 0.1; fi; done
  if lives "$child"; then kill -KILL "$child"; fail "a command outlives report"; fi
fi
wait $report || :

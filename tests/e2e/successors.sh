# SPDX-License-Identifier: GPL-2.0-or-later
# The names of traces: one for each process, and after exec with --trace-children=yes one for each program.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/processes_lib.sh"

# One process, three programs.
run_way forks again 3 --trace-children=yes
first=$(basename again.trace.*.1 .1)
ended "$first" "exec of $programs/process/forks"
ended "$first.1" "exec of $programs/process/forks"
ended "$first.2" 'exit 2'

# A shell, and what it runs.
run_alike shell --trace-children=yes -- sh -c '/bin/echo one; /bin/true && /bin/echo two'
[ "$(echo shell.trace.* | wc -w)" = 4 ] || fail "not four processes: $(echo shell.trace.*)"

# Without %p: the first process writes F, others F.PID, successors F.1.
names() {
  rm -f F F.*
  expect "$1" "$VALGRIND" --tool=cdrgrind -q --vgdb=no --cdr-out-file=F "${@:2}" >names.out
  for trace in F F.*; do [ ! -e "$trace" ] || sound "$trace"; done
}
names 2 "$programs/process/forks" fork
[ "$(echo F F.* | wc -w)" = 2 ] && [ -s F ] || fail "fork: $(echo F F.*)"
ended F 'exit 2'
ended F.[0-9]* 'exit 3'
names 2 --trace-children=yes "$programs/process/forks" again
[ "$(echo F F.*)" = 'F F.1 F.2' ] || fail "again: $(echo F F.*)"
names 0 --trace-children=yes sh -c '/bin/true; /bin/echo'
[ "$(echo F.* | wc -w)" = 2 ] || fail "children: $(echo F F.*)"
for trace in F.*; do ended "$trace" 'exit 0'; done
ended F 'exit 0'
# The child had a trace before it became another program.
names 2 --trace-children=yes "$programs/process/forks" path
child=$(basename F.*.1 .1)
ended "$child" 'exec of /bin/echo'
ended "$child.1" 'exit 0'
# A later run replaces F.
expect 0 vg -q --cdr-out-file=F true
ended F 'exit 0'
[ "$(echo F.*)" = "$child $child.1" ] || fail "a later run: $(echo F.*)"

# Paths are those of the folder at the start, also after chdir.
mkdir -p elsewhere
expect 0 vg -q --cdr-out-file=D.%p --trace-children=yes sh -c 'cd elsewhere && exec /bin/true'
[ "$(echo D.* | wc -w)" = 2 ] || fail "after chdir: $(echo D.* elsewhere/*)"

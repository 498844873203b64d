# SPDX-License-Identifier: GPL-2.0-or-later
# `mpirun -n K cdrgrind mpi`: files are shared out among processes, and what the first prints is what one process prints,
# to the byte; so is the status. (That the analysis itself comes to the same: tests/unit/analysis/mpi/processes_test.cc.)
mpi=openmpi
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/mpi_lib.sh"

# K ranks started, without a program that knows how to talk to the others: one says so.
alone=$work/alone/bin
mkdir -p "$alone"
cp "$cdrgrind" "$alone/cdrgrind"
for rank in 0 1; do
  expect 2 env PMI_RANK=$rank PMI_SIZE=2 "$alone/cdrgrind" mpi x y >out 2>err.$rank
  [ ! -s out ] || fail "rank $rank printed: $(cat out)"
done
grep -q "MPICH's mpirun has started 2 processes, but this cdrgrind was built without" err.0 || fail "$(cat err.0)"
[ "$(wc -l <err.0)" = 1 ] && [ ! -s err.1 ] || fail "not one line: $(cat err.0 err.1)"
program=$top_builddir/cdrgrind/cli/cdrgrind-mpi
[ -x "$program" ] || skip "built without Open MPI"
ranks 2 /bin/true 2>started || skip "Open MPI itself starts nothing here: $(tail -n 3 started)"

# shared K NAME FILE OPTION...: status and bytes of K processes are those in NAME.want.
shared() {
  local k=$1 name=$2 status=0
  shift 2
  ranks "$k" "$cdrgrind" mpi "$@" >"$name.$k" 2>"$name.$k.err" || status=$?
  [ "$status" = "$(cat "$name.status")" ] || fail "$k processes: status $status: $*: $(cat "$name.$k.err")"
  cmp "$name.want" "$name.$k" || fail "$k processes: $*"
}
# compared NAME "K..." FILE OPTION...: JSON by each of so many processes, the other formats by the last of them.
compared() {
  local name=$1 counts=$2 format status some
  shift 2
  for format in text json perfetto; do
    status=0 some=$counts
    [ $format = json ] || some=${counts##* }
    "$cdrgrind" mpi --format=$format "$@" >"$name.$format.want" || status=$?
    echo "$status" >"$name.$format.status"
    for k in $some; do shared "$k" "$name.$format" --format=$format "$@"; done
  done
}
made() {
  mkdir "$1"
  "$programs/traces/mpi_ranks" "$@"
}

made grid 12 grid 3
compared grid "1 2 3 4" grid/*
made ring 7 ring 9
compared ring "2 4" --algorithm=greedy ring/*
for seed in 1 2; do
  made random$seed 5 random 12 $seed
  compared random$seed "3 4" --eager=8 --tags random$seed/*
done
made many 1024 grid 4
compared many 4 many/*

# Traces of a real program, with lines; more processes than files.
if compiled mistakes.c 2>compiler && ranks 2 ./mistakes all >mistakes.out 2>&1; then
  recorded all 2 ./mistakes all
  compared all "1 2 3" all.1 all.0
  grep -q 'mistakes.c:[0-9]' all.text.want || fail "no lines: $(cat all.text.want)"
fi

# What is wrong is said once, by one of them.
wrong() {
  local want=$1 pattern=$2 status=0
  shift 2
  ranks 3 "$cdrgrind" mpi "$@" >out 2>err || status=$?
  [ "$status" = "$want" ] || fail "status $status, not $want: $*: $(cat err)"
  [ ! -s out ] || fail "$*: something on standard output: $(head -n 3 out)"
  [ "$(grep -c '^cdrgrind: error' err)" = 1 ] && grep -q "^cdrgrind: error: .*$pattern" err || fail "$*: $(cat err)"
}
wrong 3 'of 12 ranks these have no trace here: 1-11' grid/0
wrong 3 'both are rank 3' grid/3 ring/*
wrong 3 'missing: .*No such file' grid/0 grid/1 missing grid/11 absent
wrong 2 'no-such-option' --no-such-option grid/0
wrong 2 'standard input' - grid/0
ranks 3 "$cdrgrind" mpi --help >help 2>err
[ "$(grep -c '^Usage\|^usage' help)" = 1 ] || fail "help: $(cat help)"

# Another MPI's launcher knows nothing of this one.
if command -v mpirun.mpich >/dev/null; then
  status=0
  mpirun.mpich -n 2 "$cdrgrind" mpi grid/* >out 2>err </dev/null || status=$?
  [ "$status" = 2 ] && [ "$(grep -c "MPICH's mpirun has started 2 processes, but cdrgrind-mpi is linked with Open MPI" err)" = 1 ] ||
    fail "another launcher: $status: $(cat out err)"
fi

# SPDX-License-Identifier: GPL-2.0-or-later
# Which rank a process is, as launchers say it; traces of many ranks that never ran, against the slow reference.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
unset OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK SLURM_PROCID

# %r, and what the trace says: the first of several that is set.
started() { env "$@" "$VALGRIND" --tool=cdrgrind --vgdb=no -q --deps=no --cdr-out-file=rank.%r "$programs/hello"; }
started SLURM_PROCID=3 SLURM_NTASKS=4 >hello.out
"$cdrgrind" stats --format=json rank.3 >rank.json
started PMI_RANK=5 PMI_SIZE=8 SLURM_PROCID=2 >hello.out
[ -s rank.5 ] || fail "PMI_RANK: no rank.5"
started OMPI_COMM_WORLD_RANK=6 OMPI_COMM_WORLD_SIZE=8 PMIX_RANK=1 >hello.out
[ -s rank.6 ] || fail "OMPI_COMM_WORLD_RANK: no rank.6"
ends 1 "$VALGRIND" --tool=cdrgrind --vgdb=no -q --deps=no --cdr-out-file=rank.%r "$programs/hello"
grep -q 'which rank this is' err || fail "no rank: $(cat err)"
[ ! -s out ] || fail "no rank: the program ran"
refused 3 'no calls of MPI' mpi rank.3

# Against the definitions. The kinds of programs are those of tests/programs/traces/mpi_ranks.cc.
made() {
  mkdir -p "$1"
  "$programs/traces/mpi_ranks" "$@"
}
compared() {
  local folder=$1 want=$2 rank
  shift 2
  expect "$want" "$cdrgrind" mpi --format=json "$@" "$folder"/[0-9]* >"$folder.json"
  for rank in "$folder"/[0-9]*; do
    "$cdrgrind" dump --format=json --events=mpi,block "$rank" >"$folder/events.${rank##*/}"
  done
  python3 "$top_srcdir/tests/reference/mpi.py" "$folder.json" "$folder"/events.* || fail "$folder: not as the reference has it"
}
made grid 12 grid 3
"$cdrgrind" verify grid/5 >verified || fail "$(cat verified)"
compared grid 0
made ring 7 ring 9
compared ring 0 --algorithm=greedy
for seed in 1 2 3 4 5 6; do
  made "random$seed" 4 random 12 "$seed"
  compared "random$seed" 1
done

# Many ranks: as many classes as there are kinds of places on the grid.
made many 1024 grid 4
"$cdrgrind" mpi --format=json many/* >many.json
python3 - <<'END' || fail "many ranks: $(head -c 1000 many.json)"
import json, sys
report = json.load(open("many.json"))
cells = len(report["matrix"])
sys.exit((report["ranks"], len(report["classes"]), cells, report["messages"]["matched"]) !=
         (1024, 9, 2 * 31 * 32, 2 * 31 * 32 * 64))
END
# In any order of files.
find many -type f | LC_ALL=C sort -r >files
xargs "$cdrgrind" mpi --format=json <files | cmp - many.json || fail "the order of the files decides"

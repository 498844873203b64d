# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read after common.sh by the tests of MPI, which set mpi=openmpi or mpi=mpich before. Defines
#   compiled NAME           a program of tests/programs/mpi, compiled with that MPI
#   ranks N COMMAND...      runs it on N ranks; with exec=exec in place of this shell
#   recorded NAME N PROGRAM ARGUMENT...   records it as NAME.0, NAME.1 ...; its output goes to NAME.out
#   line_of FILE WORDS      the number of the line that has them
#   must_run                ends the test as skipped where that MPI runs no programs; compiles mistakes.c
#   test_mpi N KERNEL...    all that is the same with each MPI, with all kernels on N ranks, and one on eight
command -v python3 >/dev/null || skip "no python3"
for needed in mpicc mpif90 mpirun; do
  command -v "$needed.${mpi:?}" >/dev/null || skip "no $needed.$mpi"
done
sources=$top_srcdir/tests/programs/mpi

# In a container of root's, on few processors, and without a look at the machine's.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # version 4, version 5
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1 OMPI_MCA_plm=isolated
export OMPI_MCA_btl_vader_single_copy_mechanism=none HWLOC_COMPONENTS=-x86
# Names of processes and machines are not asked for over the network.
export HYDRA_LAUNCHER=fork HYDRA_IFACE=lo

compiled() {
  case $1 in
    *.f90) "mpif90.$mpi" -g -o "${1%.*}" "$sources/$1" ;;
    *) "mpicc.$mpi" -g -O1 -I"$top_srcdir" -Wno-stringop-overflow -pthread -o "${1%.*}" "$sources/$1" ;;
  esac
}

ranks() {
  local n=$1
  shift
  ${exec:-} "mpirun.$mpi" -n "$n" "$@" </dev/null
}

recorded() {
  local name=$1 n=$2
  shift 2
  ranks "$n" "$VALGRIND" --tool=cdrgrind --vgdb=no -q --deps=no --cdr-data=none --cdr-out-file="$name.%r" "$@" \
    >"$name.out" 2>"$name.err" || fail "$name: status $?: $(tail -n 20 "$name.err")"
}

line_of() { grep -n -- "$2" "$sources/$1" | cut -d: -f1; }

verified() {
  local trace
  for trace; do "$cdrgrind" verify "$trace" >verified || fail "$trace: $(head -n 5 verified)"; done
}

# The kernels on so many ranks: what they print as without, whole messages; on four nests as they are known.
test_kernels() {
  compiled kernels.c
  recorded kernels "$1" ./kernels all
  ranks "$1" ./kernels all | diff - kernels.out || fail "the kernels print something else"
  verified kernels.0
  "$cdrgrind" mpi --format=json kernels.? >kernels.json || fail "kernels: status $?"
  python3 "$top_srcdir/tests/e2e/mpi_nests.py" kernels.json >nests
  [ "$1" != 4 ] || diff "$top_srcdir/tests/e2e/mpi_nests.want" nests || fail "other nests"
  "$cdrgrind" mpi --format=perfetto kernels.? | python3 -m json.tool >/dev/null || fail "perfetto: no JSON"
  "$cdrgrind" mpi --algorithm=greedy kernels.? >greedy || fail "greedy: status $?"
  grep -qx 'Unmatched: *0' greedy || fail "messages are left"
}

test_functions() {
  compiled functions.c
  recorded functions 2 ./functions
  ranks 2 ./functions | diff - functions.out || fail "functions prints something else"
  verified functions.1
  "$cdrgrind" mpi functions.0 functions.1 >functions.text || fail "functions: $(cat functions.text)"
  # 5 sends in all modes, 2 + 2 + 2 + 2 both ways, 6 rounds of persistent requests, two rings on each half.
  grep -qx 'Matched: *29' functions.text || fail "functions: $(grep Matched functions.text)"
  # Each puts one int into the other's window, and both get one of rank 0's.
  "$cdrgrind" mpi --format=json functions.0 functions.1 >functions.json
  python3 - <<'END' || fail "one-sided: $(grep one_sided functions.json)"
import json, sys
cells = [(c["from"], c["to"], c["one_sided"], c["one_sided_bytes"])
         for c in json.load(open("functions.json"))["matrix"] if "one_sided" in c]
sys.exit(cells != [(0, 0, 1, 4), (0, 1, 1, 4), (1, 0, 2, 8)])
END
  # The program's function in a reduction takes a lock, which is the program's; the library's own are not told.
  "$cdrgrind" sync --format=json functions.0 >functions.sync
  grep -q '"lock"' functions.sync || fail "the lock of the program's function is not told"
}

# On eight ranks, however few processors there are: nests as they are known, of lu on two rows, and of is.
test_eight() {
  recorded eight 8 ./kernels "$@"
  ranks 8 ./kernels "$@" | diff - eight.out || fail "on eight ranks: another result"
  "$cdrgrind" mpi --format=json eight.? >eight.json || fail "eight ranks: status $?"
  python3 "$top_srcdir/tests/e2e/mpi_nests.py" eight.json | sed 's/.*: //' | sort | uniq -c | sed 's/^ *//' >nests
  case $1 in
    lu) printf '%s\n' "4 1 + ((2)^$2 + (2)^$2 + 6)^$3 + 2" "4 1 + ((3)^$2 + (3)^$2 + 9)^$3 + 2" ;;
    is) echo "1 1 + (3)^$2 + 2" ;;
  esac | diff - nests || fail "eight ranks: other nests"
}

# By `cdrgrind record`, and by the launcher's other name.
test_record() {
  "mpiexec.$mpi" -n 2 "$cdrgrind" record --deps=no --cdr-out-file=by.%r -- ./mistakes late \
    </dev/null >record.out 2>record.err || fail "record: status $?: $(tail -n 20 record.err)"
  "$cdrgrind" mpi by.0 by.1 >by.text || fail "record: $(cat by.text)"
  grep -qx 'Matched: *1' by.text || fail "record: $(cat by.text)"
}

# other_launcher PATTERN VARIABLE=VALUE...: one of two ranks that a launcher has started of which this library knows
# nothing.
other_launcher() {
  env "${@:2}" "$VALGRIND" --tool=cdrgrind --vgdb=no -q --deps=no --cdr-data=none --cdr-out-file=other.%r ./mistakes none \
    2>other.err </dev/null
  [ "$(grep -c "$1" other.err)" = 1 ] || fail "another launcher: $(cat other.err)"
}

test_mistakes() {
  local send receive
  compiled mistakes.c
  recorded all 2 ./mistakes all
  expect 1 "$cdrgrind" mpi all.0 all.1 >all.text
  send=$(line_of mistakes.c '/\* wrong tag') receive=$(line_of mistakes.c '/\* other tag')
  grep -qF "rank 0: Isend: send to rank 1, tag 6 at mistakes.c:$send; rank 1 receives with tag 7 at mistakes.c:$receive" \
    all.text || fail "tag: $(cat all.text)"
  expect 1 "$cdrgrind" mpi --format=json all.0 all.1 >all.json
  late sender 0 1 Recv "$(line_of mistakes.c '/\* waits \*/')" Send "$(line_of mistakes.c '/\* late \*/')" all.json
  late receiver 0 1 Ssend "$(line_of mistakes.c '/\* waits for')" Recv "$(line_of mistakes.c '/\* late receiver')" all.json
  refused 3 'of 2 ranks these have no trace here: 1' mpi all.0
  refused 3 'both are rank 0' mpi all.0 all.1 all.0
}

# KIND RANK PEER CALL LINE PEER_CALL PEER_LINE JSON: such a wait, of more instructions than its work has steps.
late() {
  python3 - "$@" <<'END' || fail "$1: not told: $(head -c 2000 "$8")"
import json, sys
kind, rank, peer, call, line, other, other_line, path = sys.argv[1:]
wanted = (kind, int(rank), int(peer), call, int(line), other, int(other_line))
found = [w["instructions"] for w in json.load(open(path))["late"]
         if (w["kind"], w["rank"], w["peer"], w["call"], w["line"], w["peer_call"], w["peer_line"]) == wanted]
sys.exit(not found or found[0] < 200000)
END
}

# Both ranks wait for each other: as soon as that can be read, all is ended.
test_deadlock() {
  local runner stuck=
  exec=exec ranks 2 "$VALGRIND" --tool=cdrgrind --vgdb=no -q --deps=no --cdr-data=none --cdr-chunk-blocks=500000 \
    --cdr-out-file=deadlock.%r ./mistakes deadlock >deadlock.out 2>deadlock.err &
  runner=$!
  trap 'kill $runner 2>/dev/null || true' EXIT
  while kill -0 "$runner" 2>/dev/null; do
    "$cdrgrind" mpi deadlock.0 deadlock.1 >deadlock.text 2>/dev/null || true
    [ "$(grep -c 'rank [01]: Recv at mistakes.c:[0-9]* waits for rank [01]$' deadlock.text)" = 2 ] && stuck=1 && break
    sleep 1
  done
  kill "$runner" 2>/dev/null || true
  wait "$runner" || true
  trap - EXIT
  [ "$stuck" ] || fail "deadlock: $(cat deadlock.text deadlock.err)"
  until_free deadlock.0
  until_free deadlock.1
  expect 1 "$cdrgrind" mpi --format=json deadlock.0 deadlock.1 >deadlock.json 2>/dev/null
  python3 - "$(line_of mistakes.c '/\* stuck \*/')" <<'END' || fail "deadlock: $(cat deadlock.json)"
import json, sys
found = [(d["rank"], d["call"], d["line"], d["waits_for"]) for d in json.load(open("deadlock.json"))["deadlock"]]
sys.exit(found != [(0, "Recv", int(sys.argv[1]), [1]), (1, "Recv", int(sys.argv[1]), [0])])
END
}

test_fortran() {
  compiled ring.f90
  recorded ring 2 ./ring
  "$cdrgrind" mpi ring.0 ring.1 --format=json >ring.json
  python3 - "$(line_of ring.f90 'rank == 0) call MPI_Send')" <<'END' || fail "Fortran: $(cat ring.json)"
import json, sys
report = json.load(open("ring.json"))
calls = json.dumps(report["classes"])
ok = report["messages"]["matched"] == 9 and "Irecv(+1 mod 2, 4)" in calls and '"count": 4' in calls
sys.exit(not ok)
END
  "$cdrgrind" mpi --format=perfetto ring.? >ring.perfetto
  grep -q "\"name\":\"Send\".*\"line\":$(line_of ring.f90 'rank == 0) call MPI_Send')}" ring.perfetto ||
    fail "Fortran: the call has no line"
}

must_run() {
  compiled mistakes.c
  ranks 2 ./mistakes all >alone 2>&1 || skip "$mpi itself runs no programs here: $(tail -n 3 alone)"
}

test_mpi() {
  must_run
  compiled constants.c
  ./constants || fail "other constants than mpi.h's"
  test_kernels "$1"
  test_eight "${@:2}"
  test_functions
  test_mistakes
  test_record
  test_deadlock
  test_fortran
}

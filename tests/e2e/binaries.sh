# SPDX-License-Identifier: GPL-2.0-or-later
# A program or library that was built anew after the recording is never taken for what was recorded: no report has a
# name of it, and each says so. The old file, given by --debug-dir, makes the report what it was.
. "$top_srcdir/tests/e2e/common.sh"

# The same work under other names, at other places.
# (Without the barrier one thread may have ended, and thereby be ordered, before the other begins.)
cat >old.c <<'END'
#include <pthread.h>
long before_counter; static pthread_barrier_t both;
static long before_other[64];
static void *before_work(void *unused) { pthread_barrier_wait(&both);
  for (int i = 0; i < 20; i++) {
    before_counter += STEP;
    before_other[i] += before_counter;
  }
  return unused;
}
int run_all(void) {
  pthread_t threads[2]; pthread_barrier_init(&both, 0, 2);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, before_work, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return before_other[3] == 0;
}
END
{
  echo '#include <pthread.h>'
  for n in 1 2 3 4 5 6 7 8; do
    echo "long after_value$n[16] = {$n}; long after_zero$n[16];"
    echo "__attribute__((noinline)) long after_step$n(long x) { return after_value$n[x & 15] += after_zero$n[1] + $n; }"
  done
  echo 'int run_all(void) { return (int)after_step1(after_step2(3)); }'
} >new.c
echo 'int run_all(void); int main(void) { return run_all(); }' >main.c

# build PROGRAM SOURCE FLAG...
build() {
  local program=$1 source=$2
  shift 2
  rm -f "$program"
  "$CC" -g -O1 -pthread -DSTEP=5 "$@" -o "$program" "$source"
}
toggle=--toggle-collect=run_all
records() {
  rm -f trace
  vg -q $toggle --cdr-out-file=trace "$@" >/dev/null </dev/null
  "$cdrgrind" verify trace >verify.out || fail "verify: $(cat verify.out)"
}

# report NAME OPTION... COMMAND...: what it prints, without what differs from time to time.
report() {
  local name=$1 status=0
  shift
  "$cdrgrind" "$@" >"$name.out" 2>"$name.err" || status=$?
  sed -i '/^Time:/d' "$name.out"
  echo "$status" >"$name.status"
}
# reports FOLDER OPTION...: every command in every format.
reports() {
  local folder=$1 format
  rm -rf "$folder"
  mkdir "$folder"
  shift
  for format in text json gcc sarif xml; do report "$folder/races.$format" races "$@" --format=$format trace; done
  report "$folder/races.suppressions" races "$@" --gen-suppressions=all trace
  for format in text json; do
    for command in advise annotate sharing patterns; do
      report "$folder/$command.$format" $command "$@" --format=$format trace
    done
  done
  for format in text json mermaid; do report "$folder/sync.$format" sync "$@" --format=$format trace; done
  for format in text json callgrind; do report "$folder/paths.$format" paths "$@" --format=$format trace; done
  for format in text json nest dot; do report "$folder/loops.$format" loops "$@" --thread=2 --format=$format trace; done
  report "$folder/line.dump" dump "$@" --thread=2 --at-line=old.c:6:3 trace
  report "$folder/block.dump" dump "$@" --thread=2 --at-block=40 trace
}
# few FOLDER OPTION...: two of them.
few() {
  rm -rf "$1"
  mkdir "$1"
  report "$1/races.text" races "${@:2}" trace
  report "$1/races.json" races "${@:2}" --format=json trace
}
# says FOLDER PATTERN STATE: each report there does, where its format has room for it.
says() {
  local folder=$1 pattern=$2 state=$3 name
  for name in "$folder"/*.out; do
    case $name in
      *.json.out) grep -q "\"binaries\":\[{\"path\":\"$PWD/[a-z.]*\",\"state\":\"$state\"" "$name" ;;
      *.text.out) grep -qE "^Binaries: .*$pattern" "$name" ;;
      *) grep -qE "^cdrgrind: warning: .*$pattern" "${name%out}err" ;;
    esac || fail "$name: $(cat "$name" "${name%out}err")"
  done
}
# equal FOLDER: the reports are those of the folder want, and say nothing more.
equal() {
  local file
  sed -i 's/"binaries":\[[^]]*\],//' "$1"/*.json.out
  for file in "$1"/*; do
    diff "want/${file##*/}" "$file" || fail "$file: not the report of the old file"
  done
}
without() {
  ! grep -rE "$2" "$1" || fail "$1 has names that it must not have"
}
has_names() {
  for name in races.text races.json races.gcc races.sarif races.xml annotate.text sharing.text patterns.text paths.text loops.text; do
    grep -qE 'before_(counter|work|other)|old\.c' "want/$name.out" || fail "$name names nothing: $(cat "want/$name.out")"
  done
  [ "$(cat want/line.dump.status)" = 0 ] || fail "no such line: $(cat want/line.dump.err)"
  without want '^Binaries|"binaries"|cdrgrind: warning'
}

# Another program, told by its build-id. (Static: reading what the C library has to say takes time.)
mkdir kept
build prog old.c main.c -static -Wl,--build-id=sha1
records ./prog
"$cdrgrind" stats --format=json trace >stats.json
id=$(readelf -n prog | sed -n 's/ *Build ID: //p')
[ ${#id} = 40 ] && grep -q "\"build_id\": \"$id\"" stats.json || fail "build-id $id is not in: $(cat stats.json)"
reports want
has_names
cp prog kept
touch prog
few touched
equal touched
build prog new.c main.c -static -Wl,--build-id=sha1
reports changed
new=$(readelf -n prog | sed -n 's/ *Build ID: //p')
says changed "/prog \(build-id ${id:0:8}… then, ${new:0:8}… now\) has changed since the recording: .*--debug-dir=DIR" changed
without changed 'after_[^f]|new\.c|before_|/old\.c'
grep -q 'toolExecutionNotifications' changed/races.sarif.out || fail "SARIF: no notification"
[ "$(cat changed/line.dump.status)" = 3 ] || fail "a line of the old program was found in the new one"
reports found --debug-dir=kept
equal found
"$cdrgrind" races --debug-dir=kept --format=json trace >found.json || :
grep -q "\"state\":\"found\",\"build_id\":\"$id\",\"file\":\"kept/prog\"" found.json || fail "found: $(cat found.json)"
# The ranks of an MPI program, too.
stand_in_library
cp "$top_srcdir/tests/programs/mpi/two_ranks.c" .
"$CC" -g -Wl,--build-id=sha1 -o prog.ranks two_ranks.c libmpich.so.12
stand_in_ranks ./prog.ranks rank
ranks() {
  rm -rf "$1"
  mkdir "$1"
  for format in text json perfetto; do report "$1/mpi.$format" mpi --format=$format "${@:2}" rank0 rank1; done
}
mv want of_prog
ranks want
grep -q 'at two_ranks.c:[0-9]' want/mpi.text.out || fail "mpi names no line: $(cat want/mpi.text.out)"
cp prog.ranks kept
{ printf 'int more(void) { return 7; }\n\n\n' && cat two_ranks.c; } >changed.c
"$CC" -g -Wl,--build-id=sha1 -o prog.ranks changed.c libmpich.so.12
ranks changed
says changed '/prog.ranks .*has changed since the recording' changed
without changed 'two_ranks\.c:[0-9]|changed\.c'
ranks found --debug-dir=kept
equal found
rm -r want
mv of_prog want

# Kept by build-id, and gone from its path.
mkdir -p by_id/.build-id/"${id:0:2}"
mv kept/prog by_id/.build-id/"${id:0:2}/${id:2}"
rm prog
few missing
says missing '/prog is not there: .*--debug-dir=DIR' missing
without missing 'before_|/old\.c'
few found --debug-dir=kept --debug-dir=by_id
equal found

# What the trace holds is the same again, also when it is repacked.
"$cdrgrind" repack -o repacked trace >/dev/null
"$cdrgrind" stats --format=json repacked | grep -q "\"build_id\": \"$id\"" || fail "repack lost the build-id"

# A forked child's trace knows it, too.
echo 'int fork(void); int wait(int *); int main(void) { if (fork()) wait(0); return 0; }' >fork.c
"$CC" -w -o fork fork.c -Wl,--build-id=sha1
vg -q --cdr-out-file=fork.trace ./fork
id=$(readelf -n fork | sed -n 's/ *Build ID: //p')
for file in fork.trace fork.trace.*; do
  "$cdrgrind" stats --format=json "$file" | grep -q "\"build_id\": \"$id\"" || fail "$file: no build-id"
done

# Without build-id, of equal size.
build prog old.c main.c -static -Wl,--build-id=none
cp prog kept
records ./prog
few want
touch prog
few touched
equal touched
build prog old.c main.c -static -Wl,--build-id=none -USTEP -DSTEP=3
[ "$(stat -c %s prog)" = "$(stat -c %s kept/prog)" ] || fail "the sizes differ"
few changed
says changed '/prog \(other content\) has changed' changed
without changed 'before_|/old\.c'
few found --debug-dir=kept
equal found
build prog new.c main.c -static -Wl,--build-id=none
few changed
says changed '/prog \([0-9]+ bytes then, [0-9]+ now\) has changed' changed

# A stripped program with its debug information elsewhere.
split() {
  objcopy --only-keep-debug prog prog.debug
  strip prog
  id=$(readelf -n prog | sed -n 's/ *Build ID: //p')
  mkdir -p debug/.build-id/"${id:0:2}"
  mv prog.debug debug/.build-id/"${id:0:2}/${id:2}".debug
}
build prog old.c main.c -Wl,--build-id=sha1
split
toggle= # it has no such name
records ./prog
few want --debug-dir=debug
grep -q before_counter want/races.text.out || fail "no names: $(cat want/races.text.out)"
build prog new.c main.c -Wl,--build-id=sha1
split
few changed
says changed '/prog .*has changed' changed
without changed 'before_|after_[^f]'
few found --debug-dir=debug
grep -q before_counter found/races.text.out || fail "no names: $(cat found/races.text.out)"
without found 'after_[^f]|^Binaries'

# A library.
toggle=--toggle-collect=run_all
rm -rf kept/*
build libwork.so old.c -shared -fPIC -Wl,--build-id=sha1
"$CC" -g -o prog main.c -L. -lwork -Wl,-rpath,"$PWD"
records ./prog
few want
grep -q before_counter want/races.text.out || fail "no names: $(cat want/races.text.out)"
cp libwork.so kept
build libwork.so new.c -shared -fPIC -Wl,--build-id=sha1
few changed
says changed '/libwork.so \(build-id .*has changed' changed
without changed 'after_[^f]|before_'
few found --debug-dir=kept
equal found

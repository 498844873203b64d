# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings of old format versions, kept in tests/traces: every command reads them and says what it said when
# they were made. The programs and their sources stand beside the traces; --path-map leads there.
. "$top_srcdir/tests/e2e/common.sh"

# Without times: these traces do not tell files apart, and programs newer than the recording would be told.
cp -r "$top_srcdir/tests/traces" traces
find traces -type f -exec touch -d 2000-01-01 {} +
traces=$PWD/traces
old=$traces/v1
here=--path-map=/tmp/recorded=$old

# says FILE COMMAND…: the command's standard output is the file's content, and it has no complaint.
says() {
  local want=$1
  shift
  ends 0 "$cdrgrind" "$@"
  cmp "$want" out || fail "$*: not what is in $want: $(head -n 5 out)"
  [ ! -s err ] || fail "$*: $(cat err)"
}
# has PATTERN: the last output has such a line.
has() {
  grep -qE -- "$1" out || fail "no line like '$1' in: $(cat out)"
}
has_not() {
  ! grep -E -- "$1" out || fail "a line like '$1'"
}

for name in hello hello_no_deps threads threads_no_deps; do
  trace=$old/$name.trace
  ends 0 "$cdrgrind" verify "$trace"
  has '^fine$'
  has ': format 1, '
  ends 0 "$cdrgrind" stats "$trace"
  has '^Status: +complete'
  ends 0 "$cdrgrind" stats --format=json "$trace"
  has '"schema": *"cdrgrind.stats/1"'
  ends 0 "$cdrgrind" paths $here -n 1 "$trace"
  has '^Paths: +[0-9,]+ executed, [0-9,]+ different$'
  ends 0 "$cdrgrind" loops $here --of=blocks "$trace"
  has '^Input: .*, blocks$'
  has '^-- Thread'
  for format in text json lackey; do
    ends 0 "$cdrgrind" dump --format=$format "$trace"
    mv out "$name.$format"
  done
done

# What is in them.
for format in text json lackey; do
  says "$old/hello.$format" dump --format=$format "$old/hello.trace"
  cmp hello.$format hello_no_deps.$format
done
ends 0 "$cdrgrind" dump --events=thread-start "$old/threads.trace"
[ "$(wc -l <out)" = 3 ] || fail "three threads, not: $(cat out)"
for thread in 2 3; do
  ends 0 "$cdrgrind" dump --thread=$thread --events=sync-enter "$old/threads.trace"
  [ "$(grep -c 'mutex-lock' out)" = 2 ] && [ "$(grep -c 'mutex-unlock' out)" = 2 ] || fail "thread $thread: $(cat out)"
done

# annotate: the recorded dependences, computed ones, and from a trace that has none.
row() {
  printf '{"kind":"%s","class":"o","ancestor":"%s","source":{"file":"%s","line":%s,"code":"%s"},' "$1" "$2" "$3" "$4" "$5"
  printf '"target":{"file":"%s","line":%s,"code":"%s"},"count":%s,' "$3" "$6" "$7" "$8"
  printf '"objects":[{"name":"%s","kind":"global"}]}' "$9"
}
{
  printf '{"schema":"cdrgrind.dependences/1","program":"./hello",'
  echo '"scope":{"modules":"all","functions":[],"files":[],"left_out":0},"dependences":['
  row RAW _start "$old/hello.c" 24 c 25 c 4 numbers
  echo ,
  row RAW _start "$old/hello.c" 25 '' 26 c 1 text
  printf '\n]}\n'
} >hello.rows
says hello.rows annotate --carried=no --format=json "$here" "$old/hello.trace"
# What is computed now tells first occurrences, too.
for trace in "--from-trace $old/hello.trace" "--from-trace $old/hello_no_deps.trace" "$old/hello_no_deps.trace"; do
  # shellcheck disable=SC2086
  ends 0 "$cdrgrind" annotate --carried=no --format=json "$here" $trace
  has '"first":'
  sed 's/,"first":{[^}]*{[^}]*}}//' out | cmp hello.rows - || fail "$trace: $(cat out)"
done
ends 0 "$cdrgrind" dump --dependences=online "$old/threads.trace"
! grep -v $'\t-$' out || fail "old tables do not tell first occurrences"
sed 's/\t-$//' out >online
# computed: without the events of first occurrences
computed() {
  ends 0 "$cdrgrind" dump --dependences=trace "$1"
  ! grep -v $'\t[0-9][0-9]*$' out || fail "first occurrences are missing"
  sed 's/\t[0-9]*$//' out | cmp online -
}
computed "$old/threads.trace"
computed "$old/threads_no_deps.trace"
for source in recorded from-trace; do
  option=
  [ $source = recorded ] || option=--from-trace
  ends 0 "$cdrgrind" annotate $option "$here" "$old/threads.trace" threads.c
  has '10 +shared \+= '
  has '^  RAW   o +10 +10 +2  .*shared$'
  has '^  WAW   o +9 c +11 c +12( .*)?$'
  ends 0 "$cdrgrind" annotate $option --class=all --function=_start "$here" "$old/hello.trace"
  has '25 +text\[6\] = '
done
ends 3 "$cdrgrind" dump --dependences=online "$old/hello_no_deps.trace"
grep -q 'try --from-trace' err || fail "no advice: $(cat err)"

# Without sources, and without the programs: rows with what is known.
mkdir programs
cp "$old/hello" programs
ends 0 "$cdrgrind" annotate --path-map=/tmp/recorded="$PWD/programs" --function=_start "$old/hello.trace"
has 'The file is not found'
has '^  RAW   o +24 c +25 c +4  numbers$'
ends 0 "$cdrgrind" annotate -I "$old" --path-map=/tmp/recorded="$PWD/programs" "$old/hello.trace"
has '25 +text\[6\] = '
mkdir nothing
for option in '' --from-trace; do
  ends 0 "$cdrgrind" annotate $option --path-map=/tmp/recorded="$PWD/nothing" --format=json "$old/hello.trace"
  has '"kind":"RAW","class":"o","ancestor":"hello\+0x400141","source":[{]"file":"/tmp/recorded/hello","line":0,"code":"c"'
  has_not 'hello\.c'
  ends 0 "$cdrgrind" annotate $option --path-map=/tmp/recorded="$PWD/nothing" "$old/threads.trace"
done

# The same cut short: every command reads what is there, and verify tells.
head -c -20 "$old/threads.trace" >cut
ends 1 "$cdrgrind" verify cut
for command in dump stats annotate 'annotate --from-trace'; do
  ends 0 "$cdrgrind" $command cut
  grep -q 'the trace is cut' err || fail "$command: no warning: $(cat err)"
done

# A program that is newer than a trace before version 5 is used, and told.
cp -r "$old" rebuilt
touch -d 2038-01-01 rebuilt/hello
ends 0 "$cdrgrind" annotate --path-map=/tmp/recorded="$PWD/rebuilt" "$old/hello.trace"
has '^Binaries: +/tmp/recorded/hello is newer than the recording, .* may be wrong$'
has '25 +text\[6\] = '
ends 0 "$cdrgrind" annotate --format=json --path-map=/tmp/recorded="$PWD/rebuilt" "$old/hello.trace"
has '"line":25'
has_not '"binaries"'
grep -q 'warning: /tmp/recorded/hello is newer than the recording' err || fail "no warning: $(cat err)"

# Version 2: operations of other locks, and calls of execve. Version 3: epochs, and data flow. Version 4: superblocks as
# columns. Version 5: checksums and build-ids of the modules. Version 6: predicted paths.
for version in 2 3 4 5 6; do
  folder=$traces/v$version
  chain=$folder/chain.trace
  ends 0 "$cdrgrind" verify "$chain"
  has ": format $version, "
  has 'ended by executing /bin/true'
  says "$folder/chain.text" dump --events=sync "$chain"
  ends 0 "$cdrgrind" stats "$chain"
  has '^EXEC +3 '
  ends 0 "$cdrgrind" annotate --path-map=/tmp/recorded="$folder" "$chain" chain.c
  has '^  WAR   o +15 +18 +2( .*)?$'
  ends 0 "$cdrgrind" dump --events=block,access,call,return "$chain"
  mv out all
  ends 0 "$cdrgrind" repack -o chain.repacked "$chain"
  ends 0 "$cdrgrind" dump --events=block,access,call,return chain.repacked
  cmp all out
done
for name in v1/hello v4/chain; do
  ends 0 "$cdrgrind" repack -o repacked "$traces/$name.trace"
  ends 0 "$cdrgrind" verify repacked
  has ': format 8, '
  ends 0 "$cdrgrind" stats --format=json repacked
  has_not '"build_id"|"checksum"'
done
# A program that is not the one of version 5 is told and not used.
ends 0 "$cdrgrind" annotate --path-map=/tmp/recorded="$traces/v4" "$chain" chain.c
has '^Binaries: +(.*, )?/tmp/recorded/chain .other content.(, .*)? (has|have) changed since the recording'
has_not '^  WAR'
ends 0 "$cdrgrind" stats --format=json "$chain"
has '"build_id": "[0-9a-f]{40}"'
has '"checksum": "[0-9a-f]{16}"'
ends 0 "$cdrgrind" dump --dataflow "$chain"
grep -q ' cc_ndep = {}' out || fail "no data flow"

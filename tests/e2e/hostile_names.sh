# SPDX-License-Identifier: GPL-2.0-or-later
# Names, paths, arguments and source lines that hold what a terminal obeys, what ends a line, markup, and bytes that are no
# UTF-8: every command in every format, each read back by a parser. hostile_names.py says what each has to be.
. "$top_srcdir/tests/e2e/common.sh"
command -v python3 >/dev/null || skip "no python3"
here=$top_srcdir/tests/e2e
read_back() { python3 "$here/hostile_names.py" "$@"; }

# The program, its source and its trace, all with the name; and the same name as its argument.
name=$(read_back name)
program=./program_$name
source=hostile_HOSTILE_HOSTILE_HOSTILE_H.c
trace=trace_$name
cp "$here/hostile_names.c" "$source"
"$CC" -g -O1 -pthread -I"$top_srcdir/include" -o built "$source"
read_back rename built "$program"
read_back rename "$source" "hostile_$name.c"
chmod +x "$program"
ends 0 vg --cdr-out-file="$trace" --cdr-chunk-blocks=2000 "$program" "$name" "it's"
read_back text --after='instructions, ' --names=trace_ err

# check KIND OPTIONS: COMMAND...: what the command prints goes to a file, which is read back.
check() {
  local kind=$1 status=$2 options=()
  shift 2
  while [ "$1" != : ]; do
    options+=("$1")
    shift
  done
  shift
  ends "$status" "$cdrgrind" "$@"
  echo "$kind $1" >>checked
  read_back "$kind" "${options[@]}" out || fail "$kind: $(printf '%q ' "$@")"
  [ ! -s err ] || read_back text err || fail "standard error: $(printf '%q ' "$@")"
}

for color in never always; do
  check text 1 --names=program_,hostile_,variable_,field_,kind_,function_,inlined_,thread_,trace_ : \
    races --color=$color "$trace"
  check text 0 --names=program_,hostile_,function_ : annotate --color=$color --function='*' "$trace"
done
grep -q 'SOURCE' out || fail "annotate shows no source"
check text 0 --names=hostile_,lock_,program_ : sync "$trace"
check text 0 --names=hostile_,variable_,field_ : sharing -n0 "$trace"
check text 0 --names=hostile_,function_ : patterns -n0 "$trace"
check text 0 --names=hostile_,function_ : advise -n0 "$trace"
check text 0 --names=hostile_,function_,inlined_ : paths -n0 "$trace"
check text 0 --names=program_ : paths --strata --paths-svg=paths.svg --strata-svg=strata.svg "$trace"
read_back svg --names=program_ paths.svg
read_back svg --names=program_ strata.svg
check text 0 --names=program_,trace_ : stats "$trace"
check text 0 --names=trace_ : stats --control "$trace"
check text 0 --names=trace_ : stats --compare "$trace"
check text 0 --names=trace_ : verify "$trace"
check text 0 : dump "$trace"
check text 0 --names=hostile_,function_ : dump --thread=2 --at-line="hostile_$name.c:19" "$trace"
check text 0 : dump --dataflow "$trace"
check lackey 0 : dump --format=lackey "$trace"
vg -q --deps=no --cdr-out-file=plain.trace "$programs/hello" >out
check text 0 --names=hostile_,function_,trace_ : diff --fail-on=none -n0 plain.trace "$trace"
check json 0 --names=program_,hostile_,function_,trace_ : diff --fail-on=none --format=json plain.trace "$trace"

check gcc 1 --names=hostile_,variable_,field_,function_ : races --format=gcc "$trace"
check xml 1 --names=program_,hostile_,variable_,field_,function_,inlined_,thread_ : races --format=xml "$trace"
check sarif 1 --names=hostile_,variable_,field_,function_,inlined_,thread_ : races --format=sarif "$trace"
check json 1 --names=program_,hostile_,variable_,field_,kind_,function_,inlined_,thread_ : races --format=json "$trace"
cp out races.json
check json 0 --names=program_,hostile_,function_ : annotate --format=json "$trace"
check json 0 --names=program_,hostile_,lock_,thread_ : sync --format=json "$trace"
check json 0 --names=program_,hostile_,variable_,field_,function_ : sharing --format=json "$trace"
check json 0 --names=program_,hostile_,function_ : patterns --format=json "$trace"
check json 0 --names=program_,hostile_,function_ : advise --format=json "$trace"
check json 0 --names=program_,hostile_,function_,inlined_ : paths -n0 --format=json "$trace"
check json 0 --names=program_ : paths --strata --format=json "$trace"
check json 0 --names=program_ : stats --format=json "$trace"
check json 0 --names=program_ : stats --compare --format=json "$trace"
check json 0 --names=program_ : stats --control --format=json "$trace"
check json 0 --names=program_ --lines : dump --format=json "$trace"
check callgrind 0 --names=program_,hostile_,function_ : paths --format=callgrind "$trace"
check mermaid 0 --names=lock_ : sync --format=mermaid "$trace"

# Two ranks of an MPI program; the library is a stand-in.
mkdir mpi
cp "$top_srcdir/tests/programs/mpi/two_ranks.c" "$source"
stand_in_library
"$CC" -g -w -o built "$source" libmpich.so.12
read_back rename built "mpi/program_$name"
rm "$source"
chmod +x "mpi/program_$name"
stand_in_ranks "mpi/program_$name" "rank_$name"
for format in text json perfetto; do
  kind=json names=hostile_
  [ $format = perfetto ] || names=program_,hostile_
  [ $format != text ] || kind=text
  check $kind 1 --names=$names : mpi --format=$format "rank_${name}0" "rank_${name}1"
done
ends 3 "$cdrgrind" mpi "rank_${name}0"
read_back text --names=rank_ --one-line err || fail "mpi of a rank that is missing"

# Loops: symbols are words again.
for of in lines blocks calls paths sync; do
  thread=2
  [ $of != calls ] || thread=1
  check text 0 : loops --of=$of --thread=$thread "$trace"
  check text 0 --words : loops --of=$of --thread=$thread --format=nest "$trace"
  check json 0 : loops --of=$of --thread=$thread --format=json "$trace"
  check dot 0 : loops --of=$of --thread=$thread --format=dot "$trace"
done
check json 0 --names=hostile_,function_ : loops --of=lines --thread=2 --format=json "$trace"
read_back words >words
check text 0 : loops --symbols=words
check json 0 : loops --symbols=words --format=json
check dot 0 : loops --symbols=words --format=dot

# A suppression fits the names that it was made of, is what Valgrind's parser takes, and leaves no race.
check suppressions 1 --names=function_,thread_ : races --gen-suppressions=all "$trace"
cp out suppressions
check text 0 : races --suppressions=suppressions "$trace"
sed 's/cdrgrind:Race/Helgrind:Race/' suppressions >helgrind.supp
expect 0 "$VALGRIND" --tool=helgrind -q --vgdb=no --suppressions=helgrind.supp "$programs/hello" >hello.out 2>err
# So does a baseline.
check json 0 : races --format=json --baseline=races.json "$trace"

# Nothing is lost: the same from a new file, and from standard input.
check text 0 --names=trace_ : repack -o "again_$trace" "$trace"
"$cdrgrind" dump "$trace" | cmp - <("$cdrgrind" dump - <"again_$trace")

# What goes wrong.
list_commands
for command in $(cat readers) repack; do
  grep -qx "text $command" checked || fail "$command does not stand above"
  ends 3 "$cdrgrind" $command "missing_$name"
  read_back text --names=missing_ --one-line err || fail "$command of a missing file"
done
wrong() {
  local status=$1
  shift
  ends "$status" "$cdrgrind" "$@"
  read_back text --payload --one-line err || fail "$(printf '%q ' "$@"): $(cat -v err)"
}
wrong 2 "$name"
wrong 2 races --atomics="$name" "$trace"
wrong 2 dump --events="$name" "$trace"
wrong 3 dump --thread=2 --at-line="$name:1" "$trace"
wrong 3 sync --object="$name" "$trace"
wrong 2 races --suppressions="$name" "$trace"
wrong 2 races --baseline="$name" "$trace"
wrong 127 record "./$name"
wrong 127 record "$name"
wrong 2 record --tool="$name" /bin/true
ends 0 "$cdrgrind" annotate "$trace" "$name"
read_back text --payload --one-line err || fail "annotate of a file with no dependences"
ends 1 vg -q --cdr-out-file="nowhere_$name/trace" "$program"
read_back text --names=nowhere_ --one-line err || fail "no such folder"

# The command line is one that a shell reads back.
ends 0 "$cdrgrind" record --print-command "$program" "$name" "it's"
read_back text out
(VALGRIND_LIB=
eval "set -- $(cat out)"
[ "$5" = "$program" ] && [ "$6" = "$name" ] && [ "$7" = "it's" ]) || fail "not what a shell reads back: $(cat -v out)"
"$cdrgrind" stats "$trace" | sed -n 's/^Command: *//p' >command
(eval "set -- $(cat command)" && [ "$1" = "$program" ] && [ "$2" = "$name" ]) || fail "Command: $(cat -v command)"

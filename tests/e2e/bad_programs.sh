# SPDX-License-Identifier: GPL-2.0-or-later
# What cannot be recorded is refused before it runs, with its name, the reason and the statuses that a shell
# would give; programs without sources or debug information are recorded and annotated all the same.
. "$top_srcdir/tests/e2e/common.sh"

# refused WANT PATTERN ARGUMENT...: of `record'.
refused() {
  local want=$1 pattern=$2
  shift 2
  ends "$want" "$cdrgrind" record "$@"
  [ ! -s out ] || fail "record $*: standard output: $(cat out)"
  grep -qE -- "$pattern" err || fail "record $*: not '$pattern': $(cat err)"
  [ -z "$(ls | grep 'cdrgrind.out')" ] || fail "record $*: left a trace"
}

refused 2 'no program'
refused 2 'no program' --deps=no
refused 2 'the tool is cdrgrind' --tool=memcheck /bin/true
refused 127 'missing: not found' ./missing
refused 127 'no-such-command-anywhere: not found' no-such-command-anywhere
echo 'echo a script without a right to run' >script
refused 126 'script: cannot be executed' ./script
mkdir folder
refused 126 'folder: cannot be executed' ./folder
refused 1 'nonsense' --nonsense=3 /bin/true
refused 1 'cdr-data' --cdr-data=some /bin/true
refused 1 'power of two' --cdr-granularity=3 /bin/true
refused 1 'cdr-memory' --cdr-memory=lots /bin/true
refused 1 'no/such/folder.*no such folder' --cdr-out-file=no/such/folder/trace /bin/true
refused 1 'it is a folder' --cdr-out-file=folder /bin/true
printf '#!/no/such/interpreter\n' >orphan && chmod +x orphan
status=0
"$cdrgrind" record ./orphan >out 2>err || status=$?
[ $status -ne 0 ] && grep -q orphan err || fail "script without interpreter: status $status: $(cat err)"
cp "$programs/hello" setuid_hello && chmod u+s setuid_hello
status=0
"$cdrgrind" record --cdr-out-file=trace ./setuid_hello >out 2>err || status=$?
[ $status -ne 0 ] && grep -q setuid_hello err || fail "setuid: status $status: $(cat err)"

# Statuses and what is printed are the program's.
ends 0 "$cdrgrind" record --cdr-out-file=trace -- "$programs/hello"
[ "$(cat out)" = hello ] || fail "standard output: $(cat out)"

# No debug information: said so, and the rows name the module.
strip -o stripped "$programs/corners/parts"
ends 0 "$cdrgrind" record -q --cdr-out-file=trace ./stripped
expect 0 "$cdrgrind" annotate trace >listing 2>err
grep -qE '[0-9]+ modules?, .*without debug info' listing || fail "coverage is not told: $(head -20 listing)"
expect 0 "$cdrgrind" annotate --format=json trace >json 2>err
grep -qE '"file":"/[^"]*/stripped","line":0' json || fail "no row names the module: $(head -5 json)"

# The source is gone: one warning, and the table all the same.
mkdir lost
cp "$top_srcdir/tests/programs/corners/parts.c" lost/gone.c
"$CC" -g -O0 -o parts lost/gone.c
rm -r lost
ends 0 "$cdrgrind" record -q --cdr-out-file=trace ./parts
expect 0 "$cdrgrind" annotate trace >listing 2>err
grep -qE 'Source: .*/gone\.c' listing && grep -q 'not found; -I DIR' listing || fail "nothing tells of gone.c: $(cat listing)"
grep -q 'helper' listing || fail "no table: $(cat listing)"

# The program is gone, or another one has its place.
rm parts
expect 0 "$cdrgrind" annotate trace >listing 2>err
grep -qE '/parts' listing err || fail "nothing tells of the lost program: $(cat err)"

[ -x "$programs/hello32" ] || skip "no compiler for 32-bit programs"
refused 3 'hello32: a 32-bit program cannot be recorded; compile it for x86-64' "$programs/hello32"

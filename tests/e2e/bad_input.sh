# SPDX-License-Identifier: GPL-2.0-or-later
# Files that are not whole, not sound, or no traces at all: every command gives one message that names the file
# and says what to do, and its status; none crashes.
. "$top_srcdir/tests/e2e/common.sh"

vg -q --cdr-out-file=good "$programs/hello" >/dev/null
size=$(stat -c %s good)
list_commands
mapfile -t readers <readers

# refused WANT FILE COMMAND...: the status is WANT, there is one line of error, which names FILE and gives advice
# or a place, and nothing on standard output but what could be read.
refused() {
  local want=$1 file=$2
  shift 2
  ends "$want" "$cdrgrind" "$@"
  [ "$(grep -c '^cdrgrind: error: ' err)" = 1 ] || fail "$*: not one error: $(cat err)"
  grep '^cdrgrind: error: ' err | grep -qF -- "$file" || fail "$*: '$file' is not named: $(cat err)"
}
refused_by_all() {
  local command
  for command in "${readers[@]}"; do
    refused 3 "$1" "$command" "$1"
    grep -qE -- "$2" err || fail "$command: not '$2': $(cat err)"
  done
}

: >empty
refused_by_all empty 'is empty.*record again'
head -c 10 good >ten_bytes
refused_by_all ten_bytes 'record again'
printf 'int main(void) {}\n%100s\n' x >foreign
refused_by_all foreign "not a cdrgrind trace.*cdrgrind record"
refused_by_all "$cdrgrind" 'not a cdrgrind trace'
"$programs/traces/newer" good >newer
refused_by_all newer 'version [0-9]+;.*up to version [0-9]+ .*newer cdrgrind'
refused_by_all missing 'No such file|not found|does not exist'
mkdir folder
refused_by_all folder 'folder|directory'
if [ "$(id -u)" != 0 ]; then
  cp good unreadable && chmod 0 unreadable
  refused_by_all unreadable 'ermission denied'
fi

# Cut anywhere: what is whole is used, with one warning; verify finds it (1), or nothing is left (3).
for part in 1 5 20 50 80 95 99; do
  head -c $((size * part / 100)) good >cut
  for command in "${readers[@]}"; do
    [ $command != verify ] || continue
    status=0
    "$cdrgrind" $command cut >out 2>err </dev/null || status=$?
    [ $status = 0 ] || [ $status = 3 ] || fail "$command of $part %: status $status"
    [ "$(grep -c '^cdrgrind: ' err)" = 1 ] && [ "$(wc -l <err)" = 1 ] || fail "$command of $part %: $(cat err)"
  done
  status=0
  "$cdrgrind" verify cut >out 2>err || status=$?
  [ $status = 1 ] || [ $status = 3 ] || fail "verify of $part %: status $status"
done

# A byte changed: found by verify wherever it is (but for the RUN frame's own values every byte is checked
# against a checksum), and no command ends otherwise than in order.
for part in 1 3 10 30 50 70 90 97; do
  at=$((size * part / 100))
  cp good corrupt
  byte=$(od -An -tu1 -j $at -N 1 good)
  printf "\\$(printf %o $((byte ^ 0x55)))" | dd of=corrupt bs=1 seek=$at conv=notrunc status=none
  ends 3 "$cdrgrind" verify corrupt
  grep -qE 'damaged|error' out err || fail "verify says nothing of byte $at"
  for command in "${readers[@]}"; do
    [ $command != verify ] || continue
    status=0
    "$cdrgrind" $command corrupt >out 2>err </dev/null || status=$?
    [ $status = 0 ] || refused 3 corrupt $command corrupt
  done
done
cp good grown
head -c 1000 foreign >>grown
printf '%1000s' x >>grown
ends 3 "$cdrgrind" verify grown

# Less memory than it takes: one line that names the file and the command; with as much as any, none. (Not of commands
# that read object files: their libraries take what they cannot read as not there.)
enough() { (ulimit -v "$1" && "$cdrgrind" --version >/dev/null 2>&1); }
least=8192
until enough $least; do least=$((least + 1024)); done
short=0
for more in 1 2 3 5 1024; do
  for command in stats verify dump; do
    status=0
    (ulimit -v $((least + more * 1024)) && "$cdrgrind" $command good) >out 2>err </dev/null || status=$?
    [ $status = 0 ] && continue
    [ $status = 3 ] && [ $more != 1024 ] || fail "$command with $more MB: status $status: $(cat err)"
    short=$((short + 1))
    grep -qE "^cdrgrind: error: .*good.*out of memory.*\(cdrgrind $command;" err || fail "$command with $more MB: $(cat err)"
  done
done
[ $short -gt 0 ] || fail "memory sufficed all the same"

# Small files that claim much: refused in 256 MB.
for greedy in "$top_srcdir"/tests/fuzz/corpus/trace_file/greedy-*; do
  status=0
  (ulimit -v 262144 && "$cdrgrind" verify "$greedy") >out 2>err || status=$?
  [ $status = 3 ] && grep -q 'damaged' err || fail "$greedy: status $status: $(cat err)"
done

# Wrong use: 2, and where help is.
wrong() {
  ends 2 "$cdrgrind" "$@"
  [ "$(wc -l <err)" = 1 ] && grep -q '^cdrgrind: error: ' err || fail "$*: $(cat err)"
}
wrong
wrong nonsense good
for command in "${readers[@]}"; do
  (mkdir -p nothing && cd nothing && wrong $command)
  wrong $command --nonsense good
  wrong $command --nonsense=3 good
done
wrong annotate --kind=nonsense good
wrong annotate --class=x good
wrong annotate --format=lackey good
wrong annotate --threshold=many good
wrong dump --format=nonsense good
wrong dump --events=nonsense good
wrong dump --from=-1 good
wrong dump --thread=0 good
wrong stats --format=lackey good
refused 3 good dump --thread=7 good
refused 3 good dump --at-sync=1000000 good

# A pipe that is closed early ends a command quietly.
"$cdrgrind" dump good 2>err | head -n 1 >/dev/null
[ ! -s err ] || fail "closed pipe: $(cat err)"

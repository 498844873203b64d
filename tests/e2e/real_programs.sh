# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that nobody here wrote: they do under the recorder what they do alone, their traces are sound, and
# those with one thread have executed as many instructions as callgrind counts.
. "$top_srcdir/tests/e2e/common.sh"

missing=
for command in gzip sort xz python3 sqlite3 git; do
  command -v $command >/dev/null || missing="$missing $command"
done
[ -z "$missing" ] || skip "not installed:$missing"

# Not the launcher, which changes the environment.
[ ! -x "$VALGRIND.bin" ] || VALGRIND=$VALGRIND.bin

# What makes two runs of a program equal, and keeps others' settings away.
unset PYTHONHOME PYTHONPATH
export HOME=$work TZ=UTC PYTHONHASHSEED=0 GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_AUTHOR_DATE='2026-01-01T00:00:00Z'
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org GIT_COMMITTER_DATE='2026-01-01T00:00:00Z'

# What Valgrind says, also with -q, to system calls that it does not know: a newer xz tries Linux's landlock.
unknown_call='WARNING: unhandled .* syscall:|write your own handler|README_MISSING_SYSCALL|we consider this a bug|valgrind.org/support'

# run NAME COMMAND...: alone and recorded (with $options), with standard input from NAME.in if there is one.
options=()
run() {
  local name=$1 in=/dev/null want=0 status=0
  shift
  [ ! -e "$name.in" ] || in=$name.in
  "$@" <"$in" >"$name.want" 2>"$name.want.err" || want=$?
  vg -q --log-file="$name.said" --cdr-out-file="$name.trace" "${options[@]}" "$@" <"$in" >"$name.out" 2>"$name.err" ||
    status=$?
  [ "$status" = "$want" ] || fail "$name: status $status, alone $want: $(cat "$name.err" "$name.said")"
  ! grep -vE "$unknown_call" "$name.said" || fail "$name: the recorder said something"
  cmp "$name.want" "$name.out"
  cmp "$name.want.err" "$name.err"
  "$cdrgrind" verify "$name.trace" >"$name.verify" || fail "$name: $(tail -n 20 "$name.verify")"
}

# counted NAME COMMAND...: run, and the instructions compared; they differ by 0.3 % at most (0.2 % was seen once, of git).
# Callgrind's program has our preload too, and its instructions count as the program's.
counted() {
  local name=$1 in=/dev/null ours theirs
  run "$@"
  shift
  [ ! -e "$name.in" ] || in=$name.in
  LD_PRELOAD=$VALGRIND_LIB/vgpreload_cdrgrind-amd64-linux.so "$VALGRIND" --tool=callgrind --vgdb=no --callgrind-out-file="$name.callgrind" "$@" <"$in" >"$name.theirs" 2>"$name.log" || :
  theirs=$(sed -n 's/.*Collected : //p' "$name.log")
  "$cdrgrind" stats --format=json "$name.trace" >"$name.stats"
  ours=$(grep -m 1 -oE '"instructions": *[0-9]+' "$name.stats" | grep -oE '[0-9]+')
  ours=$((ours + $(grep -m 1 -oE '"wrapper_instructions": *[0-9]+' "$name.stats" | grep -oE '[0-9]+')))
  echo "$name: $ours instructions, callgrind $theirs"
  awk -v a="$ours" -v b="$theirs" 'BEGIN { exit !(a > 100000 && (a - b) ^ 2 <= (0.003 * b) ^ 2) }' ||
    fail "$name: $ours instructions, callgrind counts $theirs"
}

# A text of 130 kB with repetitions, and 150,000 short lines: from 131,072 on sort has threads.
awk 'BEGIN { for (i = 0; i < 6000; i++) print "line " i * i % 997 " of a text" }' >text
awk 'BEGIN { for (i = 0; i < 150000; i++) print i * 7919 % 150001 }' >lines

counted gzip gzip -n -c text
gzip -n -c text >gunzip.in
counted gunzip gzip -d -c
head -n 10000 lines >few_lines
run few sort --parallel=2 few_lines
options=(--deps=no)
run sort sort --parallel=2 -S 20M lines
options=()
run xz xz -T2 --block-size=20KiB -0 -k -c text
python=$(command -v python3)
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
counted python "$python" -s -S -B -c 'import sys; print(sum(x * x for x in range(2000))); sys.exit(7)'
cat >sqlite.in <<'END'
create table t (a integer primary key, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 300) insert into t select i, 'row ' || i from n;
create index by_b on t (b);
select count(*), sum(a), max(b) from t where b like '%7%';
END
counted sqlite sqlite3 -batch :memory:
git init -q repository
for n in 1 2 3; do
  echo $n >repository/file
  git -C repository add file
  git -C repository commit -q -m "change $n"
done
counted git git -C repository log --stat --format='%h %an %s'
for name in sort xz; do
  threads=$("$cdrgrind" dump --events=thread-start "$name.trace" | wc -l)
  [ "$threads" -gt 1 ] || fail "$name has $threads thread"
done

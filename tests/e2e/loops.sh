# SPDX-License-Identifier: GPL-2.0-or-later
# Loop nests of symbols and of MPI logs: formats, statuses, closed pipes.
. "$top_srcdir/tests/e2e/common.sh"

loops() { "$cdrgrind" loops "$@"; }
nest() { loops --symbols=- --format=nest "$@"; }
letters() { sed 's/./& /g' <<<"$1"; }
is() { [ "$1" = "$2" ] || fail "'$1', not '$2'"; }

# The line.
is "$(letters abaababaabaab | nest)" '(a b (a)^2 b)^2 (a)^2 b'
is "$(letters abaababaabaab | nest --algorithm=greedy)" 'a b (a)^2 b a (b (a)^2)^2 b'
is "$(letters abaababaababaabaab | nest --algorithm=optimal --order=body)" '(a b (a)^2 b)^3 (a)^2 b'
is "$(letters abababababcabc | nest --order=span)" '(a b)^5 c a b c'
is "$(letters abababababcabc | nest --strict)" 'a b a b a b a b (a b c)^2'
printf 'x,1\tx,1\n\n  (y)^2\r\n' >words
is "$(loops --symbols=words --format=nest)" '(x,1)^2 (y)^2'

# Nothing.
for format in nest text json dot; do
  expect 0 loops --symbols=/dev/null --format=$format >"empty.$format"
done
printf '\n' | cmp - empty.nest
printf ' \n\t ' | nest | cmp - empty.nest

# The numbers, on the nest of LU C as its paper describes it.
{
  seq -f 'before%g' 48
  for i in $(seq 160); do echo L1 L2 L3 L4; done
  for i in $(seq 160); do echo U1 U2 U3 U4; done
  seq -f 'first%g' 12
} >prologue
{
  for i in $(seq 160); do echo L1 L2 L3 L4; done
  for i in $(seq 160); do echo U1 U2 U3 U4; done
  seq 12
} >iteration
{
  cat prologue
  for i in $(seq 249); do cat iteration; done
} >lu
for algorithm in optimal greedy; do
  loops --symbols=lu --algorithm=$algorithm >text
  grep -qE '^Trace length: +323,048 symbols, 80 different$' text || fail "$(cat text)"
  grep -qE '^Compressed length: +63$' text || fail "$(cat text)"
  grep -qE '^Compression ratio: +5127.75$' text || fail "$(cat text)"
  grep -qE '^Span covered: +99.59 %$' text || fail "$(cat text)"
  grep -qE '^All loops: +99.98 % ' text || fail "$(cat text)"
  grep -qF ' (1292)^249 = ((4)^160 + (4)^160 + 12)^249' text || fail "$(cat text)"
  grep -qE '^Time: ' text || fail "$(cat text)"
done
loops --symbols=lu --format=nest | tr ' ' '\n' | tail -n 1 >last
is "$(cat last)" '12)^249'

# Machine formats.
loops --symbols=lu --format=json | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["schema"] == "cdrgrind.loops/1", d["schema"]
assert d["length"] == 323048 and d["compressed_length"] == 63 == len(d["nest"])
loop = d["nest"][-1]
assert (loop["begin"], loop["length"], loop["count"]) == (1340, 1292, 249)
assert d["major"]["structure"] == "(1292)^249 = ((4)^160 + (4)^160 + 12)^249"
def unfold(items):
    for item in items:
        if isinstance(item, dict):
            yield from list(unfold(item["body"])) * item["count"]
        else:
            yield item
assert list(unfold(d["nest"])) == open("lu").read().split()'
printf '\377 "q" \\ \377' >odd
loops --symbols=odd --format=json | python3 -c 'import json, sys; json.load(sys.stdin)'
# The first items of each body, and how many there are besides.
for most in 1 2 5 100000; do
  loops --symbols=lu --format=json >whole.json
  loops --symbols=lu --format=json -n $most >part.json
  python3 - $most <<'END'
import json, sys
most = int(sys.argv[1])
whole, part = json.load(open("whole.json")), json.load(open("part.json"))
def cut(body):
    return [i if isinstance(i, str) else {**i, "body": cut(i["body"]), "left_out": max(0, len(i["body"]) - most)} for i in body[:most]]
assert part["nest"] == cut(whole["nest"]) and part["left_out"] == max(0, len(whole["nest"]) - most), part
assert {**part, "nest": 0, "left_out": 0} == {**whole, "nest": 0, "left_out": 0}
END
done
refused 2 'n is for --format=json' loops --symbols=lu -n 3
loops --symbols=lu --format=dot >dot
is "$(grep -c -- '->' dot)" 5
is "$(grep -c 'top ->' dot)" 3
if command -v dot >/dev/null; then command dot -Tsvg dot >/dev/null; fi

# MPI logs: calls that are equal and different as those of Xu and Subhlok's table 2. Three broadcasts, of an integer,
# a real number and three integers; receives from and sends to three peers, two each; waits.
cat >log <<'END'
#Generating Logfile
Node=0 #1000ss#0#1000
1. 2#1#7000#1#28#0#134#0#1001#1001
2. 2#2#7100#1#27#0#134#0#1001#1001
3. 2#3#7200#3#28#0#134#0#1001#1001
4. 7#1#8000#360#27#1#31#138#501#0#1002#1002
5. 7#2#8100#360#27#1#21#138#502#0#1002#1002
6. 7#3#8200#360#27#2#51#138#503#0#1002#1002
7. 7#4#8300#360#27#2#41#138#504#0#1003#1003
8. 7#5#8400#360#27#3#61#138#505#0#1003#1003
9. 7#6#8500#360#27#3#71#138#506#0#1003#1003
10. 9#1#9000#360#27#1#21#138#507#0#1003#1003
11. 9#2#9100#360#27#1#31#138#508#0#1003#1003
12. 9#3#9200#360#27#2#41#138#509#0#1003#1003
13. 9#4#9300#360#27#2#51#138#510#0#1004#1004
14. 9#5#9400#360#27#3#71#138#511#0#1004#1004
15. 9#6#9500#360#27#3#61#138#512#0#1004#1004
16. 22#1#12#501#502#503#504#505#506 #507#508#509#510#511#512#0#1004#1008
17. 9#7#8100#1470#27#1#31#136#512#0#1008#1008
18. 7#7#9000#1470#27#1#34#136#506#0#1008#1008
19. 21#1#512#0#1008#1008
20. 21#2#506#0#1008#1009
2277. 3#1#7000#7008#1#27#100#0#134#0#1100#1100
2278. 1#2#91#0#1100#1100
#Finished writing logfile for node=0#1100#1104
END
is "$(loops --mpi-log=log --format=nest)" \
  'M1 M2 M3 (P1)^2 (P2)^2 (P3)^2 (P4)^2 (P5)^2 (P6)^2 O1 P7 P8 (O2)^2 M4 M5'
is "$(loops --mpi-log=- --mpi-key=+tag --format=nest <log)" \
  'M1 M2 M3 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 O1 P13 P14 (O2)^2 M4 M5'
is "$(loops --mpi-log=log --mpi-key=+request --format=nest)" \
  'M1 M2 M3 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 O1 P13 P14 O2 O3 M4 M5'
printf '77#1#5#0#1#1\n77#2#5#0#2#2\n77#3#6#0#3#3\n78#1#0#0#0' >unknown
is "$(loops --mpi-log=unknown --format=nest 2>err)" '(O1)^2 O2 O3'
is "$(grep -c '^cdrgrind: warning: unknown: line 1: operation 77' err)" 1
is "$(wc -l <err)" 1

# What is wrong.
refused() { # STATUS PATTERN COMMAND...
  local status=$1 pattern=$2
  shift 2
  ends "$status" "$@"
  [ ! -s out ] || fail "$*: something on standard output"
  is "$(grep -c '^cdrgrind: error: ' err)" 1
  grep -qE -- "$pattern" err || fail "$*: $(cat err)"
}
mkdir folder
refused 3 'missing: .*No such file' "$cdrgrind" loops --symbols=missing
refused 3 'folder: .*directory' "$cdrgrind" loops --symbols=folder
refused 3 'missing: .*No such file' "$cdrgrind" loops --mpi-log=missing
refused 3 'words: line 1: not a call' "$cdrgrind" loops --mpi-log=words
printf '1#2#91#0#1#1\n2#1#2#3#0#1#1\n' >short
refused 3 'short: line 2: operation 2 has 5 fields of its own, not 2' "$cdrgrind" loops --mpi-log=short
refused 2 'no FILE, and no trace in this folder' "$cdrgrind" loops
refused 2 'one of a trace, --symbols=FILE and --mpi-log=FILE' "$cdrgrind" loops --symbols=words --mpi-log=log
refused 2 "'fast' is none of optimal, greedy" "$cdrgrind" loops --symbols=words --algorithm=fast
refused 2 'none of' "$cdrgrind" loops --symbols=words --order=time
refused 2 'none of' "$cdrgrind" loops --symbols=words --format=xml
refused 2 "'comm' is none of .*\+tag" "$cdrgrind" loops --mpi-log=log --mpi-key=+comm
refused 2 '--mpi-key is for --mpi-log' "$cdrgrind" loops --symbols=words --mpi-key=+tag
refused 2 '--strict is for' "$cdrgrind" loops --symbols=words --algorithm=greedy --strict
expect 3 loops --symbols=words >/dev/full 2>err

# A reader that goes away.
seq 300000 >numbers
(set +e; loops --symbols=numbers --format=json 2>err | head -n 1 >out; [ "${PIPESTATUS[0]}" = 0 ]) || fail "closed pipe"
[ ! -s err ] || fail "closed pipe: $(cat err)"

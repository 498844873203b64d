# SPDX-License-Identifier: GPL-2.0-or-later
# Lossless: a recorded program, dumped with --format=lackey, gives what Valgrind's own tool lackey prints of
# it, every line from the first instruction of the process to the last.
#
# Both runs must look the same to the program: lackey gets a name as long as ours, for the name of the preload
# stands in the environment and so moves the stack; and the launcher which changes the environment is left out.
. "$top_srcdir/tests/e2e/common.sh"

valgrind=$VALGRIND
[ ! -x "$valgrind.bin" ] || valgrind=$valgrind.bin
mkdir lib
ln -s "$VALGRIND_LIB"/* lib/
ln -s "$(readlink -f "$VALGRIND_LIB/lackey-amd64-linux")" lib/lackeyxx-amd64-linux
"$CC" -shared -o lib/vgpreload_lackeyxx-amd64-linux.so -x c /dev/null
export VALGRIND_LIB=$work/lib

# run TOOL OPTIONS...: as it is run for the other tool.
run() {
  expect 0 "$valgrind" --vgdb=no "--tool=$1" --log-file=log "${@:2}" </dev/null >out 2>err
}

compare() {
  local program=$1 name
  name=$(basename "$program")
  run lackeyxx --trace-mem=yes --basic-counts=no --vex-guest-chase=no --vex-iropt-unroll-thresh=0 "$program"
  grep -v '^==' log >"$name.lackey"
  run cdrgrind --cdr-out-file="$name.trace" "$program"
  "$cdrgrind" dump --format=lackey "$name.trace" >"$name.ours"
  "$cdrgrind" verify "$name.trace" >"$name.verify" || fail "$name: $(cat "$name.verify")"
  [ "$(wc -l <"$name.lackey")" -gt 10000 ] || fail "$name: lackey says too little"
  cmp "$name.lackey" "$name.ours" || fail "$name: $(diff "$name.lackey" "$name.ours" | head -20)"
  rm "$name.lackey" "$name.ours"
}

for name in atomics long_jump memory_copy recursion repeat_move sse; do
  compare "$programs/lackey/$name"
  compare "$programs/lackey/${name}_pie"
done

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Damage behind right checksums (mutants.py): what the tests of it share.
. "$top_srcdir/tests/e2e/common.sh"

list_commands
while IFS= read -r command; do
  grep -q "^    \[\"$command\"" "$top_srcdir/tests/e2e/mutants.py" || fail "mutants.py does not ask $command"
done <readers

# record_mutable: recordings to change, in *.trace: one thread and several, one epoch and many, coroutines, plain
# events, with dependences and without. All name the program and the machine's own libraries.
record_mutable() {
  recorded() {
    local name=$1 program=$2
    shift 2
    vg -q --cdr-out-file="$name.trace" "$@" "$programs/$program" >/dev/null </dev/null
  }
  recorded hello hello
  "$programs/traces/again" hello.trace >plain.trace
  recorded epochs sharing/counters --cdr-chunk-blocks=2000
  recorded threads races/waits
  recorded coroutines corners/switches
  recorded signals process/signals --deps=no --cdr-chunk-blocks=5000
  recorded dependences corners/dependences
  mkdir -p ranks
  "$programs/traces/mpi_ranks" ranks 1 random 20
  mv ranks/0 ranks.trace
}

# mutants SEED COUNT TRACE...: see mutants.py.
mutants() {
  local seed=$1 count=$2
  shift 2
  mkdir -p "mutants-$seed"
  PYTHONDONTWRITEBYTECODE=1 python3 "$top_srcdir/tests/e2e/mutants.py" "$cdrgrind" "$programs" "$PWD/mutants-$seed" \
    "$seed" "$count" "$@"
}

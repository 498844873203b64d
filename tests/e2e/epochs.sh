# SPDX-License-Identifier: GPL-2.0-or-later
# However a recording is cut into epochs and its control paths are written, it says the same: of programs that do the
# same again and again, every event is compared.
. "$top_srcdir/tests/e2e/common.sh"

record() {
  local name=$1 program=$2
  shift 2
  vg -q --cdr-out-file="$name" "$@" "$program" </dev/null >"$name.out"
  "$cdrgrind" verify "$name" >verify || fail "$program $*: $(cat verify)"
  "$cdrgrind" dump "$name" >"$name.events"
}
# frames TRACE TYPE: how many.
frames() {
  "$cdrgrind" stats "$1" | sed -nE "s/^$2 +([0-9,]+) .*/\1/p" | tr -d ,
}

# (One that asks for its pid does not do the same again.)
for program in "$programs"/corners/{calls,faults,repeats} "$programs"/lackey/{atomics,recursion,sse}; do
  record whole "$program"
  [ "$(frames whole CONTROL)" = 1 ] || fail "$program: not one epoch"
  for options in --cdr-chunk-blocks=97 "--cdr-chunk-blocks=1000 --cdr-control=predict" \
    "--cdr-chunk-blocks=1000 --cdr-control=grammar" --cdr-control=runs --cdr-memory=1; do
    # shellcheck disable=SC2086
    record cut "$program" $options
    cmp whole.events cut.events || fail "$program $options: other events"
    case $options in *chunk*) [ "$(frames cut CONTROL)" -gt 1 ] || fail "$program $options: one epoch" ;; esac
  done
done

# Threads may run in another order each time. Their dependences are the same.
for options in "" --cdr-chunk-blocks=500; do
  # shellcheck disable=SC2086
  record threads "$programs/corners/dependences" $options
  "$cdrgrind" annotate --format=json threads >online
  "$cdrgrind" annotate --format=json --from-trace threads | cmp - online || fail "threads $options: other dependences"
done

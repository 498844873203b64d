# SPDX-License-Identifier: GPL-2.0-or-later
# Which races only follow from others: programs of which it is known (tests/programs/slice/cases.expect), compiled
# without and with optimisation.
. "$top_srcdir/tests/e2e/common.sh"

expect_file=$top_srcdir/tests/programs/slice/cases.expect

# The variables' addresses, as judge wants them.
watched() {
  local addr kind name i
  nm "$1" | while read -r addr kind name; do
    at() { printf '%s=%#x\n' "$1" $((16#$addr + $2)); }
    case $name in
      S | T | X | Y | d | f | P | F | D) at "$name" 0 ;;
      L) at L 3 ;;
      A | B) for i in 0 1 2 3 4; do at "$name$i" $((4 * i)); done ;;
      source) at source1 4 ;;
      second_node) at value 0 ;;
      first_node) at next 8 ;;
    esac
  done
}

for program in cases cases_optimised; do
  mapfile -t variables < <(watched "$programs/slice/$program")
  [ ${#variables[@]} -gt 20 ] || fail "nm names ${#variables[@]} variables"
  vg -q --deps=no --cdr-out-file=trace "$programs/slice/$program" >names
  "$programs/slice/judge" trace "${variables[@]}" | while read -r number verdict; do
    echo "$(sed -n "${number}p" names) $verdict"
  done >got
  grep -v '^#' "$expect_file" | while IFS=: read -r name races; do
    for race in $races; do
      # Valgrind deletes a load of which nothing comes.
      case "$program $name $race" in
        'cases_optimised unused f' | 'cases_optimised region_over f') continue ;;
      esac
      case $race in
        *'<'*) echo "$name ${race%<*}: artifact of ${race#*<}" ;;
        *) echo "$name $race: root" ;;
      esac
    done
  done >want
  sort want >want.sorted
  sort got >got.sorted
  diff -u want.sorted got.sorted >difference || fail "$program: $(cat difference)
$("$programs/slice/judge" trace --reasons "${variables[@]}")"
done

# SPDX-License-Identifier: GPL-2.0-or-later
# The examples: the dependences are those of the slow reference.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/random_lib.sh"

bad=()
for program in "$examples"/*; do
  [ -f "$program" ] && [ -x "$program" ] || continue
  name=$(basename "$program") scope=program
  [ "$name" != pipeline ] || scope=all
  check_recording "$name" "$program" && compare_listings "$name" $scope || bad+=("$name")
done
[ ${#bad[@]} = 0 ] || fail "${bad[*]}; see $PWD"

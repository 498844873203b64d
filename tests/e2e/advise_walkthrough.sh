# SPDX-License-Identifier: GPL-2.0-or-later
# The steps of examples/soften.md: at each the advice is what the page shows, and in the end there are no races.
#
#   <!-- advice: STEP FUNCTION -->   the block below is what is said of the function's outermost loop; counts are not compared
. "$top_srcdir/tests/e2e/common.sh"
echo 'int main(void) { return 0; }' | "${CC:-cc}" -fopenmp -x c -o omp - 2>err || skip "no OpenMP"
page=$top_srcdir/examples/soften.md

for step in 0 1 2 3 4; do
  "${CC:-cc}" -std=gnu17 -g -O0 -fno-pie -fcf-protection=none -no-pie -Wall -Wextra -Werror -fopenmp -DSTEP=$step \
    -o soften$step "$top_srcdir/examples/soften.c"
  record soften$step ./soften$step
  ./soften$step >>results
done
# In place each pixel had its upper neighbour as it had become already.
[ "$(uniq results | wc -l)" = 2 ] || fail "the picture changes elsewhere than from step 1 to step 2: $(cat results)"

# What is said, without what compilers and machines make different.
comparable() { sed -E 's/; with .*//; s/: (RAW|WAR|WAW) .*//; /instances?, .* instructions/d; /thread [0-9]: /d; /^ +[0-9]+  /d; s/ +$//' | sed '/^$/d'; }

compared=0
while read -r step function; do
  awk -v mark="<!-- advice: $step $function -->" '$0 == mark { found = 1 } found && /^```/ { if (on) exit; on = 1; next } on' "$page" |
    comparable >page
  LC_ALL=C.UTF-8 "$cdrgrind" advise --color=never --threads=2 --function="$function*" -n 1 soften$step.trace |
    sed -n '/^soften\.c:/,/^$/p' | comparable >said
  diff page said || fail "step $step, $function: < page, > said"
  compared=$((compared + 1))
done < <(sed -n 's/^<!-- advice: \(.*\) -->$/\1/p' "$page")
[ $compared -ge 6 ] || fail "only $compared blocks"

"$cdrgrind" races soften4.trace >races

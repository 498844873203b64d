# SPDX-License-Identifier: GPL-2.0-or-later
# Every example runs under the recorder as it does alone, and its page shows what `annotate' prints today:
#
#   <!-- listing: OPTIONS -->          the block below is the listing of `cdrgrind annotate OPTIONS'
#   <!-- one run of many: OPTIONS -->  it may differ from run to run, but for the rows it has
#   <!-- races: NAME -->               the findings of `cdrgrind races'; what the program prints may differ from run to run, and so may
#                                      who did what, and what came first
#   <!-- advice: STEP FUNCTION -->     what `advise' says: advise_walkthrough.sh compares that
#   <!-- mended: SCRIPT -->            the source without the fault, as sed makes it: the block below is its line that differs
#
# Count and variable between two calls may be those of the C library's insides, so they are not compared. With another C library
# than the pages were made with (2.36) only rows with an end outside of calls are.
. "$top_srcdir/tests/e2e/common.sh"

options_of() { sed -n "s/^<!-- $2: \(.*\) -->$/\1/p" "$1"; }

# What stands between the fences below the comment.
block_of() {
  awk -v mark="<!-- $2: " 'index($0, mark) == 1 { found = 1 }
    found && /^```/ { if (on) exit; on = 1; next }
    on' "$1"
}

# The functions of a listing, in the characters of the pages: what stands between the source's name and the summary.
listing() {
  LC_ALL=C.UTF-8 "$cdrgrind" annotate --color=never "$@" |
    awk '/^-- Summary/ { exit } /^-- Source: / { on = 1; next } on && !/^-+$/' | sed '/./,$!d'
}

# Without the blank lines at the end, and without counts between two calls.
comparable() {
  sed -E 's/( c +[0-9]+ c) +[0-9,]+(  [0-9]+ to [0-9]+)?.*/\1 N\2/' | awk 'NF { for (; blanks; blanks--) print ""; print; next } { blanks++ }'
}
rows() { comparable | grep -E '^  (RAW|WAR|WAW) '; }
own_rows() { rows | { grep -vE ' c +[0-9]+ c ' || :; }; }

library=$(ldd --version | sed -n '1s/.* //p')
own=
[ "$library" = 2.36 ] || own=own_rows
[ -z "$own" ] || echo "The C library is $library, not 2.36: rows between two calls are not compared."

# compare NAME MARK FILTER
compare() {
  local page=$top_srcdir/examples/$1.md options
  read -r -a options <<<"$(options_of "$page" "$2")"
  [ ${#options[@]} -gt 0 ] || return 0
  block_of "$page" "$2" | "${own:-$3}" >"$1.page"
  listing "${options[@]}" "$1.trace" | "${own:-$3}" >"$1.listing"
  diff "$1.page" "$1.listing" || fail "examples/$1.md does not show the listing (< page, > listing)"
  compared=$((compared + 1))
}

# Of findings what they are of, and where: the variable, the accesses, the tasks.
places() {
  sed -E 's,([( ])/[^ ()]*/,\1,g' |
    sed -nE '/^#/p; s/^ *(at .*)/\1/p; s/.*\(task [0-9]+ (of team.*)\).*/\1/p; s/.*, (declared at .*)/\1/p' | sort -u
}

# compare_races NAME
compare_races() {
  local page=$top_srcdir/examples/$1.md source=$top_srcdir/examples/$1.c script
  block_of "$page" races | places >"$1.page"
  "$cdrgrind" races "$1.trace" >report || [ $? = 1 ]
  awk '/^-- Summary/ { exit } /^#/ { on = 1 } on' report | places >"$1.races"
  diff "$1.page" "$1.races" || fail "examples/$1.md does not show the findings (< page, > report)"
  script=$(options_of "$page" mended)
  sed "$script" "$source" >"$1.mended.c"
  { diff "$source" "$1.mended.c" || :; } | sed -n 's/^> //p' | diff - <(block_of "$page" mended) || fail "examples/$1.md: mended"
  "$CC" -g -O0 -fopenmp -o "$1.mended" "$1.mended.c"
  vg -q --deps=no --cdr-out-file="$1.mended.trace" "./$1.mended" >out
  expect 0 "$cdrgrind" races "$1.mended.trace" >report
  compared=$((compared + 1))
}

compared=0
count=0
for page in "$top_srcdir"/examples/*.md; do
  name=$(basename "$page" .md)
  "$examples/$name" >"$name.want"
  vg -q --cdr-out-file="$name.trace" "$examples/$name" >"$name.out"
  count=$((count + 1))
  if [ -n "$(options_of "$page" races)" ]; then
    compare_races "$name"
    continue
  fi
  cmp "$name.want" "$name.out"
  if [ -n "$(options_of "$page" advice)" ]; then compared=$((compared + 1)); fi
  compare "$name" listing comparable
  compare "$name" "one run of many" rows
done
[ "$count" -gt 0 ] && [ "$compared" = "$count" ] || fail "$compared of $count pages have something to compare"

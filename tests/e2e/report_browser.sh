# SPDX-License-Identifier: GPL-2.0-or-later
# The page of `cdrgrind report` in a browser: report_page.py says what is tried. Screenshots of what failed stay in this
# test's folder.
. "$top_srcdir/tests/e2e/common.sh"
here=$top_srcdir/tests/e2e
chromium=$(command -v chromium) || skip "no chromium"
driver=$(command -v chromedriver) || skip "no chromedriver"
python=/usr/bin/python3
"$python" -c 'import selenium' 2>/dev/null || skip "no python3-selenium"
timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/alone" --dump-dom about:blank >alone.html 2>&1 ||
  skip "chromium itself does not start here: $(tail -n 3 alone.html)"
[ "$(sed -n 3p "$top_builddir/cdrgrind/report/html/page_program.inc")" != '""' ] || skip "built without esbuild and node-typescript"
axe=$top_builddir/axe/package/axe.min.js
[ -e "$axe" ] || { axe= && echo "axe-core is not there (./dev check fetches it): accessibility is not checked."; }

page() {
  "$cdrgrind" report "${@:2}" -o "$1.html"
}

# A loop that is parallel, one that is not, a race, a lock, false sharing.
"$CC" -g -O0 -pthread -o work "$here/report_work.c"
record work ./work
page work work.trace
# A line with more dependences than the page shows at once.
{ echo "volatile int many, seen;"; echo "int main(void) {"; echo "  many = 1;"; for _ in {1..70}; do echo "  seen = many;"; done; echo "}"; } >many_lines.c
"$CC" -g -O0 -o many_lines many_lines.c
record many_lines ./many_lines
page many_lines many_lines.trace
# Frames of libraries on stacks, locks in an array, barriers of both kinds.
$CXX -g -O0 -pthread -o meet "$here/report_meet.cc"
record meet ./meet
page meet meet.trace
# Strands of OpenMP, loops that its library shares out.
for name in chart reports; do
  record $name "$programs/openmp/$name"
  page $name $name.trace
done
for name in two_fields two_lists fibonacci quicksort pipeline; do
  record $name "$examples/$name"
  page $name $name.trace
done
cp two_lists.trace again.trace
page two again.trace quicksort.trace

# Names that are markup, scripts, very long, from right to left, no UTF-8.
hostile=$("$python" "$here/report_page.py" name)
"$python" "$here/report_page.py" hostile "$here/report_work.c" hostile.c
"$CC" -g -O0 -pthread -w -o hostile hostile.c
"$python" "$here/report_page.py" rename hostile
vg -q --cdr-out-file=hostile.trace ./"$hostile" "$hostile" >out
page hostile hostile.trace

# Ranks of an MPI program on a library that stands in for MPI's, one of them with such a name; and of one that never ran.
stand_in_library
"$CC" -g -O0 -o two_ranks "$top_srcdir/tests/programs/mpi/two_ranks.c" libmpich.so.12
stand_in_ranks ./two_ranks rank
page ranks rank1 rank0
mkdir evil many
cp two_ranks evil/"$hostile"
stand_in_ranks evil/"$hostile" evil.rank
page hostile_ranks evil.rank0 evil.rank1
"$programs/traces/mpi_ranks" many 70 random 2 5
page many_ranks many/*

"$python" "$here/report_page.py" try "$chromium" "$driver" "$axe" || fail "see above; screenshots are in $work"

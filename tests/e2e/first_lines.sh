# SPDX-License-Identifier: GPL-2.0-or-later
# What a reader sees first: each report on each example speaks of the program's own code within its first 20 lines, if it has anything
# to say of it at all, and of nobody else's before.
. "$top_srcdir/tests/e2e/common.sh"

others='ld-linux|ld\.so|libc\.so|libpthread|libstdc|dl-[a-z]+\.[ch]|_dl_|/usr/(include|lib)|\bstl_[a-z]+\.h|basic_string\.h|new_allocator\.h'
said=0
for page in "$top_srcdir"/examples/*.md; do
  name=$(basename "$page" .md)
  vg -q --cdr-out-file="$name.trace" "$examples/$name" >/dev/null
  names=$(nm --defined-only "$examples/$name" | awk '$2 ~ /^[bBdDtT]$/ && $3 ~ /^[a-z]/ { printf "|%s", $3 }')
  for report in annotate 'annotate --summary' patterns paths advise sync sharing races loops 'loops --of=calls' 'loops --of=sync'; do
    # shellcheck disable=SC2086 # a command and its options
    "$cdrgrind" $report "$name.trace" >whole || [ $? = 1 ]
    own="$name\\.cc?[: ]|\\b(main$names)\\b"
    # Where the program was recorded is no word about it.
    sed '/^[A-Z][a-z]*: /s/.*/-/' whole >text
    sed -n '1,20p' text >first
    ! grep -E "$others" first >foreign || fail "$report $name: $(cat foreign)"
    grep -qE "$own" text || continue
    grep -qE "$own" first || fail "$report $name: nothing of the program in: $(cat first)"
    said=$((said + 1))
  done
done
echo "$said reports speak of their program"
[ $said -ge 40 ] || fail "only $said reports have anything to say"

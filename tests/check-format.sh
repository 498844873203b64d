# SPDX-License-Identifier: GPL-2.0-or-later
# Every source file is as clang-format leaves it. Versions differ in what they do: only the one that .clang-format names
# is asked.
cd "${top_srcdir:?}" || exit 1

wanted=$(sed -n 's/^# clang-format \([0-9]*\)$/\1/p' .clang-format)
found=$(clang-format --version 2>/dev/null | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
if [ "$found" != "$wanted" ]; then
  echo "clang-format $wanted is not installed${found:+: this is $found}"
  exit 77
fi
complaints=$(sh tests/source-files.sh | xargs -0 clang-format --dry-run --Werror 2>&1) && exit 0
# A file has one for each of its lines, and more: the first will do.
awk -F: '!/should be clang-formatted/ { if (/error/) print; next }
  !told[$1]++ { print $1 ":" $2 ": not as clang-format leaves it: ./dev format" }' <<<"$complaints"
exit 1

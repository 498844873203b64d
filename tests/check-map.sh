# SPDX-License-Identifier: GPL-2.0-or-later
# docs/map.md has a line for every module of cdrgrind/, under its folder, and none for what is not there.
cd "${top_srcdir:?}" || exit 1

there=$(find cdrgrind -type f \( -name '*.h' -o -name '*.cc' -o -name '*.c' \) ! -path cdrgrind/config.h |
  sed 's|^cdrgrind/||; s|\.[a-z]*$||' | LC_ALL=C sort -u)
in_map=$(awk '/^## / { folder = $2 } match($0, /^- `[a-z_0-9]+`:/) { print folder substr($0, 4, RLENGTH - 5) }' \
  docs/map.md | LC_ALL=C sort)
differences=$(diff <(echo "$there") <(echo "$in_map") |
  sed -n 's/^< \(.*\)/docs\/map.md: no line for \1/p; s/^> \(.*\)/docs\/map.md: \1 is not there, or twice/p')
[ -z "$differences" ] || { echo "$differences" && exit 1; }

# SPDX-License-Identifier: GPL-2.0-or-later
#
# The walls between the folders. A folder includes itself and what stands for
# it below, and what those may include. Quoted includes are written from the
# top of the tree; only cdrgrind/tool/vg.h includes Valgrind's pub_tool_*.
cd "${top_srcdir:?}" || exit 1

find cdrgrind include -type f \( -name '*.h' -o -name '*.cc' -o -name '*.c' \) ! -path cdrgrind/config.h |
  LC_ALL=C sort |
  while IFS= read -r file; do
    # FILE:LINE:INCLUDED with the quote or bracket in front.
    sed -n 's/^[ \t]*#[ \t]*include[ \t]*\(["<][^">]*\)[">].*/\1/; t print
            b
            : print
            =
            p' "$file" | paste -d: - - | sed "s|^|$file:|"
  done |
  awk -F: '
    function allow(folder, list) { direct[folder] = list }
    # The folders that `folder` reaches, as keys of reach[folder, *].
    function close_over(folder, from,    names, n, i) {
      if ((folder, from) in reach) return
      reach[folder, from] = 1
      n = split(direct[from], names, " ")
      for (i = 1; i <= n; i++) close_over(folder, names[i])
    }
    function complain(what) { print $1 ":" $2 ": " what; bad = 1 }
    function folder_of(path,    parts) { split(path, parts, "/"); return parts[2] }
    BEGIN {
      allow("base", "")
      allow("encode", "base format")
      allow("depend", "base")
      allow("format", "base")
      allow("drain", "base encode depend format")
      allow("tool", "base encode depend format drain include")
      allow("preload", "include")
      allow("trace", "base format encode")
      allow("symbols", "base")
      allow("analysis", "base trace depend")
      allow("report", "analysis symbols")
      allow("cli", "base encode depend format trace symbols analysis report include")
      for (folder in direct) close_over(folder, folder)
    }
    {
      file = $1
      included = substr($3, 2)
      quoted = substr($3, 1, 1) == "\""
      mine = file ~ /^include\// ? "include" : folder_of(file)
      if (mine != "include" && !(mine in direct)) { complain("a folder that tests/check-includes.sh does not know"); next }
      if (included ~ /^pub_(tool|core)_/) {
        if (file != "cdrgrind/tool/vg.h") complain("only cdrgrind/tool/vg.h includes " included)
        next
      }
      # They take seconds to compile, each time.
      if (included ~ /^CLI\//) {
        if (file != "cdrgrind/cli/command_line.cc") complain("only cli/command_line.cc includes " included)
        next
      }
      if (included ~ /^nlohmann\//) {
        if (file != "cdrgrind/report/race_baseline.cc") complain("only report/race_baseline.cc reads JSON; report/json_writer.h writes it")
        next
      }
      if (included == "cdrgrind/config.h") {
        if (!quoted) complain("write \"cdrgrind/config.h\"")
        if (mine == "include") complain("a header for users includes no config.h")
        next
      }
      if (included == "cdrgrind/cdrgrind.h" || included ~ /^include\//) theirs = "include"
      else if (included ~ /^cdrgrind\//) theirs = folder_of(included)
      else {
        if (quoted) complain("\"" included "\": quoted includes are written from the top of the tree")
        next
      }
      if (mine == theirs) {
        if (file == "cdrgrind/base/requests.h") complain("requests.h is shared with the preload and includes nothing of ours")
        next
      }
      if (mine == "preload" && included == "cdrgrind/base/requests.h") next
      if (!((mine, theirs) in reach)) complain(mine " must not include " included)
    }
    END { exit bad }'

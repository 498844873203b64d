# SPDX-License-Identifier: GPL-2.0-or-later
#
# The walls between the folders, and between the rooms in them. A folder includes itself and what stands for
# it below, and what those may include; so does a room within its folder. What stands in a folder beside its rooms may
# include them all, and they may not include it. Quoted includes are written from the top of the tree; only
# cdrgrind/tool/vg.h includes Valgrind's pub_tool_*.
cd "${top_srcdir:?}" || exit 1

find cdrgrind include -type f \( -name '*.h' -o -name '*.cc' -o -name '*.c' \) ! -path cdrgrind/config.h -print0 |
  LC_ALL=C sort -z |
  # FILE:LINE:INCLUDED with the quote or bracket in front.
  xargs -0 awk '/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    included = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", included)
    if (match(included, /^["<][^">]*[">]/)) print FILENAME ":" FNR ":" substr(included, 1, RLENGTH - 1)
  }' |
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
    function room_of(path,    p) {
      sub(/^cdrgrind\//, "", path)
      for (p = path; sub(/\/[^\/]*$/, "", p);) if (p in direct) return p
      return ""
    }
    function check_room(mine, theirs) {
      if (mine == theirs || (mine, theirs) in reach) return
      if (theirs ~ "^" mine "/") return
      complain(mine " must not include " included)
    }
    function folder_of(path,    parts) { split(path, parts, "/"); return parts[2] }
    # The folder, or the room, in which the file itself stands.
    function place_of(path) { sub(/^cdrgrind\//, "", path); sub(/\/[^\/]*$/, "", path); return path }
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
      allow("trace/read", "")
      allow("trace/index", "trace/read")
      allow("trace/check", "trace/index")
      allow("symbols/common", "")
      allow("symbols/elf", "symbols/common")
      allow("symbols/tables", "symbols/elf")
      allow("symbols/dwarf", "symbols/tables")
      allow("symbols/files", "symbols/dwarf")
      n = split("common events totals walk", free, " ")
      for (i = 1; i <= n; i++) allow("analysis/" free[i], "")
      allow("analysis/dependence", "analysis/common analysis/events")
      allow("analysis/patterns", "analysis/common analysis/events")
      allow("analysis/paths", "analysis/common analysis/events")
      allow("analysis/strands", "analysis/events")
      allow("analysis/slice", "analysis/common analysis/strands analysis/walk")
      allow("analysis/regions", "analysis/slice")
      allow("analysis/advise", "analysis/regions analysis/sync")
      allow("analysis/loops", "analysis/paths analysis/dependence")
      allow("analysis/compare", "analysis/loops")
      allow("analysis/mpi", "analysis/loops")
      allow("analysis/sync", "analysis/common analysis/strands")
      allow("analysis/timeline", "analysis/common analysis/sync")
      allow("analysis/races/core", "analysis/slice analysis/strands analysis/sync")
      allow("analysis/races/policy", "analysis/races/core analysis/events")
      allow("analysis/races/source", "analysis/races/policy analysis/regions")
      allow("analysis/races/evidence", "analysis/races/source")
      allow("analysis/races", "analysis/races/evidence")
      allow("analysis/sharing", "analysis/races/source")
      allow("analysis/diff", "analysis/races/source")
      allow("report/common", "")
      n = split("advise annotate dump loops mpi paths patterns races stats sync", reports, " ")
      for (i = 1; i <= n; i++) allow("report/" reports[i], "report/common")
      allow("report/html", "report/sync")
      allow("report/sharing", "report/races")
      allow("report/diff", "report/races report/advise")
      allow("report/export", "report/races report/advise report/sync")
      for (folder in direct) close_over(folder, folder)
    }
    {
      file = $1
      included = substr($3, 2)
      quoted = substr($3, 1, 1) == "\""
      mine = file ~ /^include\// ? "include" : folder_of(file)
      place = place_of(file)
      if (mine != "include" && !(place in direct)) {
        if (!told[place]++) complain("tests/check-includes.sh does not say what " place "/ may include")
        next
      }
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
        if (file != "cdrgrind/report/races/race_baseline.cc") complain("only report/races/race_baseline.cc reads JSON; report/common/json_writer.h writes it")
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
        if (mine != "include") check_room(room_of(file), room_of(included))
        if (file == "cdrgrind/base/requests.h" || file == "cdrgrind/base/mpi_calls.h") complain(file " is shared with the preload and includes nothing of ours")
        next
      }
      if (mine == "preload" && (included == "cdrgrind/base/requests.h" || included == "cdrgrind/base/mpi_calls.h")) next
      if (!((mine, theirs) in reach)) complain(mine " must not include " included)
    }
    END { exit bad }'

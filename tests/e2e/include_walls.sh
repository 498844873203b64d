# SPDX-License-Identifier: GPL-2.0-or-later
# tests/check-includes.sh sees through the walls between folders.
. "$top_srcdir/tests/e2e/common.sh"

mkdir -p include/cdrgrind cdrgrind/{base,trace/read,trace/index,tool,preload,report/{sync,unheard},cli,unheard,analysis/races/core}
walls() {
  local status=0
  top_srcdir=$work bash "$top_srcdir/tests/check-includes.sh" >log || status=$?
  echo $status
}

# Allowed, also by way of another folder.
echo '#include "cdrgrind/encode/x.h"' >cdrgrind/trace/a.cc
echo '#include "cdrgrind/depend/x.h"' >cdrgrind/report/a.cc
echo '#include "cdrgrind/trace/read/x.h"' >cdrgrind/trace/index/a.cc
echo '#include "cdrgrind/analysis/races/core/x.h"' >cdrgrind/analysis/races/a.cc
echo '#include "cdrgrind/report/common/x.h"' >cdrgrind/report/sync/a.cc
echo '#include "pub_tool_basics.h"' >cdrgrind/tool/vg.h
echo '#include "cdrgrind/base/requests.h"' >cdrgrind/preload/a.c
echo '#include "cdrgrind/config.h"' >cdrgrind/cli/a.cc
[ "$(walls)" = 0 ] || fail "$(cat log)"

forbidden() {
  echo "$2" >"$1"
  [ "$(walls)" = 1 ] || fail "$1 may say $2"
  [ "$(grep -c "^$1:1: " log)" = 1 ] && [ "$(wc -l <log)" = 1 ] || fail "$(cat log)"
  rm "$1"
}
forbidden cdrgrind/base/b.h '#include "cdrgrind/trace/x.h"'
forbidden cdrgrind/trace/b.h '# include <cdrgrind/depend/x.h>'
forbidden cdrgrind/trace/read/b.h '#include "cdrgrind/trace/index/x.h"'
forbidden cdrgrind/analysis/races/core/b.cc '#include "cdrgrind/analysis/races/x.h"'
forbidden cdrgrind/analysis/races/core/b.cc '#include "cdrgrind/analysis/sharing/x.h"'
forbidden cdrgrind/report/sync/b.cc '#include "cdrgrind/report/races/x.h"'
forbidden cdrgrind/tool/b.cc '#include "pub_tool_basics.h"'
forbidden cdrgrind/tool/b.cc '#include "cdrgrind/trace/x.h"'
forbidden cdrgrind/cli/b.cc '  #include "cdrgrind/tool/x.h"'
forbidden cdrgrind/cli/b.cc '#include "a.h"'
forbidden cdrgrind/preload/b.c '#include "cdrgrind/base/event.h"'
forbidden cdrgrind/base/requests.h '#include "cdrgrind/base/event.h"'
forbidden cdrgrind/unheard/b.h '#include <vector>'
forbidden cdrgrind/report/unheard/b.h '#include <vector>'

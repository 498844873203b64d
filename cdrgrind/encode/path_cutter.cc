// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/path_cutter.h"

namespace cdr {

// Another terminal than that of the open run.
void PathCutter::emit_next(Path& p, uint32_t terminal) {
  close_run(p);
  p.terminal = terminal;
  p.count = 1;
}

void PathCutter::close_run(Path& p) {
  if (p.count == 0) return;
  if (p.string == 0) p.string = strings_.open_string() + 1;
  strings_.append(p.string - 1, p.terminal, p.count);
  p.count = 0;
}

}  // namespace cdr

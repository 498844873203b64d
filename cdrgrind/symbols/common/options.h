// SPDX-License-Identifier: GPL-2.0-or-later
//
// Options of the symbols folder: where debug files and sources are looked for
// and how recorded paths are rewritten. Filled once, passed as const&.
#ifndef CDRGRIND_SYMBOLS_COMMON_OPTIONS_H
#define CDRGRIND_SYMBOLS_COMMON_OPTIONS_H

#include <memory>
#include <string>
#include <vector>

namespace cdr::symbols {

class PackedFiles;

// Rewrites a path whose leading folders are `from`: --path-map OLD=NEW.
struct PathMap {
  std::string from;
  std::string to;
};

struct SymbolOptions {
  std::vector<PathMap> path_maps;        // the first that matches is applied
  std::vector<std::string> source_dirs;  // -I: sources, and debug files too
  std::vector<std::string> debug_dirs;   // --debug-dir, before the system's
  std::string system_debug_dir = "/usr/lib/debug";
  std::shared_ptr<PackedFiles> packed;  // that came with the trace: they, and no others, are used
};

}  // namespace cdr::symbols

#endif

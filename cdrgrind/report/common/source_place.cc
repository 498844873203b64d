// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/source_place.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/analysis/events/program_modules.h"
#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

// Rust's library tells where it was compiled, or where its sources are installed.
bool of_the_system(std::string_view file) {
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") || file.starts_with("/rustc/") ||
         file.find("/rustlib/src/rust/library/") != file.npos;
}

bool is_persons_own(const Module& m) { return !analysis::is_shim(m) && !analysis::in_system_library_folder(m.path); }

SourcePlace source_place_of(std::span<const CodeAddr> sites, const ModuleTable& modules, symbols::Symbols& symbols) {
  SourcePlace best;
  for (const CodeAddr at : sites) {
    if (!modules.has(at.module)) continue;
    const auto chain = symbols.inline_chain(at.module.value, at.addr);
    // Code of a person's own that has no lines is better than a library's that called it.
    const bool has_lines = std::any_of(chain.begin(), chain.end(), [](const auto& f) { return f.pos.known(); });
    if (!has_lines && best.line == 0 && is_persons_own(modules[at.module]))
      return {modules[at.module].path, 0, chain.empty() ? std::string_view() : chain.back().function};
    for (const symbols::InlineFrame& f : chain) {
      const SourcePlace place{f.pos.known() ? f.pos.file : modules[at.module].path, f.pos.line, f.function};
      if (f.pos.known() && !of_the_system(f.pos.file)) return place;
      if (best.file.empty() || (best.line == 0 && place.line != 0)) best = place;
    }
    if (best.file.empty()) best = {modules[at.module].path, 0, {}};
  }
  return best;
}

std::string short_place(const SourcePlace& p) {
  if (p.file.empty()) return {};
  const std::string_view name = symbols::base_name(p.file);
  return p.line ? fmt::format("{}:{}", name, p.line) : std::string(name);
}

std::string place_text(const SourcePlace& p) {
  const std::string place = short_place(p);
  return place.empty() ? "an unknown place" : visible(place);
}

void put_place(std::string_view name, const SourcePlace& p, JsonWriter& to) {
  to.key(name).object().members("file", p.file, "line", p.line, "function", p.function).end();
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/calling_places.h"

#include <algorithm>
#include <optional>

namespace cdr::report {
namespace {

// The innermost first; what the system's frames are of is called by the one behind them.
std::optional<CallingPlace> own_place(std::span<const symbols::InlineFrame> frames, std::string_view& callee) {
  for (const symbols::InlineFrame& f : frames) {
    if (f.pos.known() && !of_the_system(f.pos.file)) return CallingPlace{{f.pos.file, f.pos.line, f.function}, callee};
    if (!f.function.empty()) callee = f.function;
  }
  return std::nullopt;
}

}  // namespace

void CallingPlaces::index() {
  if (!by_function_.empty()) return;
  for (regions::ContextIndex c = 1; c < contexts_.size(); ++c) by_function_[contexts_[c].function].push_back(c);
}

std::vector<CallingPlace> CallingPlaces::of(const regions::Loop& loop, const LoopPlace& lines) {
  std::vector<CallingPlace> found;
  if (!of_the_system(lines.place().file)) return found;
  std::string_view callee = lines.place().function;
  std::vector<symbols::InlineFrame> calls = lines.inlining_calls();
  if (const auto own = own_place(calls, callee)) return {*own};
  index();
  const auto of_function = by_function_.find({loop.header.module, loop.function});
  if (of_function == by_function_.end()) return found;
  for (regions::ContextIndex c : of_function->second) {
    std::optional<CallingPlace> own;
    for (std::string_view called = callee; !own && contexts_[c].parent != 0; c = contexts_[c].parent) {
      const ModuleId module = contexts_[contexts_[c].parent].function.module;
      if (modules_.has(module) && is_persons_own(modules_[module]))
        own = own_place(symbols_.inline_chain(module.value, contexts_[c].site), called);
    }
    if (own && std::find(found.begin(), found.end(), *own) == found.end()) found.push_back(*own);
  }
  return found;
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/other_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "cdrgrind/report/common/bare_name.h"

namespace cdr::report {
namespace {

using advise::Verdict;

// Whether it shows that the source's loop is not parallel as it stands. What registers alone would need are the
// compiler's.
bool refuses(const AdviceLoop& l) {
  if (l.is_shared() || l.beside > 0 || l.verdict == Verdict::kUnseen) return false;
  if (l.verdict != Verdict::kParallel) return true;
  if (l.in_registers) return true;
  return std::any_of(l.items.begin(), l.items.end(),
                     [](const AdviceItem& i) { return !i.in_register && !i.edit.empty(); });
}

// In several functions, or copies of one; of several loops in a line those that begin in one column.
bool are_copies(const AdviceLoop& x, const AdviceLoop& y) {
  if (x.statement == y.statement) return false;
  return (x.head_columns.empty() && y.head_columns.empty()) ||
         std::any_of(x.head_columns.begin(), x.head_columns.end(),
                     [&](uint32_t c) { return y.head_columns.contains(c); });
}

}  // namespace

void heed_other_copies(std::vector<AdviceLoop>& loops) {
  std::map<std::pair<std::string_view, uint32_t>, std::vector<const AdviceLoop*>> refusing;  // by the head's place
  const auto place_of = [](const AdviceLoop& l) {
    return std::pair<std::string_view, uint32_t>(l.place.file, l.head_line ? l.head_line : l.place.line);
  };
  for (const AdviceLoop& l : loops)
    if (l.place.line > 0 && refuses(l)) refusing[place_of(l)].push_back(&l);
  for (AdviceLoop& l : loops) {
    const auto others = refusing.find(place_of(l));
    if (l.pragma.empty() || others == refusing.end()) continue;
    const auto other = std::find_if(others->second.begin(), others->second.end(),
                                    [&](const AdviceLoop* o) { return are_copies(l, *o); });
    if (other == others->second.end()) continue;
    const AdviceLoop& found = **other;
    const std::string_view how = found.in_registers                    ? "parallel with values of arrays in registers"
                                 : found.verdict == Verdict::kParallel ? "parallel only with an edit"
                                                                       : name_of(found.verdict);
    l.other_copy = fmt::format("{} ({:#x}), where it is {}", brief_name(found.place.function), found.header.addr, how);
    l.pragma.clear();
  }
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/annotate/moved_ends.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "cdrgrind/report/common/source_words.h"

namespace cdr::report {

namespace {

// A call, an index, or a pointer that is followed; multiplications, too, which look like one.
bool may_touch_anything(std::string_view line) {
  if (line.find_first_of("*[") != line.npos || line.find("->") != line.npos) return true;
  for (size_t at = line.find('('); at != line.npos; at = line.find('(', at + 1)) {
    std::string_view before = line.substr(0, at);
    while (!before.empty() && before.back() == ' ') before.remove_suffix(1);
    size_t begin = before.size();
    while (begin > 0 && is_word(before[begin - 1])) --begin;
    const std::string_view word = before.substr(begin);
    if (!word.empty() && word != "for" && word != "while" && word != "if") return true;
  }
  return false;
}

}  // namespace

bool cannot_touch(std::string_view line, std::span<const ObjectName> objects) {
  if (objects.empty() || line.empty() || may_touch_anything(line)) return false;
  const std::set<std::string_view> there = words_of(line);
  return std::all_of(objects.begin(), objects.end(), [&](const ObjectName& o) {
    if (o.name.empty() || (o.kind != "global" && o.kind != "tls" && o.kind != "stack")) return false;
    const auto words = words_of(o.name);
    return std::none_of(words.begin(), words.end(), [&](std::string_view w) { return there.contains(w); });
  });
}

bool MovedEnds::has(const analysis::DependenceRow& row, Side side) const {
  if (!loops_ || !objects_ || !loops_->beside(row, side)) return false;
  const analysis::LineRef& at = side == Side::kSource ? row.source.at : row.target.at;
  const symbols::SourceFile* source = symbols_.source(at.file);
  return source && cannot_touch(source->line(at.line), objects_->of(row));
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/patterns/walked_objects.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/report/common/output.h"

namespace cdr::report {

namespace {

constexpr size_t kMostNamed = 4;  // in text

std::string text_of(const ObjectName& o) {
  if (!o.name.empty()) return visible(o.name);
  return o.kind == "stack" ? "an unnamed part of the stack" : "memory without a name";
}

}  // namespace

NamedWalk named(const patterns::WalkedObjects& walk, const NumberedObjects& names) {
  NamedWalk result;
  for (const patterns::ObjectCount& o : walk.objects)
    result.objects.push_back({names.object(o.object).seen_from({}), o.accesses});
  std::stable_sort(result.objects.begin(), result.objects.end(),
                   [](const auto& a, const auto& b) { return a.accesses > b.accesses; });
  result.others = walk.others;
  return result;
}

std::string walk_text(const NamedWalk& walk) {
  const auto& all = walk.objects;
  if (std::none_of(all.begin(), all.end(), [](const WalkedName& o) { return !o.object.name.empty(); })) return {};
  if (all.size() == 1 && walk.others == 0) return text_of(all.front().object);
  uint64_t accesses = walk.others;
  for (const WalkedName& o : all) accesses += o.accesses;
  std::string text;
  for (size_t i = 0; i < std::min(all.size(), kMostNamed); ++i)
    text += fmt::format("{}{} ({})", i ? "; " : "", text_of(all[i].object), percent_text(all[i].accesses, accesses));
  const size_t more = all.size() - std::min(all.size(), kMostNamed);
  if (walk.others)
    text += fmt::format("; more than {} others", with_separators(more));
  else if (more)
    text += "; " + plural(more, "other");
  return text;
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/annotate/object_shares.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/report/annotate/dependence_table.h"
#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/report/common/output.h"

namespace cdr::report {

using analysis::DependenceRow;
using analysis::ObjectCounts;

void ObjectShares::add(const DependenceRow& row, ObjectCounts counts) { counts_[row.keys.front()] = std::move(counts); }

const ObjectCounts& ObjectShares::counts(const DependenceRow& row) const { return counts_.at(row.keys.front()); }

std::vector<ObjectShare> ObjectShares::of(const DependenceRow& row) const {
  std::vector<ObjectShare> shares;
  for (const ObjectCounts::Object& o : counts(row).objects) {
    const NumberedObject& object = numbers_.object(o.number);
    shares.push_back({object.seen_from(row.ancestor), o.count, &object});
  }
  return shares;
}

uint64_t ObjectShares::others(const DependenceRow& row) const { return counts(row).others; }

// The most frequent first.
std::vector<ObjectShare> ObjectShares::named(const DependenceRow& row) const {
  std::vector<ObjectShare> shares = of(row);
  std::erase_if(shares, [](const ObjectShare& s) { return s.name.name.empty(); });
  std::stable_sort(shares.begin(), shares.end(),
                   [](const ObjectShare& a, const ObjectShare& b) { return a.count > b.count; });
  return shares;
}

std::string ObjectShares::most_frequent(const DependenceRow& row) const {
  const std::vector<ObjectShare> shares = named(row);
  return shares.empty() ? std::string() : shares.front().name.name;
}

// The innermost call in which it differs from others of the same name.
std::string ObjectShares::origin(const ObjectShare& share, std::span<const ObjectShare> all) {
  const std::vector<AllocatingCall>& calls = share.object->allocated;
  size_t at = calls.size();
  for (const ObjectShare& other : all) {
    const std::vector<AllocatingCall>& theirs = other.object->allocated;
    if (other.object == share.object || !(other.name == share.name)) continue;
    const auto [mine, its] = std::mismatch(calls.begin(), calls.end(), theirs.begin(), theirs.end());
    at = std::min(at, static_cast<size_t>(mine - calls.begin()));
  }
  if (at == calls.size()) return {};
  const std::string place = short_place(calls[at].place);
  return place.empty() ? place : " from " + place;
}

std::string ObjectShares::text(const DependenceRow& row, const Style& style) const {
  constexpr size_t kMost = 4;
  const std::vector<ObjectShare> shares = named(row);
  const auto shown = std::span(shares).first(std::min(shares.size(), kMost));
  uint64_t left = row.count;
  std::string text;
  for (const ObjectShare& s : shown) {
    if (!text.empty()) text += ", ";
    text += visible(without_long_arguments(s.name.name, style) + origin(s, shares));
    if (s.count != row.count) text += fmt::format(" ({})", with_separators(s.count));
    left -= s.count;
  }
  if (!text.empty() && left != 0) text += fmt::format(", others ({})", with_separators(left));
  return text;
}

}  // namespace cdr::report

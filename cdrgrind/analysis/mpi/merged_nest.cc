// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/merged_nest.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace cdr::mpi {
namespace {

// Two lists whose product is larger than this are not laid side by side.
constexpr uint64_t kMostCells = 1 << 22;

NestItems with_ranks(NestItems items, const RankSet& ranks) {
  for (NestItem& item : items) {
    item.body = with_ranks(std::move(item.body), ranks);
    item.ranks = ranks;
  }
  return items;
}

class Merger {
 public:
  explicit Merger(const analysis::NameTable& names) {
    for (uint32_t id = 0; id < names.size(); ++id) {
      const std::string_view name = names.name(id);
      functions_.emplace_back(name.substr(0, name.find_first_of("([ ")));
    }
  }

  NestItems merge(NestItems a, NestItems b) const {
    NestItems merged;
    size_t begin = 0;
    while (begin < a.size() && begin < b.size() && alike(a[begin], b[begin])) ++begin;
    size_t end = 0;
    while (end < a.size() - begin && end < b.size() - begin && alike(a[a.size() - 1 - end], b[b.size() - 1 - end]))
      ++end;
    for (size_t i = 0; i < begin; ++i) merged.push_back(one(std::move(a[i]), std::move(b[i])));
    middle(a, begin, a.size() - end, b, begin, b.size() - end, merged);
    for (size_t i = end; i-- > 0;)
      merged.push_back(one(std::move(a[a.size() - 1 - i]), std::move(b[b.size() - 1 - i])));
    return merged;
  }

 private:
  bool alike(const NestItem& a, const NestItem& b) const {
    if (a.count != b.count) return false;
    if (a.count == 0) return a.symbol == b.symbol;
    std::set<std::string_view> mine, others;
    functions_in(a, mine);
    functions_in(b, others);
    return std::any_of(mine.begin(), mine.end(), [&](std::string_view f) { return others.contains(f); });
  }
  void functions_in(const NestItem& item, std::set<std::string_view>& to) const {
    if (item.count == 0) to.insert(functions_[item.symbol]);
    for (const NestItem& inner : item.body) functions_in(inner, to);
  }

  NestItem one(NestItem a, NestItem b) const {
    a.ranks = united(a.ranks, b.ranks);
    if (a.count) a.body = merge(std::move(a.body), std::move(b.body));
    return a;
  }

  // Longest common subsequence; where both have something of their own, the first's stands first.
  void middle(NestItems& a, size_t a_begin, size_t a_end, NestItems& b, size_t b_begin, size_t b_end,
              NestItems& to) const {
    const size_t n = a_end - a_begin, m = b_end - b_begin;
    const bool apart = uint64_t{n} * m > kMostCells || n == 0 || m == 0;
    std::vector<uint32_t> common(apart ? 0 : (n + 1) * (m + 1));
    std::vector<bool> same(apart ? 0 : n * m);
    for (size_t i = apart ? 0 : n; i-- > 0;)
      for (size_t j = m; j-- > 0;) {
        same[i * m + j] = alike(a[a_begin + i], b[b_begin + j]);
        const uint32_t skip = std::max(common[(i + 1) * (m + 1) + j], common[i * (m + 1) + j + 1]);
        const uint32_t take = same[i * m + j] ? common[(i + 1) * (m + 1) + j + 1] + 1 : 0;
        common[i * (m + 1) + j] = std::max(skip, take);
      }
    size_t i = 0, j = 0;
    while (!apart && i < n && j < m) {
      const uint32_t best = common[i * (m + 1) + j];
      if (same[i * m + j] && best == common[(i + 1) * (m + 1) + j + 1] + 1) {
        to.push_back(one(std::move(a[a_begin + i]), std::move(b[b_begin + j])));
        ++i, ++j;
      } else if (best == common[(i + 1) * (m + 1) + j]) {
        to.push_back(std::move(a[a_begin + i++]));
      } else {
        to.push_back(std::move(b[b_begin + j++]));
      }
    }
    for (; i < n; ++i) to.push_back(std::move(a[a_begin + i]));
    for (; j < m; ++j) to.push_back(std::move(b[b_begin + j]));
  }

  std::vector<std::string_view> functions_;  // by symbol
};

}  // namespace

NestItems merged_nest(const RankClasses& classes) {
  std::vector<const RankClass*> order;
  for (const RankClass& c : classes.classes) order.push_back(&c);
  std::stable_sort(order.begin(), order.end(),
                   [](const RankClass* a, const RankClass* b) { return a->ranks.size() > b->ranks.size(); });
  const Merger merger(classes.names);
  NestItems merged;
  for (const RankClass* c : order) {
    NestItems own = with_ranks(c->nest, c->ranks);
    merged = c == order.front() ? std::move(own) : merger.merge(std::move(merged), std::move(own));
  }
  return merged;
}

}  // namespace cdr::mpi

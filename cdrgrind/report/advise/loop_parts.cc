// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/loop_parts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "cdrgrind/report/advise/advise_runs.h"
#include "cdrgrind/report/advise/loop_union.h"

namespace cdr::report {
namespace {

using advise::Class;
using advise::Verdict;

AdvicePart part_of(const AdviceLoop& l) {
  return {l.header, l.place.line, l.last_line, l.vectorised, l.verdict, l.instances, l.iterations, l.instructions};
}

// What the source assigns in either's lines and nothing was seen of in any part whose lines have it.
void add_unseen(AdviceLoop& to, const AdviceLoop& from) {
  const auto has = [](const std::vector<std::string>& all, const std::string& n) {
    return std::find(all.begin(), all.end(), n) != all.end();
  };
  const auto is_seen = [&](const AdviceLoop& l, const std::string& n) {
    return l.verdict != Verdict::kUnseen && l.assigned.contains(n) && !has(l.unseen, n);
  };
  std::vector<std::string> unseen;
  for (const std::string& n : to.unseen)
    if (!is_seen(from, n)) unseen.push_back(n);
  for (const std::string& n : from.unseen)
    if (!is_seen(to, n) && !has(unseen, n)) unseen.push_back(n);
  to.unseen = unseen;
  to.assigned.insert(from.assigned.begin(), from.assigned.end());
}

using Indices = std::vector<size_t>;

class Statement {
 public:
  // Most instructions first.
  Statement(const std::vector<AdviceLoop>& loops, const std::map<uint32_t, uint32_t>& parents, Indices parts)
      : loops_(loops), parents_(parents), parts_(std::move(parts)) {
    for (const size_t i : parts_) numbers_.insert(loops_[i].number);
  }

  AdviceLoop joined() const {
    AdviceLoop all = loops_[parts_[0]];
    all.parts.push_back(part_of(all));
    for (const size_t i : std::span(parts_).subspan(1)) {
      const AdviceLoop& from = loops_[i];
      add_unseen(all, from);
      if (from.verdict == Verdict::kUnseen)
        all.last_line = std::max(all.last_line, from.last_line);
      else if (all.verdict == Verdict::kUnseen)
        take_carried(all, from);
      else
        add_carried(all, from, 0);
      all.parts.push_back(part_of(from));
    }
    count(all);
    all.pragma = openmp_line(all);
    return all;
  }

 private:
  static void take_carried(AdviceLoop& to, const AdviceLoop& from) {
    to.verdict = from.verdict;
    to.loaded_index = from.loaded_index;
    add_carried(to, from, 0);
  }
  bool is_within_another(const AdviceLoop& l) const {
    for (auto p = parents_.find(l.number); p != parents_.end(); p = parents_.find(p->second))
      if (numbers_.contains(p->second)) return true;
    return false;
  }
  // Parts within others are counted by these.
  void count(AdviceLoop& all) const {
    double left = 0;
    all.instructions = 0;
    bool is_first = true;
    for (const size_t i : parts_) {
      const AdviceLoop& l = loops_[i];
      if (is_within_another(l)) continue;
      all.instructions += l.instructions;
      all.depth = std::min(all.depth, l.depth);
      if (std::exchange(is_first, false)) all.parent = l.parent;
      left += left_of(l, all.verdict);
    }
    all.speed_up = left > 0 ? static_cast<double>(all.instructions) / left : 1;
    all.small = all.instances > 0 && all.instructions / all.instances < advise::LoopAdvice::kSmallInstance;
  }

  const std::vector<AdviceLoop>& loops_;
  const std::map<uint32_t, uint32_t>& parents_;
  Indices parts_;
  std::set<uint32_t> numbers_;  // of loops
};

bool are_joined(const AdviceLoop& l) { return !l.statement.empty() && !l.head_columns.empty(); }

}  // namespace

std::vector<size_t> statements_of(std::span<const AdviceLoop> loops) {
  std::vector<size_t> first(loops.size());
  std::iota(first.begin(), first.end(), 0);
  const auto root = [&](size_t i) {
    while (first[i] != i) i = first[i];
    return i;
  };
  std::map<std::pair<std::string_view, uint32_t>, size_t> known;
  for (size_t i = 0; i < loops.size(); ++i) {
    if (!are_joined(loops[i])) continue;
    for (const uint32_t column : loops[i].head_columns) {
      const auto [k, is_new] = known.try_emplace({loops[i].statement, column}, i);
      const size_t a = root(k->second), b = root(i);
      first[std::max(a, b)] = std::min(a, b);
    }
  }
  for (size_t i = 0; i < loops.size(); ++i) first[i] = root(i);
  return first;
}

void add_between(AdviceLoop& loop, AdviceItem item) {
  const auto same =
      std::find_if(loop.items.begin(), loop.items.end(), [&](const AdviceItem& i) { return i.name == item.name; });
  if (same == loop.items.end()) {
    loop.items.push_back(std::move(item));
  } else {
    const auto key_of = [](const AdviceRow& r) { return std::tuple(r.between, r.kind, r.source.ip, r.target.ip); };
    for (const AdviceRow& r : item.rows)
      if (std::none_of(same->rows.begin(), same->rows.end(),
                       [&](const AdviceRow& x) { return key_of(x) == key_of(r); }))
        same->rows.push_back(r);
    if (same->carried_as < item.carried_as) {
      same->carried_as = item.carried_as;
      same->note = same->clause = same->edit = {};
    }
  }
  std::stable_sort(loop.items.begin(), loop.items.end(),
                   [](const AdviceItem& x, const AdviceItem& y) { return x.carried_as > y.carried_as; });
  if (loop.verdict < Verdict::kParallel) return;
  loop.verdict = Verdict::kSequential;
  loop.loaded_index = false;
  loop.speed_up = loop.of_run = 1;
  loop.pragma.clear();
}

void join_parts(AdviseReport& report) {
  const std::vector<AdviceLoop>& loops = report.loops;
  const std::vector<size_t> statements = statements_of(loops);
  std::map<uint32_t, uint32_t> parents;
  for (const AdviceLoop& l : loops) parents[l.number] = l.parent;
  std::map<size_t, Indices> parts;
  for (size_t i = 0; i < loops.size(); ++i)
    if (!loops[i].team && loops[i].beside == 0) parts[statements[i]].push_back(i);
  std::map<uint32_t, uint32_t> numbers;  // of parts: the loop's
  std::map<size_t, AdviceLoop> joined;   // by the first part
  std::vector<bool> is_gone(loops.size());
  for (auto& [first, indices] : parts) {
    if (indices.size() < 2) continue;
    std::stable_sort(indices.begin(), indices.end(), [&](size_t x, size_t y) {
      return std::pair(loops[y].instructions, loops[x].header.addr) <
             std::pair(loops[x].instructions, loops[y].header.addr);
    });
    AdviceLoop all = Statement(loops, parents, indices).joined();
    for (const size_t i : indices) {
      numbers[loops[i].number] = all.number;
      is_gone[i] = i != indices[0];
    }
    joined.emplace(indices[0], std::move(all));
  }
  if (joined.empty()) return;
  std::vector<AdviceLoop> all;
  for (size_t i = 0; i < loops.size(); ++i) {
    if (is_gone[i]) continue;
    const auto j = joined.find(i);
    all.push_back(j == joined.end() ? loops[i] : std::move(j->second));
    if (const auto n = numbers.find(all.back().parent); n != numbers.end()) all.back().parent = n->second;
  }
  report.loops = std::move(all);
  rank_loops(report);
}

bool copies_or_fills(std::string_view name) {
  name = name.substr(0, name.find('@'));
  while (name.starts_with('_')) name.remove_prefix(1);
  return name.starts_with("memcpy") || name.starts_with("memmove") || name.starts_with("mempcpy") ||
         name.starts_with("memset");
}

}  // namespace cdr::report

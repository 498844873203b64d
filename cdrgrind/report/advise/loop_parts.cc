// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/loop_parts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
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
  to.own_names.insert(from.own_names.begin(), from.own_names.end());
  to.assigned.insert(from.assigned.begin(), from.assigned.end());
}

using Indices = std::vector<size_t>;

class Ancestors {
 public:
  explicit Ancestors(std::span<const AdviceLoop> loops) {
    for (const AdviceLoop& l : loops) parents_[l.number] = l.parent;
  }
  bool is_within(uint32_t inner, uint32_t outer) const {
    return is_within(inner, [&](uint32_t l) { return l == outer; });
  }
  // In one of which that is so.
  template <class F>
  bool is_within(uint32_t inner, F is_outer) const {
    for (auto p = parents_.find(inner); p != parents_.end(); p = parents_.find(p->second))
      if (is_outer(p->second)) return true;
    return false;
  }

 private:
  std::map<uint32_t, uint32_t> parents_;
};

class JoinedLoop {
 public:
  // Most instructions first.
  JoinedLoop(const std::vector<AdviceLoop>& loops, const Ancestors& ancestors, Indices parts)
      : loops_(loops), ancestors_(ancestors), parts_(std::move(parts)) {
    for (const size_t i : parts_) numbers_.insert(loops_[i].number);
  }

  AdviceLoop joined() const {
    AdviceLoop all = loops_[parts_[0]];
    all.parts.push_back(part_of(all));
    for (const size_t i : std::span(parts_).subspan(1)) {
      const AdviceLoop& from = loops_[i];
      add_unseen(all, from);
      if (all.other_copy.empty()) all.other_copy = from.other_copy;
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

  // One part lies within another: loops of a nest that were exchanged. An irregular one is what is left of iterations
  // with code of their own.
  bool is_exchanged() const {
    return std::any_of(parts_.begin(), parts_.end(), [&](size_t i) {
      return loops_[i].verdict != Verdict::kUnseen && std::any_of(parts_.begin(), parts_.end(), [&](size_t outer) {
               return outer != i && !loops_[outer].irregular &&
                      ancestors_.is_within(loops_[i].number, loops_[outer].number);
             });
    });
  }

 private:
  static void take_carried(AdviceLoop& to, const AdviceLoop& from) {
    to.verdict = from.verdict;
    to.loaded_index = from.loaded_index;
    add_carried(to, from, 0);
  }
  bool is_within_another(const AdviceLoop& l) const {
    return ancestors_.is_within(l.number, [&](uint32_t n) { return numbers_.contains(n); });
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
  const Ancestors& ancestors_;
  Indices parts_;
  std::set<uint32_t> numbers_;  // of loops
};

bool is_known(const AdviceLoop& l) { return !l.statement.empty() && !l.head_columns.empty(); }

}  // namespace

std::vector<size_t> statements_of(std::span<const AdviceLoop> loops) {
  std::vector<size_t> first(loops.size());
  std::iota(first.begin(), first.end(), 0);
  const auto root = [&](size_t i) {
    while (first[i] != i) i = first[i];
    return i;
  };
  const auto unite = [&](size_t a, size_t b) {
    a = root(a), b = root(b);
    first[std::max(a, b)] = std::min(a, b);
  };
  std::map<std::pair<std::string_view, uint32_t>, size_t> known;
  for (size_t i = 0; i < loops.size(); ++i)
    if (is_known(loops[i]) && loops[i].has_head)
      for (const uint32_t column : loops[i].head_columns)
        unite(known.try_emplace({loops[i].statement, column}, i).first->second, i);
  std::map<size_t, Indices> with_heads;
  for (const auto& [head, i] : known) with_heads[root(i)];
  for (size_t i = 0; i < loops.size(); ++i)
    if (const auto s = with_heads.find(root(i)); s != with_heads.end()) s->second.push_back(i);
  for (size_t i = 0; i < loops.size(); ++i) {
    if (!is_known(loops[i]) || loops[i].has_head) continue;
    const auto k = known.find({loops[i].statement, *loops[i].head_columns.begin()});
    if (k == known.end()) continue;
    const Indices& others = with_heads[root(k->second)];
    if (std::any_of(others.begin(), others.end(), [&](size_t o) { return loops[o].depth == loops[i].depth; }))
      unite(k->second, i);
  }
  for (size_t i = 0; i < loops.size(); ++i) first[i] = root(i);
  return first;
}

void forget_doubtful(std::vector<AdviceLoop>& loops) {
  const Ancestors ancestors(loops);
  std::map<std::pair<std::string_view, uint32_t>, Indices> by_head;
  for (size_t i = 0; i < loops.size(); ++i)
    for (const uint32_t column : loops[i].head_columns) by_head[{loops[i].statement, column}].push_back(i);
  Indices doubtful;
  for (const auto& [head, same] : by_head)
    for (const size_t i : same)
      if (!loops[i].has_head && std::any_of(same.begin(), same.end(), [&](size_t o) {
            return ancestors.is_within(loops[o].number, loops[i].number) ||
                   ancestors.is_within(loops[i].number, loops[o].number);
          }))
        doubtful.push_back(i);
  for (const size_t i : doubtful) loops[i].head_columns.clear();
}

namespace {

// It carries this, too; what it would have brought holds no more.
void add_blocking(AdviceLoop& loop, AdviceLoop blocking) {
  if (loop.verdict < Verdict::kParallel) blocking.verdict = loop.verdict;
  add_carried(loop, blocking, 0);
  if (loop.verdict < Verdict::kParallel) return;
  loop.speed_up = loop.of_run = 1;
  loop.pragma.clear();
}

// What the nest carries may be its: it is not known whose it was before the compiler exchanged the nest's loops.
void take_blocking(AdviceLoop& inner, const AdviceLoop& nest) {
  AdviceLoop blocking = nest;
  std::erase_if(blocking.items, [](const AdviceItem& i) { return i.carried_as < Class::kOutput; });
  if (inner.verdict < Verdict::kParallel || blocking.items.empty()) return;
  blocking.last_line = inner.last_line;
  blocking.longest = 0;
  add_blocking(inner, std::move(blocking));
}

}  // namespace

void add_between(AdviceLoop& loop, AdviceItem item) {
  AdviceLoop blocking;
  blocking.verdict = Verdict::kSequential;
  blocking.items.push_back(std::move(item));
  add_blocking(loop, std::move(blocking));
}

void join_parts(AdviseReport& report) {
  std::vector<AdviceLoop>& loops = report.loops;
  const std::vector<size_t> statements = statements_of(loops);
  const Ancestors ancestors(loops);
  std::map<size_t, Indices> parts;
  for (size_t i = 0; i < loops.size(); ++i)
    if (!loops[i].team && loops[i].beside == 0) parts[statements[i]].push_back(i);
  std::map<uint32_t, uint32_t> numbers;  // of parts: the loop's
  std::map<size_t, AdviceLoop> joined;   // by the first part
  std::vector<bool> is_gone(loops.size());
  std::set<size_t> exchanged;  // of the joined ones
  for (auto& [first, indices] : parts) {
    if (indices.size() < 2) continue;
    std::stable_sort(indices.begin(), indices.end(), [&](size_t x, size_t y) {
      return std::pair(loops[y].instructions, loops[x].header.addr) <
             std::pair(loops[x].instructions, loops[y].header.addr);
    });
    const JoinedLoop statement(loops, ancestors, indices);
    AdviceLoop all = statement.joined();
    if (statement.is_exchanged()) exchanged.insert(indices[0]);
    for (const size_t i : indices) {
      numbers[loops[i].number] = all.number;
      is_gone[i] = i != indices[0];
    }
    joined.emplace(indices[0], std::move(all));
  }
  if (joined.empty()) return;
  const auto take_from_nests = [&](AdviceLoop& l) {
    for (const size_t e : exchanged)
      if (const AdviceLoop& nest = joined.at(e);
          nest.number != l.number && ancestors.is_within(l.number, [&](uint32_t n) {
            const auto of = numbers.find(n);
            return of != numbers.end() && of->second == nest.number;
          }))
        take_blocking(l, nest);
  };
  std::vector<AdviceLoop> all;
  for (size_t i = 0; i < loops.size(); ++i) {
    if (is_gone[i]) continue;
    const auto j = joined.find(i);
    all.push_back(j == joined.end() ? std::move(loops[i]) : j->second);
    take_from_nests(all.back());
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

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/code_joins.h"

#include <algorithm>
#include <utility>

namespace cdr::slice {
namespace {

constexpr uint32_t kUnset = ~uint32_t{0};
constexpr size_t kMany = 4096;            // nodes that lead to each other
constexpr size_t kMostReached = 1 << 23;  // nodes in lists of what is led to

}  // namespace

struct CodeJoins::Addition {
  std::span<const NewNode> all;
  uint32_t base = 0;
  std::vector<std::vector<uint32_t>> before;  // by place in `all`: places
  std::vector<uint64_t> top;
  std::vector<bool> weak;
  std::vector<uint32_t> order;    // places, those that lead to the exit, or to what was there, before others
  std::vector<uint32_t> numbers;  // by place

  uint32_t number(uint32_t next) const { return next < base ? next : numbers[next - base]; }
  // Where no way leads to the exit, the highest node that is led to is taken to lead there.
  bool goes_on_to_exit(uint32_t place) const { return top[place] == all[place].addr; }
};

void CodeJoins::add(std::span<const NewNode> all, std::vector<uint32_t>& numbers) {
  Addition a;
  a.all = all;
  a.base = size();
  a.before.resize(all.size());
  for (uint32_t i = 0; i < all.size(); ++i)
    for (const uint32_t n : all[i].next)
      if (n >= a.base) a.before[n - a.base].push_back(i);
  find_tops(a);
  number(a);
  keep(a);
  find_joins(a);
  find_hubs(a.base);
  numbers = std::move(a.numbers);
}

void CodeJoins::find_tops(Addition& a) const {
  const auto count = static_cast<uint32_t>(a.all.size());
  std::vector<uint32_t> open;
  const auto spread = [&](std::vector<bool>& seen, const auto& see) {
    while (!open.empty()) {
      const uint32_t i = open.back();
      open.pop_back();
      if (seen[i]) continue;
      seen[i] = true;
      see(i);
      open.insert(open.end(), a.before[i].begin(), a.before[i].end());
    }
  };
  a.weak.resize(count);
  a.top.resize(count);
  std::vector<bool> seen(count);
  std::vector<std::pair<uint64_t, uint32_t>> tops;
  for (uint32_t i = 0; i < count; ++i) {
    bool weak = a.all[i].weak, exits = false;
    for (const uint32_t n : a.all[i].next) {
      if (n >= a.base) continue;
      weak |= weak_[n];
      exits |= top_[n] == 0;
      if (top_[n] != 0) tops.emplace_back(top_[n], i);
    }
    tops.emplace_back(a.all[i].addr, i);
    if (weak) open.push_back(i), spread(a.weak, [](uint32_t) {});
    if (exits) open.push_back(i), spread(seen, [](uint32_t) {});
  }
  std::sort(tops.begin(), tops.end(), std::greater<>());
  for (const auto& [top, i] : tops) {
    open.push_back(i);
    spread(seen, [&a, t = top](uint32_t led) { a.top[led] = t; });
  }
}

// The other way round, from the exit, children behind their parents.
void CodeJoins::number(Addition& a) const {
  const auto count = static_cast<uint32_t>(a.all.size());
  std::vector<bool> seen(count);
  std::vector<std::pair<uint32_t, size_t>> path;
  const auto visit = [&](uint32_t root) {
    if (seen[root]) return;
    seen[root] = true;
    path.push_back({root, 0});
    while (!path.empty()) {
      auto& [i, child] = path.back();
      if (child == a.before[i].size()) {
        a.order.push_back(i);
        path.pop_back();
      } else if (const uint32_t c = a.before[i][child++]; !seen[c]) {
        seen[c] = true;
        path.push_back({c, 0});
      }
    }
  };
  for (uint32_t i = 0; i < count; ++i) {
    const auto is_old = [&](uint32_t n) { return n < a.base; };
    if (a.goes_on_to_exit(i) || std::any_of(a.all[i].next.begin(), a.all[i].next.end(), is_old)) visit(i);
  }
  std::reverse(a.order.begin(), a.order.end());
  a.numbers.resize(count);
  for (uint32_t at = 0; at < count; ++at) a.numbers[a.order[at]] = a.base + at;
}

void CodeJoins::keep(const Addition& a) {
  for (const uint32_t i : a.order) {
    addr_.push_back(a.all[i].addr);
    top_.push_back(a.top[i]);
    weak_.push_back(a.weak[i]);
    for (const uint32_t n : a.all[i].next) next_.push_back(a.number(n));
    first_.push_back(static_cast<uint32_t>(next_.size()));
  }
}

// Cooper, Harvey and Kennedy 2001, on the reversed graph. A join has a lower number.
void CodeJoins::find_joins(const Addition& a) {
  join_.resize(a.base + a.order.size(), kUnset);
  const auto common = [&](uint32_t x, uint32_t y) {
    while (x != y) (x > y ? x : y) = join_[std::max(x, y)];
    return x;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t n = a.base; n < size(); ++n) {
      uint32_t all = a.goes_on_to_exit(a.order[n - a.base]) ? kExit : kUnset;
      for (const uint32_t s : next(n))
        if (join_[s] != kUnset) all = all == kUnset ? s : common(all, s);
      if (all == join_[n]) continue;
      join_[n] = all;
      changed = true;
    }
  }
}

// Sharir 1981: the numbers are the order that the first of his two walks makes.
void CodeJoins::find_hubs(uint32_t begin) {
  many_.resize(size(), 0);
  std::vector<bool> seen(size() - begin);
  std::vector<uint32_t> open, found;
  for (uint32_t root = begin; root < size(); ++root) {
    open.push_back(root);
    found.clear();
    while (!open.empty()) {
      const uint32_t n = open.back();
      open.pop_back();
      if (n < begin || seen[n - begin]) continue;
      seen[n - begin] = true;
      found.push_back(n);
      open.insert(open.end(), next(n).begin(), next(n).end());
    }
    if (found.size() < kMany) continue;
    for (const uint32_t n : found) many_[n] = root;
  }
}

const CodeJoins::Hub* CodeJoins::hub_of(uint32_t n) {
  if (many_[n] == 0) return nullptr;
  auto& hub = hubs_[many_[n]];
  if (!hub) hub = std::make_unique<Hub>(Hub{many_[n], led_to(many_[n], kUnset)});
  return hub.get();
}

const CodeJoins::Reach& CodeJoins::reach_of(uint32_t from) {
  if (const auto known = reaches_.find(from); known != reaches_.end()) return known->second;
  if (reached_ > kMostReached) reaches_.clear(), reached_ = 0;
  Reach& reach = reaches_[from];
  std::vector<uint32_t> open = {from};
  std::vector<bool> seen(size());
  while (!open.empty()) {
    const uint32_t n = open.back();
    open.pop_back();
    if (seen[n] || reach.hub_leads_to(n)) continue;
    seen[n] = true;
    if (const Hub* const hub = hub_of(n); hub && (!reach.hub || hub->leads_to(reach.hub->node))) {
      reach.hub = hub;
      continue;
    }
    reach.others.push_back(n);
    open.insert(open.end(), next(n).begin(), next(n).end());
  }
  std::erase_if(reach.others, [&](uint32_t n) { return reach.hub_leads_to(n); });
  std::sort(reach.others.begin(), reach.others.end());
  reached_ += reach.others.size();
  return reach;
}

bool CodeJoins::leads_to(uint32_t from, uint32_t to) {
  if (from == to) return true;
  const Reach& reach = reach_of(from);
  return reach.hub_leads_to(to) || std::binary_search(reach.others.begin(), reach.others.end(), to);
}

std::vector<bool> CodeJoins::led_to(uint32_t from, uint32_t without) const {
  std::vector<bool> all(size());
  std::vector<uint32_t> open = {from};
  while (!open.empty()) {
    const uint32_t n = open.back();
    open.pop_back();
    for (const uint32_t s : next(n)) {
      if (s == without || all[s]) continue;
      all[s] = true;
      open.push_back(s);
    }
  }
  return all;
}

}  // namespace cdr::slice

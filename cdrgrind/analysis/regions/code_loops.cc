// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/code_loops.h"

#include <algorithm>

#include "cdrgrind/analysis/regions/loop_forest.h"

namespace cdr::regions {
namespace {

// `leads`: by node, whether a way leads to the function's exit, or to code that is not known.
Loop loop_of(const GraphLoop& from, const slice::InsnGraph& code, const std::vector<bool>& leads, CodeAddr entry) {
  Loop l;
  for (const uint32_t h : from.headers) l.headers.push_back(code.addrs[h]);
  l.header = {entry.module, l.headers.front()};
  l.function = entry.addr;
  l.irregular = from.irregular;
  l.weak = code.weak;
  for (const uint32_t n : from.nodes) {
    l.body.push_back(code.addrs[n]);
    bool leaves = false, ends = false;
    l.next.emplace_back();
    for (const uint32_t s : code.graph.successors(n)) {
      if (std::binary_search(from.nodes.begin(), from.nodes.end(), s))
        l.next.back().push_back(code.addrs[s]);
      else
        (leads[s] || code.ran[s] ? leaves : ends) = true;
    }
    if (leaves)
      l.exits_at.push_back(code.addrs[n]);
    else if (ends)
      l.ends_at.push_back(code.addrs[n]);
  }
  if (l.exits_at.empty()) l.exits_at.swap(l.ends_at);
  if (l.is_threaded()) return l;
  const uint32_t header = from.headers.front();
  for (uint32_t n = header;;) {
    l.head.push_back(code.addrs[n]);
    const auto next = code.graph.successors(n);
    const bool repeats = std::find(next.begin(), next.end(), header) != next.end();
    if (repeats) l.head.clear();
    if (next.size() != 1 || repeats) break;
    n = next[0];
    if (!std::binary_search(from.nodes.begin(), from.nodes.end(), n)) break;
  }
  return l;
}

}  // namespace

bool Loop::has(uint64_t addr) const { return std::binary_search(body.begin(), body.end(), addr); }

bool Loop::begins_at(uint64_t addr) const { return std::binary_search(headers.begin(), headers.end(), addr); }

const std::vector<uint64_t>& Loop::successors(uint64_t addr) const {
  return next[static_cast<size_t>(std::lower_bound(body.begin(), body.end(), addr) - body.begin())];
}

bool Loop::leaves_by_head(uint64_t addr) const { return std::find(head.begin(), head.end(), addr) != head.end(); }

const FunctionLoops& CodeLoops::of(CodeAddr entry) {
  const auto [f, is_new] = functions_.try_emplace(entry.addr);
  if (is_new) add(entry, f->second);
  return f->second;
}

void CodeLoops::add(CodeAddr entry, FunctionLoops& function) {
  const slice::InsnGraph code = graphs_.graph_of(entry.addr, slice::TailCalls::kLeave);
  const uint32_t entry_node = code.node_of(entry.addr);
  if (entry_node == 0) return;
  const uint32_t base = size();
  const std::vector<bool> leads = code.graph.leads_to_exit();
  for (const GraphLoop& g : find_loops(code.graph, entry_node, {code.computed, code.ran})) {
    Loop l = loop_of(g, code, leads, entry);
    if (g.parent != GraphLoop::kNone) {
      l.parent = LoopId(base + g.parent + 1);
      l.depth = (*this)[l.parent].depth + 1;
    }
    loops_.push_back(std::move(l));
    for (const uint64_t addr : loops_.back().body) function.innermost[addr] = LoopId(size());
  }
  number(base);
}

// Those from there on, of which a parent comes before what is within it.
void CodeLoops::number(uint32_t base) {
  nests_.resize(size() + 1);
  for (uint32_t i = base + 1; i <= size(); ++i) {
    const Loop& l = loops_[i - 1];
    nests_[i] = {l.parent, l.depth, 0, 1};
  }
  for (uint32_t i = size(); i > base; --i)
    if (const LoopId p = nests_[i].parent) nests_[p.value].end += nests_[i].end;
  // `end` is how many they are, until each has its place: the next one within its parent.
  std::vector<uint32_t> next(size() - base + 1, base + 1);
  for (uint32_t i = base + 1; i <= size(); ++i) {
    Nest& n = nests_[i];
    uint32_t& place = next[n.parent ? n.parent.value - base : 0];
    n.first = place;
    n.end += place;
    place = n.end;
    next[i - base] = n.first + 1;
  }
}

bool CodeLoops::is_outer_branch(LoopId inner, uint64_t addr) const {
  for (LoopId l = parent(inner); l; l = parent(l))
    if ((*this)[l].branches_at(addr)) return true;
  return false;
}

}  // namespace cdr::regions

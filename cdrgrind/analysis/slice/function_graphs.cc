// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/function_graphs.h"

#include <algorithm>
#include <utility>

namespace cdr::slice {
namespace {

// A larger function is not looked at; none in Debian's programs is.
constexpr size_t kMostInsns = 1 << 17;
// No more code is looked at for where branches meet.
constexpr size_t kMostJoined = 1 << 22;

void add_unique(std::vector<uint64_t>& to, uint64_t addr) {
  if (std::find(to.begin(), to.end(), addr) == to.end()) to.push_back(addr);
}

uint64_t behind(const Superblock& sb, const Exit& exit) {
  return exit.insns == 0 ? sb.addr : sb.insn_addr(exit.insns - 1u) + sb.insns[exit.insns - 1u].length;
}

}  // namespace

bool is_choice(const Exit& exit) {
  return exit.guard == ExitGuard::kCondition || exit.guard == ExitGuard::kRepeat ||
         (exit.guard == ExitGuard::kAlways && exit.kind == ExitKind::kIndirectJump);
}

FunctionGraphs::FunctionGraphs(const BlockTable& blocks, const JumpTargets& targets, CodeBytes& code)
    : blocks_(blocks), targets_(targets), code_(code), decoder_(code) {
  for (uint32_t id = 1; id <= blocks.superblock_count(); ++id) {
    const Superblock& sb = blocks.superblock(SuperblockId(id));
    starts_.insert(sb.addr);
    if (sb.flags & kBlockFunctionEntry) entries_.insert(sb.addr);
  }
  // Blocks are there from their first execution on.
  std::vector<uint32_t> executed(blocks.superblock_count() + 1);
  for (uint32_t id = 1; id <= blocks.block_count(); ++id) {
    uint32_t& most = executed[blocks.block(BlockId(id)).superblock.value];
    most = std::max(most, uint32_t{blocks.exit_of(BlockId(id)).insns_executed()});
  }
  for (uint32_t id = 1; id <= blocks.superblock_count(); ++id) add(SuperblockId(id), executed[id]);
}

void FunctionGraphs::add(SuperblockId id, uint32_t executed) {
  const Superblock& sb = blocks_.superblock(id);
  for (uint32_t i = 0; i < sb.insns.size(); ++i) {
    Node& n = node(sb.insn_addr(i));
    n.module = sb.module;
    n.ran |= i < executed;
    if (i + 1 < sb.insns.size()) add_unique(n.next, sb.insn_addr(i + 1));
  }
  if (!sb.insns.empty())
    for (uint16_t e = 0; e < sb.exits.size(); ++e) add_exit(id, e);
}

void FunctionGraphs::add_exit(SuperblockId id, uint16_t number) {
  const Superblock& sb = blocks_.superblock(id);
  const Exit& exit = sb.exits[number];
  const uint64_t ip = exit_addr(sb, exit);
  if (is_choice(exit)) exits_[ip].push_back({id, number});
  if (number + 1u == sb.exits.size()) return add_last_exit(sb, exit, id);
  if (is_choice(exit) && exit.target != 0) add_unique(node(ip).next, exit.target);
}

void FunctionGraphs::add_last_exit(const Superblock& sb, const Exit& exit, SuperblockId id) {
  Node& n = node(exit_addr(sb, exit));
  for (const uint64_t t : targets_.landings(id)) add_unique(n.next, t);
  switch (exit.kind) {
    case ExitKind::kFallThrough:
    case ExitKind::kBranch:
      return add_unique(n.next, exit.target);
    case ExitKind::kReturn:
    case ExitKind::kFault:
    case ExitKind::kUndecodable:
      n.leaves = true;
      return;
    case ExitKind::kIndirectJump: {
      const auto targets = targets_.jump_targets(id);
      n.computed = true;
      for (const uint64_t t : targets) add_unique(n.next, t);
      // A tail call through a pointer, but for the linker's own: it decides about what is called.
      const bool call = std::any_of(targets.begin(), targets.end(), [&](uint64_t t) { return entries_.count(t) != 0; });
      n.leaves |= targets.empty() || (call && !(sb.flags & kBlockPlt));
      return;
    }
    case ExitKind::kCall:
    case ExitKind::kIndirectCall: {
      const uint64_t next = behind(sb, exit);
      const AfterCall after = code_.after_call(sb.module, exit.target, starts_.count(next) ? 0 : next);
      n.leaves |= after == AfterCall::kElsewhere && targets_.landings(id).empty();
      if (after == AfterCall::kBehind) add_unique(n.next, next);
      return;
    }
    default:
      return add_unique(n.next, behind(sb, exit));
  }
}

// The first superblocks of the module will do: another file differs all over.
bool FunctionGraphs::is_what_ran(ModuleId module) {
  const auto [known, is_new] = is_what_ran_.try_emplace(module, true);
  if (!is_new) return known->second;
  constexpr uint32_t kEnough = 64;
  uint32_t looked_at = 0;
  for (uint32_t id = 1; id <= blocks_.superblock_count() && looked_at < kEnough && known->second; ++id) {
    const Superblock& sb = blocks_.superblock(SuperblockId(id));
    if (sb.module != module) continue;
    ++looked_at;
    for (uint32_t i = 0; i < sb.insns.size() && known->second; ++i) {
      const auto insn = decoder_.decode(module, sb.insn_addr(i));
      known->second = insn && insn->length == sb.insns[i].length;
    }
  }
  return known->second;
}

FunctionGraphs::Node& FunctionGraphs::node(uint64_t addr) {
  const auto [index, is_new] = index_.insert(addr);
  if (is_new) {
    *index = static_cast<uint32_t>(nodes_.size());
    Node& n = nodes_.emplace_back();
    n.addr = addr;
    n.is_entry = entries_.count(addr) != 0;
  }
  return nodes_[*index];
}

uint32_t FunctionGraphs::node_at(uint64_t addr, ModuleId module) {
  if (const uint32_t* const known = index_.find(addr)) return *known;
  if (!is_what_ran(module)) return 0;
  const auto insn = decoder_.decode(module, addr);
  if (!insn) return 0;
  Node& n = node(addr);
  n.module = module;
  if (insn->flow == DecodedInsn::Flow::kConditional || insn->flow == DecodedInsn::Flow::kJump)
    n.next.push_back(insn->target);
  const auto after = insn->calls ? code_.after_call(module, insn->target, addr + insn->length) : AfterCall::kBehind;
  if (insn->flow == DecodedInsn::Flow::kConditional ||
      (insn->flow == DecodedInsn::Flow::kNext && after == AfterCall::kBehind))
    add_unique(n.next, addr + insn->length);
  n.leaves = insn->flow == DecodedInsn::Flow::kLeaves || after == AfterCall::kElsewhere;
  return static_cast<uint32_t>(nodes_.size() - 1);
}

FunctionGraphs::Walk FunctionGraphs::walk(uint64_t entry, TailCalls tail_calls) {
  Walk w;
  ++walks_;
  FlatMap<uint64_t, bool> unknown;
  // A way to an instruction: `link` of node `from`.
  struct Way {
    uint64_t addr;
    ModuleId module;
    uint32_t node, from, link;
  };
  std::vector<Way> open = {{entry, ModuleId(), 0, 0, 0}};
  while (!open.empty() && w.nodes.size() + unknown.size() < kMostInsns) {
    Way way = open.back();
    open.pop_back();
    if (!way.node) {
      if (unknown.find(way.addr)) continue;
      way.node = node_at(way.addr, way.module);
      if (!way.node) {
        unknown.insert(way.addr);
        continue;
      }
      if (way.from) nodes_[way.from].links[way.link] = way.node;
    }
    Node& n = nodes_[way.node];
    if (std::exchange(n.walk, walks_) == walks_) continue;
    w.nodes.push_back(way.node);
    n.links.resize(n.next.size());
    for (uint32_t l = 0; l < n.next.size(); ++l) {
      const uint32_t to = n.links[l];
      const auto is_entry = [&] { return to ? nodes_[to].is_entry : entries_.count(n.next[l]) != 0; };
      if (tail_calls == TailCalls::kGoOn || n.next[l] == entry || !is_entry())
        open.push_back({n.next[l], n.module, to, way.node, l});
    }
  }
  w.weak = !open.empty() || !unknown.empty();
  std::sort(w.nodes.begin(), w.nodes.end(), [&](uint32_t a, uint32_t b) { return nodes_[a].addr < nodes_[b].addr; });
  for (uint32_t i = 0; i < w.nodes.size(); ++i) nodes_[w.nodes[i]].number = i + 1;
  return w;
}

InsnGraph FunctionGraphs::graph_of(uint64_t entry, TailCalls tail_calls) {
  const Walk w = walk(entry, tail_calls);
  InsnGraph made{{0}, FlowGraph(static_cast<uint32_t>(w.nodes.size())), {}, {false}, w.weak};
  for (uint32_t i = 1; i <= w.nodes.size(); ++i) {
    const Node& n = nodes_[w.nodes[i - 1]];
    made.addrs.push_back(n.addr);
    for (size_t l = 0; l < n.next.size(); ++l) {
      uint32_t to = n.links[l];
      if (!to)
        if (const uint32_t* const known = index_.find(n.next[l])) to = *known;
      made.graph.add_edge(i, to && nodes_[to].walk == walks_ ? nodes_[to].number : 0);
    }
    if (n.leaves) made.graph.add_edge(i, 0);
    if (n.computed) made.computed.push_back(i);
    made.ran.push_back(n.ran);
  }
  return made;
}

FunctionGraphs::Code FunctionGraphs::code_of(uint64_t entry, TailCalls tail_calls) {
  const Walk w = walk(entry, tail_calls);
  Code code;
  code.weak = w.weak;
  for (const uint32_t i : w.nodes) {
    code.addrs.push_back(nodes_[i].addr);
    code.computed |= nodes_[i].computed;
  }
  return code;
}

Branches FunctionGraphs::branches(uint64_t entry, uint64_t ip) {
  const auto [known, is_new] = dependences_.try_emplace(entry);
  Function& f = known->second;
  if (is_new) f = dependences(entry);
  const auto on = f.on.find(ip);
  return {on == f.on.end() ? std::span<const uint64_t>() : on->second, f.weak};
}

FunctionGraphs::Function FunctionGraphs::dependences(uint64_t entry) {
  Function f;
  const InsnGraph made = graph_of(entry, TailCalls::kGoOn);
  const auto& addrs = made.addrs;
  f.weak = made.weak;
  const auto on = made.graph.control_dependence();
  for (uint32_t i = 1; i < addrs.size(); ++i)
    for (const uint32_t u : on[i]) f.on[addrs[i]].push_back(addrs[u]);
  return f;
}

void FunctionGraphs::join_all(uint64_t entry) {
  if (numbers_.find(entry)) return;
  struct Found {
    uint64_t addr = 0;
    const Node* node = nullptr;
  };
  std::vector<Found> found;
  std::vector<std::pair<uint64_t, ModuleId>> open = {{entry, ModuleId()}};
  while (!open.empty()) {
    const auto [addr, module] = open.back();
    open.pop_back();
    const auto [number, is_new] = numbers_.insert(addr);
    if (!is_new) continue;
    const uint32_t node = joins_.size() + found.size() < kMostJoined ? node_at(addr, module) : 0;
    if (!node) continue;
    const Node* const n = &nodes_[node];
    found.push_back({addr, n});
    for (const uint64_t next : n->next)
      if (!numbers_.find(next)) open.push_back({next, n->module});
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.addr < b.addr; });
  for (uint32_t i = 0; i < found.size(); ++i) numbers_[found[i].addr] = joins_.size() + i;
  std::vector<CodeJoins::NewNode> added(found.size());
  for (uint32_t i = 0; i < found.size(); ++i) {
    CodeJoins::NewNode& to = added[i];
    to.addr = found[i].addr;
    const auto lead_to = [&](uint32_t n) {
      if (std::find(to.next.begin(), to.next.end(), n) == to.next.end()) to.next.push_back(n);
    };
    for (const uint64_t next : found[i].node->next) {
      const uint32_t n = numbers_[next];
      to.weak |= n == CodeJoins::kExit;
      lead_to(n);
    }
    if (found[i].node->leaves) lead_to(CodeJoins::kExit);
  }
  std::vector<uint32_t> numbers;
  joins_.add(added, numbers);
  addrs_.resize(joins_.size());
  for (uint32_t i = 0; i < found.size(); ++i) {
    numbers_[found[i].addr] = numbers[i];
    addrs_[numbers[i]] = found[i].addr;
  }
}

uint32_t FunctionGraphs::number_in(uint64_t entry, uint64_t ip) {
  join_all(entry);
  const uint32_t from = *numbers_.find(entry);
  const uint32_t* const n = numbers_.find(ip);
  return from != CodeJoins::kExit && n && *n != CodeJoins::kExit && joins_.leads_to(from, *n) ? *n : CodeJoins::kExit;
}

std::optional<Region> FunctionGraphs::region(uint64_t entry, uint64_t ip) {
  const uint32_t branch = number_in(entry, ip);
  if (!joins_.is_branch(branch)) return std::nullopt;
  return Region{addrs_[joins_.join(branch)], joins_.weak(*numbers_.find(entry))};
}

bool FunctionGraphs::in_region(uint64_t entry, uint64_t branch, uint64_t ip) {
  const uint32_t from = number_in(entry, branch);
  const uint32_t* const to = numbers_.find(ip);
  if (!joins_.is_branch(from) || !to || *to == CodeJoins::kExit) return false;
  const auto [region, is_new] = regions_.try_emplace(from);
  if (is_new) region->second = joins_.led_to(from, joins_.join(from));
  return *to < region->second.size() && region->second[*to];
}

std::span<const ExitAt> FunctionGraphs::exits_at(uint64_t ip) const {
  const auto e = exits_.find(ip);
  return e == exits_.end() ? std::span<const ExitAt>() : e->second;
}

}  // namespace cdr::slice

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/patterns/near_use.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace cdr::patterns {
namespace {

// A piece of code, both ends included.
struct Extent {
  CodeAddr first;
  uint64_t last = 0;
  bool contains(CodeAddr at) const { return at.module == first.module && first.addr <= at.addr && at.addr <= last; }
  auto operator<=>(const Extent&) const = default;
};

// Loops of the code as jumps backwards show them, and calls. A function ends where the next one begins that was
// executed.
class CodeExtents {
 public:
  explicit CodeExtents(const BlockTable& blocks) {
    for (uint32_t i = 1; i <= blocks.superblock_count(); ++i) {
      const Superblock& sb = blocks.superblock(SuperblockId(i));
      if (sb.flags & kBlockFunctionEntry) entries_.insert({sb.module, sb.addr});
    }
    for (uint32_t i = 1; i <= blocks.superblock_count(); ++i) {
      const Superblock& sb = blocks.superblock(SuperblockId(i));
      for (uint32_t n = 1; n < sb.insns.size(); ++n) went(sb.module, sb.insn_addr(n - 1), sb.insn_addr(n));
    }
    for (uint32_t i = 1; i <= blocks.block_count(); ++i) {
      const Superblock& sb = blocks.superblock_of(BlockId(i));
      const Exit& exit = blocks.exit_of(BlockId(i));
      const uint64_t from = exit_addr(sb, exit);
      if (is_call(exit.kind))
        calls_[{sb.module, from}].insert(exit.kind == ExitKind::kCall ? exit.target : 0);
      else if (exit.target != 0)
        went(sb.module, from, exit.target);
    }
  }

  std::optional<Extent> innermost_loop(CodeAddr at) const {
    std::optional<Extent> best;
    for (const auto& [first, last] : loops_) {
      const Extent e = {first, last};
      if (e.contains(at) && (!best || last - first.addr < best->last - best->first.addr)) best = e;
    }
    return best;
  }
  // The loop and all functions that it calls; empty: it is not known which.
  std::vector<Extent> with_calls(const Extent& loop) const {
    std::vector<Extent> all = {loop};
    for (size_t i = 0; i < all.size(); ++i) {
      const Extent from = all[i];
      for (auto call = calls_.lower_bound(from.first); call != calls_.end() && from.contains(call->first); ++call)
        for (const uint64_t target : call->second) {
          if (target == 0) return {};
          const Extent called = function_at({from.first.module, target});
          if (std::find(all.begin(), all.end(), called) == all.end()) all.push_back(called);
        }
    }
    return all;
  }

 private:
  void went(ModuleId module, uint64_t from, uint64_t to) {
    if (to >= from) return;  // an instruction that repeats itself is no loop
    const auto entry = entries_.upper_bound({module, to});
    if (entry != entries_.end() && entry->module == module && entry->addr <= from) return;  // between functions
    uint64_t& last = loops_[{module, to}];
    last = std::max(last, from);
  }
  Extent function_at(CodeAddr at) const {
    const auto next = entries_.upper_bound(at);
    return {at, next == entries_.end() || next->module != at.module ? ~uint64_t{0} : next->addr - 1};
  }

  std::set<CodeAddr> entries_;
  std::map<CodeAddr, uint64_t> loops_;            // by their first instruction: the last
  std::map<CodeAddr, std::set<uint64_t>> calls_;  // 0: of something not known
};

class Uses {
 public:
  explicit Uses(const std::vector<AccessPattern>& all) : all_(all) {}

  const Footprint& of(const std::vector<Extent>& code) {
    const auto [known, is_new] = known_.try_emplace(code);
    if (!is_new) return known->second;
    for (const AccessPattern& p : all_)
      if (code.empty() || std::any_of(code.begin(), code.end(), [&](const Extent& e) { return e.contains(p.ip); }))
        known->second.add(p.footprint);
    return known->second;
  }

 private:
  const std::vector<AccessPattern>& all_;
  std::map<std::vector<Extent>, Footprint> known_;
};

}  // namespace

void find_near_use(const BlockTable& blocks, std::vector<AccessPattern>& all) {
  const CodeExtents code(blocks);
  Uses uses(all);
  for (AccessPattern& p : all) {
    if (!p.is_large() || p.uses_its_lines()) continue;
    const std::optional<Extent> loop = code.innermost_loop(p.ip);
    const Footprint& near = uses.of(loop ? code.with_calls(*loop) : std::vector<Extent>());
    p.near_bytes = near.bytes_in_lines_of(p.footprint);
  }
}

}  // namespace cdr::patterns

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/patterns/charged_accesses.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/replay.h"

namespace cdr::patterns {
namespace {

using analysis::Whose;

class Charger {
 public:
  Charger(const trace::TraceFile& file, const std::vector<AccessPattern>& all)
      : blocks_(file.blocks()), all_(all), counted_(blocks_.superblock_count() + size_t{1}) {}

  // So many executions.
  void block(const Event& e, Whose whose, CodeAddr call, uint64_t times) {
    const trace::Extent done = trace::extent_of(e, blocks_);
    const SuperblockId id = blocks_.block(e.block).superblock;
    const std::vector<bool>& counted = counted_in(id);
    uint64_t accesses = 0;
    for (size_t i = 0; i < done.accesses.size(); ++i) accesses += counted[i] && happened(done.accesses[i], e.words);
    if (accesses == 0) return;
    (whose == Whose::kForProgram ? result.charged[{call, id}] : result.left_out) += accesses * times;
  }

  ChargedAccesses result;

 private:
  // By access.
  const std::vector<bool>& counted_in(SuperblockId id) {
    auto& known = counted_[id.value];
    if (known) return *known;
    known.emplace();
    const Superblock& sb = blocks_.superblock(id);
    for (const Access& a : sb.accesses) known->push_back(is_counted({sb.module, sb.insn_addr(a.insn)}, a.store()));
    return *known;
  }
  bool is_counted(CodeAddr ip, bool store) const {
    const auto found =
        std::lower_bound(all_.begin(), all_.end(), std::tie(ip, store),
                         [](const AccessPattern& p, const auto& key) { return std::tie(p.ip, p.store) < key; });
    return found != all_.end() && found->ip == ip && found->store == store && found->accesses != 0;
  }

  const BlockTable& blocks_;
  const std::vector<AccessPattern>& all_;
  std::vector<std::optional<std::vector<bool>>> counted_;  // by superblock
};

}  // namespace

ChargedAccesses charge_accesses(const trace::TraceFile& file, const std::vector<AccessPattern>& all,
                                analysis::ProgramPart& part, analysis::WatchedPart& watched) {
  Charger charger(file, all);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e) && watched.goes_on(cursor.index());) {
    const Whose whose = part.see(e);
    if (e.kind != EventKind::kBlock && e.kind != EventKind::kPartial) continue;
    uint64_t more = e.kind == EventKind::kBlock ? cursor.repeats() : 0;
    if (whose != Whose::kOwn) {
      if (more != 0 && !trace::all_accesses_happen(e, file.blocks())) more = 0;
      charger.block(e, whose, whose == Whose::kForProgram ? part.call(e.thread) : CodeAddr(), more + 1);
    }
    cursor.pass(more);
  }
  return std::move(charger.result);
}

}  // namespace cdr::patterns

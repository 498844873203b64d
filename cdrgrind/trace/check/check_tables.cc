// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/check_tables.h"

#include <algorithm>

namespace cdr::trace {
namespace {

// Checks one superblock; every complaint names it.
class SuperblockCheck {
 public:
  SuperblockCheck(uint32_t id, const Superblock& sb, CheckReport& report) : id_(id), sb_(sb), report_(report) {}

  void all(const ModuleTable& modules) {
    insns();
    prefixes();
    guards();
    slots();
    accesses();
    if (sb_.module && !inside(modules[sb_.module].text))
      bad("module-text-contains-block", "not in the text of module " + std::to_string(sb_.module.value));
  }

 private:
  void bad(std::string_view invariant, const std::string& what) {
    report_.add(invariant, Violation::kInTables,
                "superblock " + std::to_string(id_) + " at " + hex(sb_.addr) + ": " + what);
  }

  bool inside(const AddrRange& text) const {
    return text.begin <= sb_.addr && sb_.addr <= text.end && sb_.length <= text.end - sb_.addr;
  }

  void insns() {
    uint64_t end = 0;
    for (size_t i = 0; i < sb_.insns.size(); ++i) {
      const Insn& insn = sb_.insns[i];
      const bool fits = insn.offset >= end && insn.offset + uint64_t{insn.length} <= sb_.length;
      if (!fits) return bad("insns-ascending", "instruction " + std::to_string(i));
      end = insn.offset + uint64_t{insn.length};
    }
  }

  // Entries before the exit belong to its instructions, those behind it to its last one or later ones.
  template <class List>
  bool split_at(const List& list, size_t count, uint16_t insns) const {
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0 && list[i].insn < list[i - 1].insn) return false;
      if (i < count ? list[i].insn >= insns : list[i].insn + 1 < insns) return false;
    }
    return true;
  }

  void prefixes() {
    Exit before;
    for (size_t i = 0; i < sb_.exits.size(); ++i) {
      const Exit& e = sb_.exits[i];
      const bool rises = e.insns >= before.insns && e.accesses >= before.accesses && e.words >= before.words &&
                         e.sp_changes >= before.sp_changes;
      if (!rises || !split_at(sb_.accesses, e.accesses, e.insns) || !split_at(sb_.sp_changes, e.sp_changes, e.insns))
        return bad("prefixes-monotone", "exit " + std::to_string(i));
      before = e;
    }
  }

  void guards() {
    for (size_t i = 0; i < sb_.exits.size(); ++i) {
      const bool last = i + 1 == sb_.exits.size();
      if ((sb_.exits[i].guard == ExitGuard::kAlways) != last)
        return bad("last-exit-always", "exit " + std::to_string(i));
    }
  }

  // A slot may be first used by a change of SP; among accesses the order must hold.
  void slots() {
    std::vector<bool> used(1, true);
    uint16_t highest = 0;
    auto change = sb_.sp_changes.begin();
    for (const Access& a : sb_.accesses) {
      for (; change != sb_.sp_changes.end() && change->insn <= a.insn; ++change)
        if (change->slot != SpChange::kSpAtEntry) use(used, change->slot);
      if (a.slot < used.size() ? !used[a.slot] && a.slot < highest : false) return out_of_order(a.slot);
      highest = std::max(highest, a.slot);
      use(used, a.slot);
    }
    for (; change != sb_.sp_changes.end(); ++change)
      if (change->slot != SpChange::kSpAtEntry) use(used, change->slot);
    const auto hole = std::find(used.begin(), used.end(), false);
    const size_t words = sb_.exits.back().words;
    if (hole != used.end()) return out_of_order(static_cast<size_t>(hole - used.begin()));
    if (words + 1 != used.size()) out_of_order(words);
  }
  static void use(std::vector<bool>& used, uint16_t slot) {
    if (slot >= used.size()) used.resize(slot + size_t{1}, false);
    used[slot] = true;
  }
  void out_of_order(size_t slot) { bad("slots-in-order", "slot " + std::to_string(slot)); }

  void accesses() {
    if ((sb_.flags & kBlockShim) && !sb_.accesses.empty()) bad("shim-without-accesses", "it has accesses");
    std::vector<uint32_t> users(size_t{sb_.exits.back().words} + 1);
    for (const Access& a : sb_.accesses)
      if (a.slot < users.size()) ++users[a.slot];
    for (size_t i = 0; i < sb_.accesses.size(); ++i) {
      const Access& a = sb_.accesses[i];
      if (a.width == 0) bad("access-has-width", "access " + std::to_string(i));
      if (a.guarded() && (a.constant != 0 || (a.slot < users.size() && users[a.slot] != 1)))
        bad("guarded-slot-own", "access " + std::to_string(i));
    }
  }

  uint32_t id_;
  const Superblock& sb_;
  CheckReport& report_;
};

}  // namespace

void check_tables(const ModuleTable& modules, const BlockTable& blocks, CheckReport& report) {
  for (uint32_t id = 1; id <= blocks.superblock_count(); ++id)
    SuperblockCheck(id, blocks.superblock(SuperblockId(id)), report).all(modules);
}

}  // namespace cdr::trace

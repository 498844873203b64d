// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/analysis/slice/backward_slice.h"

#include <algorithm>

#include "cdrgrind/analysis/slice/label_flow.h"

namespace cdr::slice {

BackwardSlice::BackwardSlice(const ExecutionLog& log, FunctionGraphs& graphs, const AccessPosition& of)
    : log_(log), graphs_(graphs) {
  start(of);
  run();
}

void BackwardSlice::start(const AccessPosition& of) {
  LogEntryId entry = log_.entry_of(of.event);
  if (entry == 0) return;
  if (of.access != AccessPosition::kWholeEvent) {
    follow_address(entry, of.access, false);
    return push_conditions_of_access(entry, of.access, false);
  }
  while (entry != 0 && log_[entry].kind != LogEntry::Kind::kBlock) entry = log_.entry_before(entry);
  if (entry != 0) push_conditions(entry, log_.exit_ip(entry), log_.exit(log_[entry]) + 1u, false);
}

void BackwardSlice::run() {
  while (!known_.empty() || !weak_.empty()) {
    const bool weak = known_.empty();
    auto& queue = weak ? weak_ : known_;
    const Item item = queue.front();
    queue.pop_front();
    if (item.set == kConditions)
      follow_conditions(item, weak);
    else
      expand(item, weak);
  }
}

void BackwardSlice::push(LogEntryId entry, uint32_t set, bool weak) {
  if (set == 0) return;
  weak |= log_.flow(log_[entry]).set(set).weak;
  (weak ? weak_ : known_).push_back({entry, set});
}

void BackwardSlice::push_conditions(LogEntryId entry, uint64_t ip, uint32_t exits, bool weak) {
  (weak ? weak_ : known_).push_back({entry, kConditions, exits, ip});
}

void BackwardSlice::push_conditions_of_access(LogEntryId entry, uint32_t access, bool weak) {
  const LogEntry& e = log_[entry];
  uint32_t exits = 0;
  if (e.kind == LogEntry::Kind::kBlock)
    while (exits < log_.exit(e) && log_.superblock(e).exits[exits].accesses <= access) ++exits;
  push_conditions(entry, ip_of(entry, access), exits, weak);
}

void BackwardSlice::push_conditions_of_exit(LogEntryId entry, uint32_t exit, bool weak) {
  const Superblock& sb = log_.superblock(log_[entry]);
  push_conditions(entry, exit_addr(sb, sb.exits[exit]), exit, weak);
}

void BackwardSlice::expand(const Item& item, bool weak) {
  if (!sets_seen_.insert(uint64_t{item.entry} << 32 | item.set).second) return;
  for (const FlowInput& i : log_.flow(log_[item.entry]).set(item.set).inputs) {
    if (i.is_load())
      follow_load(item.entry, i.first, weak);
    else
      follow_register(item.entry, i.piece(), weak);
  }
}

void BackwardSlice::follow_register(LogEntryId entry, StatePiece piece, bool weak) {
  const uint32_t reg = register_of(piece.offset);
  if (guest_register(reg).offset == kStateRsp) return;
  const ThreadId thread = log_[entry].thread;
  uint64_t missing = piece.size == 64 ? ~uint64_t{0} : (uint64_t{1} << piece.size) - 1;
  while (missing != 0 && entry != 0) {
    const LogEntryId writer = log_.last_writer(thread, reg, entry);
    if (writer == 0) return;
    entry = follow_writer(writer, piece, missing, weak);
  }
}

LogEntryId BackwardSlice::follow_writer(LogEntryId writer, StatePiece piece, uint64_t& missing, bool weak) {
  const LogEntry& e = log_[writer];
  if (e.kind == LogEntry::Kind::kSignalEnd) return e.begin;
  if (e.kind != LogEntry::Kind::kBlock) return 0;
  const uint16_t taken = log_.exit(e);
  if (written_by_kernel(log_.superblock(e).exits[taken].kind, piece.offset)) {
    push_conditions_of_exit(writer, taken, weak);
    return 0;
  }
  const Dataflow& flow = log_.flow(e);
  const bool shim = log_.superblock(e).flags & kBlockShim;
  const auto writes = flow.writes.first(flow.exits[taken].writes);
  for (size_t n = writes.size(); n-- > 0 && missing != 0;) {
    const StateWrite& w = writes[n];
    uint64_t mine = 0;
    for (uint32_t at = std::max(w.piece.offset, piece.offset); at < std::min(w.piece.end(), piece.end()); ++at)
      mine |= uint64_t{1} << (at - piece.offset);
    if (!(missing & mine)) continue;
    // A wrapper's accesses are not recorded: it gives back what it has saved when it began.
    if (shim && is_callee_saved(piece.offset) && flow.set(w.set).weak) return log_.activation(e.activation).first;
    missing &= ~mine;
    push(writer, w.set, weak);
    uint32_t exit = 0;
    while (flow.exits[exit].writes <= n) ++exit;
    if (!is_restored(w, log_.superblock(e), flow)) push_conditions_of_exit(writer, exit, weak);
  }
  return writer;
}

uint64_t BackwardSlice::ip_of(LogEntryId entry, uint32_t access) const {
  const Superblock& sb = log_.superblock(log_[entry]);
  return access < sb.accesses.size() ? sb.insn_addr(sb.accesses[access].insn) : 0;
}

// False if the access is in the slice already.
bool BackwardSlice::reach(LogEntryId entry, uint32_t access, bool weak) {
  return reached_.insert({{log_[entry].event, access}, weak}).second;
}

void BackwardSlice::follow_load(LogEntryId entry, uint32_t access, bool weak) {
  const LogEntry& e = log_[entry];
  const Access& a = log_.superblock(e).accesses[access];
  const auto words = log_.words(e);
  if (access >= e.accesses || !happened(a, words) || !reach(entry, access, weak)) return;
  const uint64_t addr = address_of(a, words);
  std::vector<StoredBy> stores;
  if (!(log_.superblock(e).flags & kBlockPlt)) log_.last_stores({addr, addr + a.width}, entry, access, stores);
  for (const StoredBy& s : stores) follow_store(s, weak);
  // What a callee gives back follows from what it was alone.
  if (!(a.flags & kAccessLinkage)) follow_address(entry, access, weak);
}

void BackwardSlice::follow_store(const StoredBy& s, bool weak) {
  const bool other = s.access == StoredBy::kOther;
  if (!reach(s.entry, other ? AccessPosition::kWholeEvent : s.access, weak) || other) return;
  const LogEntry& e = log_[s.entry];
  push(s.entry, log_.flow(e).accesses[s.access].value, weak);
  // What a callee saves for its caller it also gives back: only the value goes on.
  if (log_.superblock(e).accesses[s.access].flags & kAccessLinkage) return;
  follow_address(s.entry, s.access, weak);
  push_conditions_of_access(s.entry, s.access, weak);
}

void BackwardSlice::follow_address(LogEntryId entry, uint32_t access, bool weak) {
  const Dataflow& flow = log_.flow(log_[entry]);
  const Access& a = log_.superblock(log_[entry]).accesses[access];
  if (a.slot != 0) push(entry, flow.slots[a.slot - 1u], weak);
  push(entry, flow.accesses[access].guard, weak);
}

void BackwardSlice::follow_conditions(const Item& item, bool weak) {
  if (!conditions_seen_.insert({item.entry, uint64_t{item.exits} << 48 ^ item.ip}).second) return;
  const Activation& a = log_.activation(log_[item.entry].activation);
  if (a.entry == 0) return;
  const Branches on = graphs_.branches(a.entry, item.ip);
  for (const uint64_t ip : on.at) follow_branch(item, ip, weak || on.weak);
  follow_call(item, weak);
}

// The last time that the exit was looked at in the item's activation before the item.
std::optional<LogEntryId> BackwardSlice::evaluation(const Item& item, const ExitAt& at) {
  const LogEntry& here = log_[item.entry];
  LogEntryId before = item.entry;
  if (here.kind == LogEntry::Kind::kBlock && log_.superblock_id(here) == at.superblock && at.exit < item.exits)
    return item.entry;
  while (true) {
    before = log_.last_execution(at.superblock, here.activation, before);
    if (before == 0) return std::nullopt;
    const LogEntry& e = log_[before];
    if (e.kind == LogEntry::Kind::kBlock && at.exit <= log_.exit(e)) return before;
  }
}

bool BackwardSlice::is_behind(uint64_t join, LogEntryId from, uint32_t exit, const Item& item) const {
  for (LogEntryId id = from; id <= item.entry; ++id) {
    const LogEntry& e = log_[id];
    if (e.activation != log_[from].activation) continue;
    if (e.kind != LogEntry::Kind::kBlock && e.kind != LogEntry::Kind::kPartial) continue;
    const Superblock& sb = log_.superblock(e);
    const uint64_t first = id == from ? exit_addr(sb, sb.exits[exit]) + 1 : 0;
    const uint64_t last = id == item.entry ? item.ip : exit_addr(sb, sb.exits[log_.exit(e)]);
    for (uint32_t i = 0; i < sb.insns.size(); ++i)
      if (sb.insn_addr(i) == join && first <= join && join <= last) return true;
  }
  return false;
}

void BackwardSlice::follow_branch(const Item& item, uint64_t ip, bool weak) {
  LogEntryId last = 0;
  uint16_t exit = 0;
  for (const ExitAt& at : graphs_.exits_at(ip))
    if (const auto e = evaluation(item, at); e && *e >= last) last = *e, exit = at.exit;
  if (last == 0) return;
  const auto region = graphs_.region(log_.activation(log_[item.entry].activation).entry, ip);
  if (!region || is_behind(region->join, last, exit, item)) return;
  if (!branches_seen_.insert({last, ip}).second) return;
  push(last, log_.flow(log_[last]).exits[exit].condition, weak);
  push_conditions_of_exit(last, exit, weak);
}

// The conditions of the call that made the activation, and where a dynamic call went.
void BackwardSlice::follow_call(const Item& item, bool weak) {
  const Activation& a = log_.activation(log_[item.entry].activation);
  if (a.signal || a.call == 0 || log_[a.call].kind != LogEntry::Kind::kBlock) return;
  const LogEntry& call = log_[a.call];
  const Exit& exit = log_.superblock(call).exits[log_.exit(call)];
  if (exit.kind == ExitKind::kIndirectCall) push(a.call, log_.flow(call).exits[log_.exit(call)].condition, weak);
  push_conditions_of_exit(a.call, log_.exit(call), weak);
}

BackwardSlice::Found BackwardSlice::find(const AccessPosition& access) const {
  const auto r = reached_.find(access);
  return r == reached_.end() ? Found::kNot : r->second ? Found::kWeak : Found::kKnown;
}

}  // namespace cdr::slice

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/backward_slice.h"

#include <algorithm>

namespace cdr::slice {
namespace {

constexpr uint32_t kAllAccesses = ~uint32_t{0};

// rbx, rbp, r12 … r15.
bool callee_saved(uint32_t offset) {
  const uint32_t r = offset / 8 * 8;
  return r == kStateRbx || r == kStateRbp || (r >= kStateR12 && r <= kStateR15);
}

}  // namespace

BackwardSlice::BackwardSlice(const ExecutionLog& log, FunctionGraphs& graphs, const AccessPosition& of,
                             uint64_t horizon, SliceBudget& budget)
    : log_(log), graphs_(graphs), horizon_(horizon), budget_(budget), nodes_(1) {
  start(of);
  run();
}

void BackwardSlice::start(const AccessPosition& of) {
  LogEntryId entry = log_.entry_of(of.event);
  if (entry == 0) return;
  if (of.access != AccessPosition::kWholeEvent) {
    const uint32_t node = reach(FlowStep::Kind::kAddress, entry, of.access, ip_of(entry, of.access), 0, false);
    follow_address(entry, of.access, node, false);
    return push_conditions(entry, ip_of(entry, of.access), of.access, 0, false);
  }
  while (entry != 0 && log_[entry].kind != LogEntry::Kind::kBlock) entry = log_.entry_before(entry);
  if (entry == 0) return;
  push_conditions(entry, log_.exit_ip(entry), kAllAccesses, 0, false);
}

void BackwardSlice::run() {
  while ((!known_.empty() || !weak_.empty()) && budget_.step()) {
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

void BackwardSlice::push(LogEntryId entry, uint32_t set, uint32_t node, bool weak) {
  if (set == 0 || too_early(entry)) return;
  weak |= log_.flow(log_[entry]).set(set).weak;
  (weak ? weak_ : known_).push_back({entry, set, node});
}

void BackwardSlice::push_conditions(LogEntryId entry, uint64_t ip, uint32_t accesses, uint32_t node, bool weak) {
  if (too_early(entry)) return;
  (weak ? weak_ : known_).push_back({entry, kConditions, node, accesses, ip});
}

void BackwardSlice::expand(const Item& item, bool weak) {
  if (!sets_seen_.insert(uint64_t{item.entry} << 32 | item.set).second) return;
  for (const FlowInput& i : log_.flow(log_[item.entry]).set(item.set).inputs) {
    if (i.is_load())
      follow_load(item.entry, i.first, item.node, weak);
    else
      follow_register(item.entry, i.piece(), item.node, weak);
  }
}

void BackwardSlice::follow_register(LogEntryId entry, StatePiece piece, uint32_t node, bool weak) {
  const uint32_t reg = register_of(piece.offset);
  if (guest_register(reg).offset == kStateRsp) return;
  const ThreadId thread = log_[entry].thread;
  uint64_t missing = piece.size == 64 ? ~uint64_t{0} : (uint64_t{1} << piece.size) - 1;
  while (missing != 0 && budget_.step()) {
    const LogEntryId writer = log_.last_writer(thread, reg, entry);
    if (writer == 0 || too_early(writer)) return;
    entry = follow_writer(writer, piece, missing, node, weak);
    if (entry == 0) return;
  }
}

LogEntryId BackwardSlice::follow_writer(LogEntryId writer, StatePiece piece, uint64_t& missing, uint32_t node,
                                        bool weak) {
  const LogEntry& e = log_[writer];
  if (e.kind == LogEntry::Kind::kSignalEnd) return e.begin;
  if (e.kind != LogEntry::Kind::kBlock) return 0;
  if (log_.written_by_kernel(e, piece.offset)) return 0;
  const Dataflow& flow = log_.flow(e);
  const bool shim = log_.superblock(e).flags & kBlockShim;
  const auto writes = flow.writes.first(flow.exits[log_.exit(e)].writes);
  for (auto w = writes.rbegin(); w != writes.rend() && missing != 0; ++w) {
    uint64_t mine = 0;
    for (uint32_t at = std::max(w->piece.offset, piece.offset); at < std::min(w->piece.end(), piece.end()); ++at)
      mine |= uint64_t{1} << (at - piece.offset);
    if (!(missing & mine)) continue;
    // A wrapper's accesses are not recorded: it gives back what it has saved when it began.
    if (shim && callee_saved(piece.offset) && flow.set(w->set).weak) return log_.activation(e.activation).first;
    missing &= ~mine;
    push(writer, w->set, node, weak);
  }
  return writer;
}

uint64_t BackwardSlice::ip_of(LogEntryId entry, uint32_t access) const {
  const Superblock& sb = log_.superblock(log_[entry]);
  return access < sb.accesses.size() ? sb.insn_addr(sb.accesses[access].insn) : 0;
}

// The new node; 0 if the access is in the slice already.
uint32_t BackwardSlice::reach(FlowStep::Kind kind, LogEntryId entry, uint32_t access, uint64_t ip, uint32_t parent,
                              bool weak) {
  const auto node = static_cast<uint32_t>(nodes_.size());
  const AccessPosition place{log_[entry].event, access};
  if (kind == FlowStep::Kind::kLoad || kind == FlowStep::Kind::kStore)
    if (!reached_.insert({place, {node, weak}}).second) return 0;
  const LogEntry& e = log_[entry];
  nodes_.push_back({parent, {kind, e.thread, place, ip, e.block ? log_.superblock(e).module : ModuleId()}});
  return node;
}

void BackwardSlice::follow_load(LogEntryId entry, uint32_t access, uint32_t parent, bool weak) {
  const LogEntry& e = log_[entry];
  const Access& a = log_.superblock(e).accesses[access];
  const auto words = log_.words(e);
  if (access >= e.accesses || !happened(a, words) || !budget_.step()) return;
  const uint32_t node = reach(FlowStep::Kind::kLoad, entry, access, ip_of(entry, access), parent, weak);
  if (node == 0) return;
  const uint64_t addr = address_of(a, words);
  std::vector<StoredBy> stores;
  budget_.looked(log_.last_stores({addr, addr + a.width}, entry, access, stores));
  for (const StoredBy& s : stores) follow_store(s, node, weak);
  follow_address(entry, access, node, weak);
}

void BackwardSlice::follow_store(const StoredBy& s, uint32_t parent, bool weak) {
  if (too_early(s.entry)) return;
  if (s.access == StoredBy::kOther) {
    reach(FlowStep::Kind::kStore, s.entry, AccessPosition::kWholeEvent, 0, parent, weak);
    return;
  }
  const uint64_t ip = ip_of(s.entry, s.access);
  const uint32_t node = reach(FlowStep::Kind::kStore, s.entry, s.access, ip, parent, weak);
  if (node == 0) return;
  const LogEntry& e = log_[s.entry];
  push(s.entry, log_.flow(e).accesses[s.access].value, node, weak);
  // What a callee saves for its caller it also gives back: only the value goes on.
  if (log_.superblock(e).accesses[s.access].flags & kAccessLinkage) return;
  follow_address(s.entry, s.access, node, weak);
  push_conditions(s.entry, ip, s.access, node, weak);
}

void BackwardSlice::follow_address(LogEntryId entry, uint32_t access, uint32_t node, bool weak) {
  const Dataflow& flow = log_.flow(log_[entry]);
  const Access& a = log_.superblock(log_[entry]).accesses[access];
  if (a.slot != 0) push(entry, flow.slots[a.slot - 1u], node, weak);
  push(entry, flow.accesses[access].guard, node, weak);
}

void BackwardSlice::follow_conditions(const Item& item, bool weak) {
  if (!conditions_seen_.insert({item.entry, item.ip}).second) return;
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
  if (here.kind == LogEntry::Kind::kBlock && log_.superblock_id(here) == at.superblock && at.exit < log_.exit(here) &&
      log_.superblock(here).exits[at.exit].accesses <= item.accesses)
    return item.entry;
  while (!budget_.used_up()) {
    const auto [last, looked] = log_.last_execution(at.superblock, here.activation, before);
    budget_.looked(looked);
    before = last;
    if (before == 0) break;
    const LogEntry& e = log_[before];
    if (e.kind == LogEntry::Kind::kBlock && at.exit <= log_.exit(e)) return before;
  }
  return std::nullopt;
}

void BackwardSlice::follow_branch(const Item& item, uint64_t ip, bool weak) {
  LogEntryId last = 0;
  uint16_t exit = 0;
  for (const ExitAt& at : graphs_.exits_at(ip))
    if (const auto e = evaluation(item, at); e && *e >= last) last = *e, exit = at.exit;
  if (last == 0 || !branches_seen_.insert({last, ip}).second) return;
  const uint32_t node = reach(FlowStep::Kind::kCondition, last, 0, ip, item.node, weak);
  const LogEntry& e = log_[last];
  push(last, log_.flow(e).exits[exit].condition, node, weak);
  push_conditions(last, ip, log_.superblock(e).exits[exit].accesses, node, weak);
}

// The conditions of the call that made the activation, and where a dynamic call went.
void BackwardSlice::follow_call(const Item& item, bool weak) {
  const Activation& a = log_.activation(log_[item.entry].activation);
  if (a.signal || a.call == 0 || log_[a.call].kind != LogEntry::Kind::kBlock) return;
  const LogEntry& call = log_[a.call];
  const Exit& exit = log_.superblock(call).exits[log_.exit(call)];
  const uint64_t ip = log_.exit_ip(a.call);
  if (exit.kind == ExitKind::kIndirectCall && branches_seen_.insert({a.call, ip}).second)
    push(a.call, log_.flow(call).exits[log_.exit(call)].condition,
         reach(FlowStep::Kind::kCondition, a.call, 0, ip, item.node, weak), weak);
  push_conditions(a.call, ip, kAllAccesses, item.node, weak);
}

std::optional<BackwardSlice::Found> BackwardSlice::find(const AccessPosition& access) const {
  const auto r = reached_.find(access);
  if (r == reached_.end()) return std::nullopt;
  Found f;
  f.weak = r->second.weak;
  for (uint32_t n = r->second.node; n != 0; n = nodes_[n].parent) f.reason.push_back(nodes_[n].step);
  std::reverse(f.reason.begin(), f.reason.end());
  return f;
}

}  // namespace cdr::slice

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/call_log.h"

#include "cdrgrind/analysis/regions/register_flow.h"

namespace cdr::regions {
namespace {

bool is_result_piece(const FlowInput& i) { return !i.is_load() && is_result_chunk(static_cast<uint8_t>(i.first / 8)); }

bool has_result(const FlowSet& set) { return std::any_of(set.inputs.begin(), set.inputs.end(), is_result_piece); }

bool is_only_result(const FlowSet& set) {
  return !set.inputs.empty() && std::all_of(set.inputs.begin(), set.inputs.end(), is_result_piece);
}

}  // namespace

bool CallLog::returned(RegionStack& s, const Frame& ended, uint64_t time, uint64_t executed) {
  Frame& caller = s.top();
  caller.system |= ended.system;
  const uint64_t length = executed - ended.executed;
  const bool is_long = length >= kLongCall && caller.function && ended.named && !ended.hidden;
  if (!is_long && !ended.account) return false;
  tape_.next_step();
  const CallMoment at = moment(time, CallMoment::Rank::kTape);
  const AccountIndex account = account_of(caller);
  if (!is_long) {
    tape_.passed_on(at, ended.account, account);
    return false;
  }
  caller.has_long_calls = true;
  OpenCall c;
  c.number = tape_.returned(at, {account, ended.account, length, executed, ended.site,
                                 result_.contexts[caller.context].function, result_.contexts[ended.context].function});
  c.frame = static_cast<uint32_t>(s.frames().size() - 1);
  c.loops = s.loop_count();
  c.start = ended.start;
  c.end = time;
  c.system = ended.system;
  ends_.emplace_back();
  s.last_call = c.number + 1;
  s.open_calls.push_back(std::move(c));
  s.watch_again();
  return true;
}

void CallLog::wait(RegionStack& s, size_t call, uint64_t ip, uint64_t executed, const CallMoment& at) {
  CallEnd& end = ends_[s.open_calls[call].number];
  end.waited = at;
  end.ip = ip;
  end.executed = executed;
  s.open_calls.erase(s.open_calls.begin() + static_cast<std::ptrdiff_t>(call));
  s.watch_again();
}

void CallLog::end_region(RegionStack& s, size_t frame, size_t loops, uint64_t time, uint64_t executed) {
  while (!s.open_calls.empty() && s.open_calls.back().frame >= frame && s.open_calls.back().loops >= loops)
    wait(s, s.open_calls.size() - 1, 0, executed, moment(time));
}

// Whether the function on top is also one of those around it.
bool CallLog::is_recursive(const RegionStack& s) const {
  const CodeAddr function = result_.contexts[s.frames().back().context].function;
  return std::any_of(s.frames().begin(), s.frames().end() - 1,
                     [&](const Frame& f) { return result_.contexts[f.context].function == function; });
}

void CallLog::end_activation(RegionStack& s, uint64_t time, uint64_t executed) {
  const Frame& f = s.top();
  if (!f.account) return;
  tape_.next_step();
  end_region(s, s.frames().size() - 1, 0, time, executed);
  if (!f.has_long_calls || is_recursive(s)) return;
  tape_.ended(moment(time, CallMoment::Rank::kTape),
              {f.account, result_.contexts[f.context].function, executed - f.executed});
}

// What two library functions keep for themselves: an allocator's is for everybody; of output it is said.
bool CallLog::is_harmless(const OpenCall& c, SiteIndex source, SiteIndex target, const CallMoment& at) {
  const auto& contexts = result_.contexts;
  const Context &from = contexts[contexts.site(source).context], &to = contexts[contexts.site(target).context];
  if (!from.library || !to.library) return false;
  const LibraryState state = names_.state_of(to.function);
  if (state != LibraryState::kOutput) return is_for_everybody(state);
  note_output(c, at);
  return true;
}

void CallLog::depends(SiteIndex source, uint64_t time, uint32_t frame, const Now& now, CallMoment::Rank rank) {
  RegionStack& s = *now.stack;
  for (size_t i = s.open_calls.size(); i-- > 0;) {
    const OpenCall& c = s.open_calls[i];
    if (c.frame != frame || !c.made(time)) continue;
    const CallMoment at = moment(now.time, rank);
    if (is_harmless(c, source, now.site, at)) return;
    const bool own = frame + 1 == s.frames().size();
    const uint64_t ip = own ? result_.contexts.ip_of(now.site) : s.frames()[frame + 1].site;
    return wait(s, i, ip, own ? now.time - now.executed_later : s.frames()[frame + 1].executed, at);
  }
}

void CallLog::first_block(RegionStack& s, BlockId block, uint64_t clock, uint64_t executed) {
  copied_.clear();
  tape_.next_step();
  const SuperblockId id = blocks_.block(block).superblock;
  if (!flows_.has(id) || flows_[id].empty()) return;
  const Dataflow& flow = flows_[id];
  const Superblock& sb = blocks_.superblock(id);
  const Exit& exit = blocks_.exit_of(block);
  const uint16_t number = blocks_.block(block).exit;
  const bool is_open = last_is_open(s);
  bool used = false;
  for (uint32_t w = 0; w < exit.words && w < flow.slots.size(); ++w) used |= has_result(flow.set(flow.slots[w]));
  for (uint32_t e = 0; e <= number; ++e) used |= has_result(flow.set(flow.exits[e].condition));
  for (uint32_t a = 0; a < exit.accesses; ++a) {
    used |= has_result(flow.set(flow.accesses[a].guard));
    const FlowSet value = flow.set(flow.accesses[a].value);
    if (!is_only_result(value))
      used |= has_result(value);
    else if (is_open)
      s.open_calls.back().copies.push_back(clock + sb.accesses[a].insn + 1u);
  }
  for (uint32_t w = 0; w < flow.exits[number].writes; ++w) {
    const FlowSet set = flow.set(flow.writes[w].set);
    const auto chunk = static_cast<uint8_t>(flow.writes[w].piece.offset / 8);
    if (register_of_chunk(chunk) == kNoRegister) continue;
    if (is_only_result(set))
      copied_.push_back(chunk);
    else
      used |= has_result(set);
  }
  if (!is_open) return;
  if (used)
    wait(s, s.open_calls.size() - 1, sb.addr, executed, moment(clock));
  else
    s.watch_again();
}

void CallLog::copied_at(RegionStack& s, uint64_t time) {
  if (!last_is_open(s)) return;
  s.open_calls.back().copies.push_back(time);
  s.watch_again();
}

void CallLog::system_used(RegionStack& s, uint8_t use, uint64_t ip, uint64_t time, uint64_t executed) {
  s.top().system |= use;
  tape_.next_step();
  for (size_t i = s.open_calls.size(); i-- > 0;) {
    const OpenCall& c = s.open_calls[i];
    if (use & kUsesOutput & c.system) note_output(c, moment(time));
    if (!(use & ~kUsesOutput & c.system)) continue;
    const bool own = c.frame + 1 == s.frames().size();
    wait(s, i, own ? ip : s.frames()[c.frame + 1].site, own ? executed : s.frames()[c.frame + 1].executed,
         moment(time));
  }
}

}  // namespace cdr::regions

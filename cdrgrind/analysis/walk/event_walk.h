// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a compact trace in true order, as a Cursor does, all events with their words and SP; but of what threads repeat
// it asks first whether it may be passed over, and tells which addresses that has by the grammars of their streams.
//
// Passed over is what has no event but blocks, none of them watched, and calls with their returns, if each of these
// frames lies at one place.
#ifndef CDRGRIND_ANALYSIS_WALK_EVENT_WALK_H
#define CDRGRIND_ANALYSIS_WALK_EVENT_WALK_H

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cdrgrind/analysis/walk/event_stream.h"
#include "cdrgrind/analysis/walk/patience.h"
#include "cdrgrind/analysis/walk/stream_runs.h"
#include "cdrgrind/analysis/walk/symbol_frames.h"
#include "cdrgrind/encode/thread_model.h"
#include "cdrgrind/trace/index/path_walk.h"
#include "cdrgrind/trace/read/address_reader.h"

namespace cdr::analysis {

class EventWalk final : public EventStream, trace::PathWalk::Reader {
 public:
  // Both must outlive it. It walks once.
  EventWalk(trace::Seeker& seeker, const WalkedBlocks& walked);

  const trace::TraceFile& file() const override { return seeker_.file(); }
  uint64_t run(EventReader& reader, uint64_t end) override;
  // f(block, access, some of its addresses) of a passage that the reader is asked about. Returns false if f did, or if
  // they are too many for what is executed, and stops then. Nothing of what lies in bytes that skip(range) does not
  // want, with all that the same instructions of the thread access in the epoch.
  template <class F, class Skip>
  bool addresses(const Passage& p, F f, Skip skip) {
    left_ = kMostRuns * code_->executions * p.copies;
    for (size_t i = 0; i < p.blocks.size(); ++i)
      if (!addresses_of(p.thread, p.blocks[i].block, p.blocks[i].count * p.copies, frame_sps_[code_->frame_of[i]], f,
                        skip))
        return false;
    return true;
  }
  template <class F>
  bool addresses(const Passage& p, F f) {
    return addresses(p, f, [](AddrRange) { return false; });
  }

 private:
  static constexpr uint64_t kMostRuns = 2;  // of an execution
  struct Executions {
    uint64_t begun = 0;   // in the epoch
    uint64_t unread = 0;  // the last of these: their words
  };
  struct Thread {
    ThreadModel model;
    std::vector<Executions> executions;  // by block
  };
  // Of a symbol.
  struct Asked {
    Patience to_pass, to_stand;
    bool again = false;    // the reader wants to be asked to stand for the next copy, too
    uint32_t in_turn = 0;  // copies that came as events, one behind the other
    uint64_t end = 0;      // before which event the last of them ended
  };

  void begin_epoch(uint32_t number, trace::EpochIndex& epoch, const trace::PathShapes& shapes) override;
  void end_epoch() override;
  uint32_t pass(ThreadId thread, uint32_t symbol, uint32_t copies, uint64_t index) override;
  void block(ThreadId thread, BlockId id, uint64_t index) override;
  void follow(const Event& e, uint64_t index) override;
  void event(const Event& e, uint64_t index) override;

  bool goes_on(uint64_t index);
  Thread& thread(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  Executions& executions(Thread& t, BlockId id) {
    if (t.executions.empty()) t.executions.resize(walked_.watched.size());
    return t.executions[id.value];
  }
  Asked& asked(uint32_t symbol);
  uint32_t ask_to_pass(Thread& t, Passage p, Patience& patience);
  uint32_t may_stand_for(Thread& t, const Passage& p);
  bool find_frames(Thread& t, const Passage& p);
  std::optional<uint64_t> pushed(Thread& t, const Passage& p, const SymbolFrames::Frame& f);
  void advance(Thread& t, const Passage& p);
  template <class F, class Skip>
  bool addresses_of(ThreadId thread, BlockId id, uint64_t times, uint64_t frame_sp, F& f, Skip& skip);
  template <class F, class Skip>
  bool addresses_of(ThreadId thread, BlockId id, uint64_t times, uint64_t frame_sp, std::span<const Access> accesses,
                    F& f, Skip& skip);
  // Of all that have their addresses from the stream of the first, in the epoch; empty: not told.
  AddrRange hull_of(const trace::AddressStream& s, uint64_t base, std::span<const Access> accesses);

  trace::Seeker& seeker_;
  const BlockTable& blocks_;
  const WalkedBlocks& walked_;
  EventReader* reader_ = nullptr;
  trace::EpochIndex* epoch_ = nullptr;
  const trace::PathShapes* shapes_ = nullptr;
  BlockModels models_;
  std::optional<SymbolFrames> symbols_;
  std::optional<StreamRuns> runs_;
  std::optional<trace::AddressReader> words_of_;
  std::vector<Thread> threads_;
  const SymbolFrames::Code* code_ = nullptr;  // of what is asked about
  std::vector<uint64_t> frame_sps_;           // by number of a frame of it
  size_t left_ = 0;                           // runs of addresses that may come
  std::vector<uint64_t> words_;
  std::vector<Progression> moved_;
  uint32_t standing_for_ = 1;  // copies: the events before `standing_end_`
  uint64_t standing_end_ = 0;
  std::vector<Asked> asked_rules_, asked_stretches_;
  std::optional<uint64_t> ended_at_;  // by the reader
};

template <class F, class Skip>
bool EventWalk::addresses_of(ThreadId thread, BlockId id, uint64_t times, uint64_t frame_sp, F& f, Skip& skip) {
  const auto accesses = blocks_.superblock_of(id).accesses.first(blocks_.exit_of(id).accesses);
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access& a = accesses[i];
    if (a.width == 0) continue;
    if (a.slot == 0) {
      const Progression one{static_cast<uint64_t>(a.constant), 0, 1, a.width, times};
      if (!f(id, a, std::span(&one, 1))) return false;
      continue;
    }
    const auto same = [&](const Access& other) { return other.slot == a.slot && other.width != 0; };
    if (std::any_of(accesses.begin(), accesses.begin() + static_cast<ptrdiff_t>(i), same)) continue;
    if (!addresses_of(thread, id, times, frame_sp, accesses.subspan(i), f, skip)) return false;
  }
  return true;
}

// Of all that have their addresses from the stream of the first.
template <class F, class Skip>
bool EventWalk::addresses_of(ThreadId thread, BlockId id, uint64_t times, uint64_t frame_sp,
                             std::span<const Access> accesses, F& f, Skip& skip) {
  const uint16_t slot = accesses.front().slot;
  const trace::AddressStream& s = epoch_->streams_of(thread, id)[slot - 1u];
  const uint64_t base = s.relative() ? frame_sp : 0;
  const AddrRange all = hull_of(s, base, accesses);
  if (!all.empty() && skip(all)) return true;
  const uint64_t begun = executions(threads_[thread.value], id).begun;
  const uint64_t begin = epoch_->addresses().values_before(s, begun);
  const uint64_t end = epoch_->addresses().values_before(s, begun + times);
  bool goes_on = true;
  const auto tell = [&](std::span<const Progression> part) {
    left_ -= std::min(left_, part.size());
    for (const Access& a : accesses) {
      if (!goes_on || a.slot != slot || a.width == 0) continue;
      moved_.clear();
      for (const Progression& p : part) moved_.push_back(moved(p, base + static_cast<uint64_t>(a.constant), a.width));
      goes_on = f(id, a, std::span<const Progression>(moved_));
    }
  };
  // Few at first, for it may be over soon.
  uint64_t most = 256;
  for (uint64_t now = begin; now != end && goes_on && left_ > 0; most *= 4) {
    const uint64_t next = now + std::min(most, end - now);
    runs_->for_each_part(s, now, next, tell);
    now = next;
  }
  return goes_on && left_ > 0;
}

}  // namespace cdr::analysis

#endif

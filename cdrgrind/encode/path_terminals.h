// SPDX-License-Identifier: GPL-2.0-or-later
// The alphabet of a thread's control path. A terminal is a stretch, or an event that stands between two
// stretches; what such an event says beside its kind stands in the event log, at the same place in the true order.
//
//     0            the call that is bound to follow comes here (behind a stretch that is not bare it comes at once,
//                  and is no terminal)
//     1 … 41       an event of this kind (1, Block: a block with another number of words than its exit says)
//     42 … 57      SyncEnter and SyncLeave of operation 64 + (t - 42) / 2
//     62           the return that is bound to follow comes here
//     63           no event: the next block gives its frame a name, which cannot be seen from what stands around it
//     64 … 127     Pop of 1 … 64 frames: all is said
//     128 … 255    SyncEnter and SyncLeave of operation (t - 128) / 2
//     256 …        stretch t - 255
//
// Where the path is predicted (encode/path_predictor.h), not stretches but blocks are its symbols, and some numbers
// have a meaning there only:
//
//     59           no event: the next block gives its frame, which has one, another name
//     60           no event: the call or return that is bound to follow the next block does not come at once
//     61           no event: from here on the paths of all threads are in the grammar again
//     256 …        block s - 255
#ifndef CDRGRIND_ENCODE_PATH_TERMINALS_H
#define CDRGRIND_ENCODE_PATH_TERMINALS_H

#include <cstdint>

#include "cdrgrind/base/event.h"

namespace cdr {

constexpr uint32_t kCallTerminal = 0, kReturnTerminal = 62;
constexpr uint32_t kNameTerminal = 63;
constexpr uint32_t kFirstPopTerminal = 64;
constexpr uint32_t kFirstSyncTerminal = 128;
constexpr uint32_t kFirstStretchTerminal = 256;
constexpr uint32_t kRenameSymbol = 59, kBareSymbol = 60, kGrammarSymbol = 61;
constexpr uint32_t kFirstLateSyncTerminal = 42, kLateSyncs = 64;  // operations that did not fit in behind
static_assert(kEventKindCount <= kFirstLateSyncTerminal);
static_assert(kLateSyncs == (kFirstStretchTerminal - kFirstSyncTerminal) / 2);
static_assert(kFirstLateSyncTerminal + 2 * (kSyncOpCount - kLateSyncs) <= kRenameSymbol);

constexpr bool is_follower(uint32_t terminal) { return terminal == kCallTerminal || terminal == kReturnTerminal; }
constexpr bool is_stretch(uint32_t terminal) { return terminal >= kFirstStretchTerminal; }
constexpr uint32_t stretch_of(uint32_t terminal) { return terminal - kFirstStretchTerminal + 1; }
constexpr uint32_t terminal_of_stretch(uint32_t stretch) { return kFirstStretchTerminal + stretch - 1; }

constexpr bool is_sync(uint32_t terminal) {
  return (terminal >= kFirstSyncTerminal && terminal < kFirstStretchTerminal) ||
         (terminal >= kFirstLateSyncTerminal && terminal < kFirstLateSyncTerminal + 2 * (kSyncOpCount - kLateSyncs));
}
constexpr uint32_t terminal_of_sync(SyncOp op, bool leave) {
  const auto n = static_cast<uint32_t>(op);
  return (n < kLateSyncs ? kFirstSyncTerminal + 2 * n : kFirstLateSyncTerminal + 2 * (n - kLateSyncs)) + leave;
}

constexpr bool is_block(uint32_t symbol) { return symbol >= kFirstStretchTerminal; }
constexpr BlockId block_of(uint32_t symbol) { return BlockId(symbol - kFirstStretchTerminal + 1); }
constexpr uint32_t symbol_of(BlockId block) { return kFirstStretchTerminal + block.value - 1; }

inline uint32_t terminal_of(const Event& e) {
  constexpr uint32_t kPops = kFirstSyncTerminal - kFirstPopTerminal;
  if (e.kind == EventKind::kPop && e.count >= 1 && e.count <= kPops) return kFirstPopTerminal + e.count - 1;
  if (e.kind == EventKind::kSyncEnter || e.kind == EventKind::kSyncLeave)
    return terminal_of_sync(e.sync.op, e.kind == EventKind::kSyncLeave);
  return static_cast<uint32_t>(e.kind);
}

// What the terminal, which is neither a stretch nor one of the three above, says of its event: the kind, the
// count of a Pop, the operation. False if there is no such event.
inline bool event_of_terminal(uint32_t terminal, Event& e) {
  if (is_sync(terminal)) {
    const bool late = terminal < kFirstSyncTerminal;
    const uint32_t code = late ? terminal - kFirstLateSyncTerminal + 2 * kLateSyncs : terminal - kFirstSyncTerminal;
    e.kind = code % 2 ? EventKind::kSyncLeave : EventKind::kSyncEnter;
    e.sync.op = static_cast<SyncOp>(code / 2);
    return true;
  }
  if (terminal >= kFirstPopTerminal) {
    e.kind = EventKind::kPop;
    e.count = terminal - kFirstPopTerminal + 1;
    return true;
  }
  e.kind = static_cast<EventKind>(terminal);
  return terminal > 0 && terminal < kEventKindCount;
}

// Whether the terminal has a row in the event log.
constexpr bool has_row(uint32_t terminal) {
  return !is_follower(terminal) && terminal != kNameTerminal &&
         (terminal < kFirstPopTerminal || terminal >= kFirstSyncTerminal) && !is_stretch(terminal);
}

}  // namespace cdr

#endif

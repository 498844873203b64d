// SPDX-License-Identifier: GPL-2.0-or-later
// Where accesses come from: an instruction, or a system call, or a free, and, for library code, the place in the
// program that called into the library. A stream is a site together with the generation of the memory.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_SITES_H
#define CDRGRIND_ANALYSIS_RACES_CORE_SITES_H

#include <cassert>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/access_set.h"
#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/core/lock_sets.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/range.h"

namespace cdr::races {

using SiteId = uint32_t;

struct Site {
  CodeAddr ip;    // of the instruction; of a free: of the call
  CodeAddr from;  // library code: the call of the program; else none
  bool store = false;
  bool locked = false;               // an atomic instruction
  bool atomic_code = false;          // a plain instruction of std::atomic and the like
  AtomicUse use = AtomicUse::kUsed;  // of an atomic instruction
  bool free = false;
  bool leaves = false;               // a frame is left; ip is the instruction's
  SyncOp operation = SyncOp::kNone;  // of synchronisation, on the object: ip is the call's
  bool library = false;
  bool spin = false;  // waits for a flag
  // Of an event, not of an instruction.
  bool of_event() const { return free || leaves || operation != SyncOp::kNone; }
  bool operator==(const Site&) const = default;
};

struct Stream {
  SiteId site = 0;
  GenerationId generation = 0;
  bool atomic = false;  // in the sense of docs/races.md: presumed ones, too
  LockSetId locks = 0;  // held by the thread or strand
};

// Loads and stores, plain and atomic ones: of their kinds alone it depends whether two streams conflict.
using AccessKind = size_t;
constexpr AccessKind kKindStore = 1, kKindAtomic = 2, kAccessKinds = 4;
constexpr bool conflict(AccessKind a, AccessKind b) { return ((a | b) & kKindStore) && !(a & b & kKindAtomic); }

// Two that race with each other.
using StreamIds = std::pair<StreamId, StreamId>;

class Sites {
 public:
  SiteId site(const Site& s);
  StreamId stream(SiteId site, GenerationId generation, bool atomic, LockSetId locks = 0);
  LockSetId lock_set(std::vector<LockKey> locks) { return lock_sets_.of(std::move(locks)); }
  LockSetId lock_set_of_both(LockSetId a, LockSetId b) { return lock_sets_.of_both(a, b); }
  // Accesses of these two never happen at the same time.
  bool exclude(StreamId a, StreamId b) const { return lock_sets_.have_common(stream(a).locks, stream(b).locks); }
  AccessKind kind(StreamId id) const {
    return (site_of(id).store ? kKindStore : 0) | (stream(id).atomic ? kKindAtomic : 0);
  }
  // If they overlap and nothing orders them.
  bool may_race(StreamId a, StreamId b) const { return conflict(kind(a), kind(b)) && !exclude(a, b); }
  // Gives streams new numbers: stream i gets numbers[i].
  void renumber(const std::vector<StreamId>& numbers);
  size_t streams() const { return streams_.size(); }
  const Site& operator[](SiteId id) const { return sites_[id]; }
  const Stream& stream(StreamId id) const {
    assert(id < streams_.size());
    return streams_[id];
  }
  const Site& site_of(StreamId id) const { return sites_[stream(id).site]; }

 private:
  struct SiteHash {
    size_t operator()(const Site& s) const {
      return mix64(s.ip.addr ^ mix64(s.from.addr ^ (uint64_t{s.ip.module.value} << 48) ^ (s.store ? 1 : 0)));
    }
  };
  static uint64_t key_of(const Stream& s);

  std::vector<Site> sites_;
  std::vector<Stream> streams_;
  std::unordered_map<Site, SiteId, SiteHash> site_ids_;
  FlatMap<uint64_t, StreamId> stream_ids_;  // site, generation, atomic; without locks
  std::map<std::pair<uint64_t, LockSetId>, StreamId> locked_ids_;
  LockSets lock_sets_;
};

}  // namespace cdr::races

#endif

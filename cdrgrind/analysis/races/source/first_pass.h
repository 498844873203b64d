// SPDX-License-Identifier: GPL-2.0-or-later
// The first look at a trace: which memory is shared, which addresses are touched by atomic instructions, which
// objects are guards of local static variables. What it finds decides what the second look keeps.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_FIRST_PASS_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_FIRST_PASS_H

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/races/core/address_ranges.h"
#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/policy/runtime_code.h"
#include "cdrgrind/analysis/races/policy/spin_loops.h"
#include "cdrgrind/analysis/races/source/atomic_spots.h"
#include "cdrgrind/analysis/races/source/phase_sharing.h"
#include "cdrgrind/analysis/races/source/sharing.h"
#include "cdrgrind/analysis/races/source/worksharing_loops.h"
#include "cdrgrind/analysis/walk/event_stream.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::races {

using analysis::EventStream;

struct FirstPass {
  Sharing sharing;
  AtomicSpots atomics;
  std::unordered_set<uint64_t> guards;
  std::unordered_set<uint64_t> spin_flags;  // addresses that spin loops read
  std::unordered_set<uint64_t> objects;     // of synchronisation, whose uses more than threads' lives must order
  uint64_t hide_regions = 0;
  uint64_t gaps = 0;
  uint64_t events = 0;  // that were looked at
  uint32_t last_thread = 0;
  bool strands = false;     // of a parallel runtime: those count, not threads
  PhaseSharing parts;       // what threads touch in worksharing constructs between two barriers, by threads
  PhaseSharing iterations;  // what iterations of one share of a loop touch
  AddressRanges shared;     // of `sharing` and `iterations`
  const WorksharingLoops* loops = nullptr;  // null: none
  std::vector<bool> unfit;                  // by number of a construct in `loops`: what seemed its loop is another
  struct Region {
    uint64_t function = 0, data = 0;  // where what it has got lies; 0: not told
  };
  std::unordered_map<uint64_t, Region> regions;  // by team
  // Teams of which a member asks for its number: what is told apart by that is, before it has asked, too.
  std::unordered_set<uint64_t> asked;

  // By generation, 0 or 1: by other code than the runtime's, if there are strands: `sharing` leaves out what they touch
  // in different phases only (strand_phases.h).
  std::vector<uint8_t> touched_by_program;

  // Of memory that strands begin: the bytes that others than the first one touch, from the first to the last.
  FlatMap<GenerationId, AddrRange> of_others;

  // Of frames that tasks know (task_frames.h), by serial number: the bytes that tasks touched when they had been left,
  // from the first to the last.
  FlatMap<uint64_t, AddrRange> left_frames;

  // Memory of a strand's own that no other touches.
  bool is_of_one_strand(GenerationId g, uint64_t addr, uint64_t width) const {
    if (!Generations::is_of_strand(g)) return false;
    const AddrRange* others = of_others.find(g);
    return !others || addr >= others->end || addr + width <= others->begin;
  }
  // An atomic instruction, or a system call that waits, touched that.
  void note_atomic(const Generations& then, uint64_t addr, uint64_t width) {
    atomics.add(addr, then.at(addr).id, width);
  }
  // A use of an object of synchronisation, not ordered with another thread's by the threads' lives.
  void note_object(uint64_t object, ThreadId by, ThreadId other, bool store) {
    objects.insert(object);
    sharing.touch(other, object, 1, true);
    sharing.touch(by, object, 1, store);
  }
};

// Of the events before `end`. If it is ended, of those counted in `events`.
FirstPass first_pass_of(EventStream& events, const RuntimeCode& runtime, SpinLoops& spins,
                        const WorksharingLoops* loops, uint64_t end, const analysis::Watch& watch);

}  // namespace cdr::races

#endif

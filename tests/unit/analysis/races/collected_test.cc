// SPDX-License-Identifier: GPL-2.0-or-later
// What is collected of random programs: on the compact form, however it is cut into epochs, what all events say; and
// that is what a look at every access says.
#include "cdrgrind/analysis/races/core/collected.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>

#include "cdrgrind/analysis/events/visit.h"
#include "cdrgrind/analysis/races/source/block_roles.h"
#include "cdrgrind/analysis/races/source/collector.h"
#include "cdrgrind/analysis/races/source/compact_collector.h"
#include "tests/unit/analysis/races/no_facts.h"
#include "tests/unit/analysis/races/sweeping_program.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/walking_program.h"

using namespace cdr;
using namespace cdr::races;
using namespace cdr::test;

namespace {

// Some of the common memory is the library's.
struct LibraryFacts final : NoFacts {
  std::vector<AddrRange> data_of(const Module& m) override {
    if (m.id != ModuleId(2)) return {};
    return {{0x5400040, 0x5400080}};
  }
};

// The program with every second superblock from `first` on in the C library; 0: none.
WalkingProgram with_library(WalkingProgram p, uint32_t first) {
  if (first == 0) return p;
  Module library;
  library.path = "/lib/libc.so.6";
  library.soname = "libc.so.6";
  p.tables.modules.add(library);
  BlockTable moved;
  for (uint32_t i = 1; i <= p.tables.blocks.superblock_count(); ++i) {
    Superblock sb = p.tables.blocks.superblock(SuperblockId(i));
    if (i >= first && (i - first) % 2 == 0) sb.module = ModuleId(2);
    moved.add_superblock(sb);
  }
  for (uint32_t i = 1; i <= p.tables.blocks.block_count(); ++i) {
    const Block& b = p.tables.blocks.block(BlockId(i));
    moved.add_block(b.superblock, b.exit);
  }
  p.tables.blocks = std::move(moved);
  return p;
}

// The program without its atomic instructions, and with a quarter of its locks: segments are long, and blocks need not
// be read one by one.
WalkingProgram quiet(WalkingProgram p) {
  std::erase_if(p.events, [&](const OwnedEvent& e) {
    if (e.event.kind == EventKind::kSyncEnter || e.event.kind == EventKind::kSyncLeave)
      return e.event.sync.object % 32 != 0;
    if (e.event.kind != EventKind::kBlock) return false;
    const auto accesses = p.tables.blocks.superblock_of(e.event.block).accesses;
    return std::any_of(accesses.begin(), accesses.end(), [](const auto& a) { return a.flags & kAccessAtomic; });
  });
  return p;
}

bool follows_from_block(EventKind k) {
  return k == EventKind::kCall || k == EventKind::kReturn || k == EventKind::kPop || k == EventKind::kStackSwitch;
}

// Some runs of blocks, and of changes of the heap, in hide regions.
void hide_some(WalkingProgram& p, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<OwnedEvent> events;
  for (size_t i = 0; i < p.events.size(); ++i) {
    const uint32_t thread = p.events[i].event.thread.value;
    const bool begins = p.events[i].event.kind == EventKind::kBlock && random() % 30 == 0;
    if (begins) events.emplace_back(event_of(EventKind::kHideBegin, thread));
    events.push_back(p.events[i]);
    if (!begins) continue;
    for (; i + 1 < p.events.size(); events.push_back(p.events[++i])) {
      const EventKind next = p.events[i + 1].event.kind;
      if (follows_from_block(next)) continue;
      if (next != EventKind::kBlock && next != EventKind::kFree && next != EventKind::kAlloc) break;
      if (random() % 8 == 0) break;
    }
    events.emplace_back(event_of(EventKind::kHideEnd, thread));
  }
  p.events = std::move(events);
}

std::vector<uint8_t> recorded(const WalkingProgram& p, uint64_t epoch_blocks) {
  RecordingOptions o;
  o.form = RecordingForm::kCompact;
  o.epoch_blocks = epoch_blocks;
  return record(p.tables, p.events, o);
}

// A look at a trace, from its events or on its compact form.
struct Look {
  const analysis::Watch nobody;
  LibraryFacts facts;
  RuntimeCode runtime;
  SpinLoops spins;
  FirstPass first_pass;
  std::optional<Collector> collector;

  Look(const trace::TraceFile& file, AtomicsMode atomics, bool compact, uint64_t end = ~uint64_t{0})
      : runtime(file.modules(), facts), spins(file.blocks(), facts, runtime.library, true) {
    RaceOptions options;
    options.atomics = atomics;
    if (!compact) {
      analysis::AllEvents events(file);
      first_pass = first_pass_of(events, runtime, spins, nullptr, end, nobody);
      collector.emplace(file, first_pass, runtime, facts, spins, options);
      trace::Cursor cursor(file);
      uint64_t index = 0;
      for (Event e; index < end && cursor.next(e); ++index) collector->event(e, index);
      collector->finish();
      return;
    }
    trace::Seeker seeker(file);
    CompactFirstPass looked = compact_first_pass_of(seeker, spins, end, nobody);
    const BlockRoles roles(seeker, looked, runtime, facts, spins);
    collector.emplace(file, looked.first_pass, runtime, facts, spins, options);
    analysis::WatchedPart part(nobody, "", 0);
    CompactCollector walk(seeker, looked, roles, runtime, part, *collector);
    trace::PathWalk(seeker).run(walk, end);
    collector->finish();
    collector->number_streams();
  }
  const Collected& result() { return collector->result(); }
};

std::string site_text(const Site& s) {
  std::ostringstream out;
  out << std::hex << s.ip.module.value << ':' << s.ip.addr << " from " << s.from.module.value << ':' << s.from.addr
      << ' ' << s.store << s.locked << s.atomic_code << s.free << s.library << s.spin;
  return out.str();
}

// All of it, a line each.
std::vector<std::string> lines_of(const Collected& c) {
  std::vector<std::string> lines;
  for (uint32_t t = 1; t < c.sets.size(); ++t) {
    std::multiset<std::string> entries;
    c.for_each_access(ThreadId(t), [&](const AccessEntry& e) {
      const Stream& s = c.sites.stream(e.stream);
      std::ostringstream out;
      out << "thread " << t << " segment " << e.segment << " stream " << e.stream << " = " << site_text(c.sites[s.site])
          << " generation " << s.generation << " atomic " << s.atomic << " at " << std::hex << e.at.base << '+'
          << e.at.stride << '*' << e.at.count << " width " << e.at.width << " times " << e.at.times;
      entries.insert(out.str());
    });
    lines.insert(lines.end(), entries.begin(), entries.end());
    for (SegmentNumber n = 1; n <= c.segments.of(ThreadId(t)).size(); ++n) {
      const AccessPosition begin = c.segments.of(ThreadId(t))[n - 1].begin;
      std::ostringstream out;
      out << "thread " << t << " segment " << n << " begins " << begin.event << '.' << begin.access << " knows";
      for (const Order order : {Order::kFull, Order::kAtomics, Order::kSync})
        for (uint32_t other = 1; other < c.sets.size(); ++other)
          out << ' ' << c.segments.known(ThreadId(t), n, ThreadId(other), order);
      lines.push_back(out.str());
    }
  }
  std::map<GenerationId, std::string> heap;
  for (const auto& [id, block] : c.heap) {
    std::ostringstream out;
    out << "block " << id << std::hex << " site " << block.site.addr << " from " << block.from.addr;
    heap[id] = out.str();
  }
  for (const auto& [id, line] : heap) lines.push_back(line);
  for (size_t id = 0; id < c.touched_by_program.size(); ++id)
    if (c.touched_by_program[id]) lines.push_back("the program touched " + std::to_string(id));
  lines.push_back("runtime " + std::to_string(c.runtime_accesses) + " hidden " + std::to_string(c.hidden_accesses));
  return lines;
}

// One access, or a free.
struct OneAccess {
  uint64_t event = 0;
  uint32_t number = 0, thread = 0;
  uint64_t ip = 0, addr = 0, width = 0;
  GenerationId generation = 0;
  bool store = false, locked = false, free = false;
  bool aside = false;  // in a hide region, or the library's: no entry is expected
};

std::vector<OneAccess> accesses_of(const trace::TraceFile& file) {
  std::vector<OneAccess> all;
  Generations generations;
  std::set<ThreadId> hidden;
  trace::Cursor cursor(file);
  uint64_t index = 0;
  for (Event e; cursor.next(e); ++index) {
    if (e.kind == EventKind::kHideBegin) hidden.insert(e.thread);
    if (e.kind == EventKind::kHideEnd) hidden.erase(e.thread);
    OneAccess a;
    a.event = index;
    a.thread = e.thread.value;
    a.aside = hidden.count(e.thread);
    if (e.kind == EventKind::kFree) {
      a.addr = e.addr;
      a.width = e.size;
      a.generation = generations.at(e.addr).id;
      a.store = a.free = true;
      all.push_back(a);
    }
    generations.event(e, index);
    analysis::visit_accesses(e, file.blocks(), [&](const analysis::Seen& s) {
      a.number = s.number;
      a.ip = e.ip;
      a.addr = s.addr;
      a.width = s.width;
      a.generation = generations.at(s.addr).id;
      a.store = s.store;
      if (s.access) {
        const Superblock& sb = file.blocks().superblock_of(e.block);
        a.ip = sb.insn_addr(s.access->insn);
        a.locked = s.access->flags & kAccessAtomic;
        a.aside = hidden.count(e.thread) || sb.module == ModuleId(2);
      }
      all.push_back(a);
    });
  }
  return all;
}

// Lines of 64 bytes that several threads touch, one with a store.
std::set<uint64_t> shared_lines(const std::vector<OneAccess>& all) {
  std::map<uint64_t, std::set<uint32_t>> threads;
  std::set<uint64_t> stored, shared;
  const auto touch = [&](const OneAccess& a) {
    for (uint64_t line = a.addr / 64; line <= (a.addr + a.width - 1) / 64; ++line) {
      if (a.free && !threads.count(line)) continue;
      threads[line].insert(a.thread);
      if (a.store) stored.insert(line);
    }
  };
  for (const OneAccess& a : all)
    if (!a.free) touch(a);
  for (const OneAccess& a : all)
    if (a.free) touch(a);
  for (const auto& [line, who] : threads)
    if (who.size() > 1 && stored.count(line)) shared.insert(line);
  return shared;
}

using Counted = std::map<std::string, uint64_t>;

std::string counted_as(uint32_t thread, SegmentNumber segment, uint64_t ip, bool store, bool locked, bool free,
                       GenerationId generation, uint64_t addr, uint64_t width) {
  std::ostringstream out;
  out << "thread " << thread << " segment " << segment << std::hex << " ip " << ip << ' ' << store << locked << free
      << " generation " << generation << " at " << addr << '+' << width;
  return out.str();
}

}  // namespace

namespace {

struct Compared {
  size_t lines = 0, runs = 0, runtime = 0, hidden = 0, classes = 0;
};

// In several numbers of epochs.
void compare(const WalkingProgram& p, AtomicsMode atomics, Compared& to) {
  Look events(open_bytes(recorded(p, 1 << 24)), atomics, false);
  const std::vector<std::string> expected = lines_of(events.result());
  for (const uint64_t blocks : {7, 60, 300, 1 << 24}) {
    INFO("epochs of " << blocks << " blocks");
    const trace::TraceFile file = open_bytes(recorded(p, blocks));
    Look compact(file, atomics, true);
    const std::vector<std::string> got = lines_of(compact.result());
    for (size_t i = 0; i < std::min(got.size(), expected.size()); ++i) REQUIRE(got[i] == expected[i]);
    REQUIRE(got.size() == expected.size());
    for (const ThreadAccesses& some : compact.result().sets)
      for (size_t i = 0; i < some.size(); ++i) to.classes += some.is_class(i);
  }
  to.lines += expected.size();
  for (uint32_t t = 1; t < events.result().sets.size(); ++t)
    events.result().for_each_access(ThreadId(t), [&](const AccessEntry& e) { to.runs += e.at.count > 2; });
  to.runtime += events.result().runtime_accesses;
  to.hidden += events.result().hidden_accesses;
}

AtomicsMode mode_of(uint32_t seed) {
  return seed % 4 == 0 ? AtomicsMode::kStrict : seed % 5 == 0 ? AtomicsMode::kRace : AtomicsMode::kSync;
}

}  // namespace

TEST_CASE("the compact form tells of every segment what all events tell, where all is read one by one") {
  Compared all;
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    WalkingProgram p = sharing_program(seed, 150 + 20 * seed);
    if (seed % 8 < 4) p = quiet(std::move(p));
    p = with_library(std::move(p), seed % 3 ? seed % 4 + 3 : 0);
    if (seed % 2) hide_some(p, seed);
    compare(p, mode_of(seed), all);
  }
  CHECK(all.lines > 5000);
  CHECK(all.runtime > 100);
  CHECK(all.hidden > 100);
}

TEST_CASE("the compact form tells of every segment what all events tell, where whole ranges are taken at once") {
  Compared all;
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    compare(SweepingProgram::of(seed, 40 + 3 * seed), mode_of(seed), all);
  }
  CHECK(all.runs > 2000);
  CHECK(all.runtime > 100);
  CHECK(all.hidden > 100);
}

TEST_CASE("the compact form tells of every segment what all events tell, where rounds repeat") {
  Compared all;
  for (uint32_t seed = 1; seed <= 24; ++seed) {
    INFO("seed " << seed);
    compare(SweepingProgram::repeating(seed, 20 + seed, 12), mode_of(seed), all);
  }
  CHECK(all.runs > 2000);
  CHECK(all.classes > 100);
}

TEST_CASE(
    "the compact form tells of every segment what all events tell, where the same code touches each thread's own") {
  Compared all;
  for (uint32_t seed = 1; seed <= 30; ++seed) {
    INFO("seed " << seed);
    compare(SweepingProgram::apart(seed, 60 + 6 * seed, seed % 3 ? 2 + seed % 5 : 12), mode_of(seed), all);
  }
  CHECK(all.lines > 2000);
  CHECK(all.runtime > 100);
}

TEST_CASE("what segments have alike is a class from the second on") {
  SegmentClasses classes;
  std::vector<SegmentClasses::Entry> entries = {{1, {4096, 8, 10, 8, 1}}, {2, {8192, 0, 1, 4, 3}}}, others = entries;
  others[1].at.times = 2;
  CHECK(!classes.of_repeated(entries));
  CHECK(!classes.of_repeated(others));
  const auto one = classes.of_repeated(entries), other = classes.of_repeated(others);
  REQUIRE(one);
  REQUIRE(other);
  CHECK(*one != *other);
  CHECK(classes.of_repeated(entries) == one);
  CHECK(classes.of(entries) == *one);
  CHECK(classes.size() == 2);

  Compared all;
  for (uint32_t seed = 1; seed <= 24; ++seed) {
    const trace::TraceFile file = open_bytes(recorded(SweepingProgram::repeating(seed, 40 + seed, 12), 1 << 24));
    Look events(file, mode_of(seed), false);
    for (const ThreadAccesses& some : events.result().sets)
      for (size_t i = 0; i < some.size(); ++i) all.classes += some.is_class(i);
  }
  CHECK(all.classes > 100);
}

TEST_CASE("what segments accessed is what every access says, and their order what locks pass on") {
  size_t kept = 0, ordered = 0, unordered = 0;
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    const WalkingProgram p =
        seed % 2 ? SweepingProgram::of(seed, 60 + 10 * seed) : sharing_program(seed, 200 + 30 * seed);
    const trace::TraceFile file = open_bytes(recorded(p, 40));
    const std::vector<OneAccess> all = accesses_of(file);
    const std::set<uint64_t> shared = shared_lines(all);
    std::vector<OneAccess> of_shared;
    for (const OneAccess& a : all) {
      const auto line = shared.lower_bound(a.addr / 64);
      if (!a.aside && line != shared.end() && *line <= (a.addr + a.width - 1) / 64) of_shared.push_back(a);
    }
    // By thread: the numbers of events of each thread that are known, by the last lock.
    std::map<uint64_t, std::map<uint32_t, uint64_t>> known_at, released;
    std::map<uint32_t, std::map<uint32_t, uint64_t>> known;
    trace::Cursor cursor(file);
    uint64_t index = 0;
    for (Event e; cursor.next(e); ++index) {
      auto& mine = known[e.thread.value];
      if (e.kind == EventKind::kSyncEnter && e.sync.op == SyncOp::kMutexUnlock) {
        released[e.sync.object] = mine;
        released[e.sync.object][e.thread.value] = index;
      }
      if (e.kind == EventKind::kSyncLeave && e.sync.op == SyncOp::kMutexLock)
        for (const auto& [thread, last] : released[e.sync.object]) mine[thread] = std::max(mine[thread], last);
      known_at[index] = mine;
    }

    for (const bool compact : {false, true}) {
      Look look(file, AtomicsMode::kStrict, compact);
      const Collected& c = look.result();
      Counted expected, got;
      std::vector<SegmentNumber> segments;
      for (const OneAccess& a : of_shared) {
        segments.push_back(c.segments.at(ThreadId(a.thread), {a.event, a.number}));
        ++expected[counted_as(a.thread, segments.back(), a.free ? 0 : a.ip, a.store, a.locked, a.free, a.generation,
                              a.addr, a.width)];
      }
      for (uint32_t t = 1; t < c.sets.size(); ++t)
        c.for_each_access(ThreadId(t), [&](const AccessEntry& e) {
          const Site& s = c.sites.site_of(e.stream);
          if (s.library && !s.free) return;
          if (s.locked) CHECK(c.sites.stream(e.stream).atomic);
          for (uint64_t k = 0; k < e.at.count; ++k)
            got[counted_as(t, e.segment, s.free ? 0 : s.ip.addr, s.store, s.locked, s.free,
                           c.sites.stream(e.stream).generation, e.at.at(k), e.at.width)] += e.at.times;
        });
      const bool same = got == expected;
      REQUIRE(same);
      for (size_t i = 0; i < of_shared.size(); i += 7)
        for (size_t j = i + 1; j < of_shared.size(); j += 11) {
          const OneAccess &a = of_shared[i], &b = of_shared[j];  // b is later
          if (a.thread == b.thread) continue;
          const bool before = known_at[b.event][a.thread] > a.event;
          REQUIRE(before ==
                  (c.segments.known(ThreadId(b.thread), segments[j], ThreadId(a.thread), Order::kFull) >= segments[i]));
          ++(before ? ordered : unordered);
        }
    }
    kept += of_shared.size();
  }
  CHECK(kept > 5000);
  CHECK(ordered > 100);
  CHECK(unordered > 100);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/data_filter.h"

#include "tests/unit/catch.h"
#include "tests/unit/trace/runs.h"
#include "tests/unit/trace/walking_program.h"

using namespace cdr;
using namespace cdr::test;

namespace {

struct Kept final : RunSink {
  explicit Kept(const BlockTable& b) : blocks(b) {}
  void block(ThreadId thread, BlockId id, std::span<const uint64_t> words) override {
    Event e;
    e.kind = EventKind::kBlock;
    e.thread = thread;
    e.block = id;
    e.words = words;
    events.emplace_back(e);
  }
  void run(ThreadId thread, Steps run) override { dispatch(blocks, thread, run, *this); }
  void event(const Event& e) override { events.emplace_back(e); }

  const BlockTable& blocks;
  std::vector<OwnedEvent> events;
};

std::vector<OwnedEvent> kept(const WalkingProgram& p, DataFilter::Keep keep, size_t longest_run) {
  DataFilter filter(p.tables.blocks, keep);
  Kept to(filter.blocks());
  filter.set_sink(to);
  if (longest_run == 0)
    for (const OwnedEvent& e : p.events) dispatch(e.view(), filter);
  else
    pass_in_runs(p.tables.blocks, p.events, longest_run, filter);
  return to.events;
}

}  // namespace

TEST_CASE("of a run a filter keeps what it keeps of its blocks") {
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    const WalkingProgram p = walking_program(seed, 300);
    for (const auto keep : {DataFilter::Keep::kNothing, DataFilter::Keep::kNonStack}) {
      const std::vector<OwnedEvent> single = kept(p, keep, 0);
      REQUIRE(single.size() == p.events.size());
      for (const size_t longest : {1, 3, 256}) {
        INFO("seed " << seed << ", runs of " << longest);
        REQUIRE(kept(p, keep, longest) == single);
      }
    }
  }
}

TEST_CASE("without addresses a block has the words that tell SP") {
  size_t words = 0, fewer = 0;
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    const WalkingProgram p = walking_program(seed, 300);
    DataFilter filter(p.tables.blocks, DataFilter::Keep::kNothing);
    Kept to(filter.blocks());
    filter.set_sink(to);
    pass_in_runs(p.tables.blocks, p.events, 20, filter);
    for (size_t i = 0; i < p.events.size(); ++i) {
      if (p.events[i].event.kind != EventKind::kBlock) continue;
      const Superblock& sb = filter.blocks().superblock_of(to.events[i].event.block);
      const Exit& exit = filter.blocks().exit_of(to.events[i].event.block);
      CHECK(exit.accesses == 0);
      CHECK(to.events[i].words.size() == exit.words);
      const Superblock& full = p.tables.blocks.superblock_of(p.events[i].event.block);
      for (uint32_t c = 0; c < exit.sp_changes; ++c) {
        const SpChange &is = sb.sp_changes[c], &was = full.sp_changes[c];
        CHECK(is.constant == was.constant);
        if (was.slot == 0 || was.slot == SpChange::kSpAtEntry) continue;
        CHECK(to.events[i].words[is.slot - 1u] == p.events[i].words[was.slot - 1u]);
        ++words;
      }
      fewer += to.events[i].words.size() < p.events[i].words.size();
    }
  }
  CHECK(words > 100);
  CHECK(fewer > 1000);
}

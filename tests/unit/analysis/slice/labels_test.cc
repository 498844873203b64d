// SPDX-License-Identifier: GPL-2.0-or-later
// The labels that come to an access, carried forward, are the races in its backward slice.
#include <algorithm>

#include "cdrgrind/analysis/slice/label_flow.h"
#include "cdrgrind/analysis/slice/run_jumps.h"
#include "cdrgrind/trace/read/cursor.h"
#include "tests/unit/analysis/slice/backward_slice.h"
#include "tests/unit/analysis/slice/random_program.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/control_forms.h"

using namespace cdr;
using namespace cdr::slice;
using namespace cdr::test;

namespace {

using Found = BackwardSlice::Found;

struct Counts {
  uint64_t known = 0, weak = 0, other = 0;
};

void compare(uint32_t seed, Counts& counts) {
  const RandomProgram p(seed);
  const trace::TraceFile file = open_bytes(record(p.tables, p.events));
  NoCode code;
  const RunJumps jumps(file);
  FunctionGraphs graphs(file.blocks(), jumps, code);

  // Each access is an end of a race of its own.
  std::vector<RacePair> races;
  std::vector<AccessPosition> judged;
  for (const auto& a : p.accesses) {
    races.push_back({a.at, a.at});
    judged.push_back(a.at);
  }
  ListedRaces ends(races);
  LabelTable table(1 << 20);
  LabelFlow<LabelTable> flow(file.blocks(), p.flows, graphs, ends, table);
  flow.judge(judged);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) flow.event(e, cursor.index());

  const ExecutionLog log(file, p.flows);
  for (const JudgedAccess& y : flow.judged()) {
    const BackwardSlice slice(log, graphs, y.at);
    const Labels labels = table.unite(y.address, y.branches);
    std::vector<Found> found(races.size(), Found::kNot);
    table.sets().for_each(table.weak(labels), [&](LabelId l) { found[ends[l].race] = Found::kWeak; });
    table.sets().for_each(table.known(labels), [&](LabelId l) { found[ends[l].race] = Found::kKnown; });
    for (size_t r = 0; r < races.size(); ++r) {
      const Found want = slice.find(races[r].first);
      if (found[r] != want)
        FAIL("seed " << seed << " access " << y.at.event << '.' << y.at.access << " from " << races[r].first.event
                     << '.' << races[r].first.access << ": " << static_cast<int>(found[r]) << ", not "
                     << static_cast<int>(want));
      ++(want == Found::kKnown ? counts.known : want == Found::kWeak ? counts.weak : counts.other);
    }
  }
}

}  // namespace

TEST_CASE("labels carried forward are those of the backward slices, in random programs") {
  Counts counts;
  for (uint32_t seed = 1; seed <= 60; ++seed) compare(seed, counts);
  // All of it happens.
  CHECK(counts.known > 1000);
  CHECK(counts.weak > 1000);
  CHECK(counts.other > 1000);
}

TEST_CASE("the targets of dynamic jumps are those of all events, from the grammars of paths, too") {
  size_t targets = 0;
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const RandomProgram p(seed);
    const RunJumps all(open_bytes(record(p.tables, p.events)));
    for (const uint64_t form : {0, 1, 2, 3}) {
      const RunJumps some(open_bytes(record(p.tables, p.events, compact_in_form(form, seed % 2 ? 7 : 1000))));
      for (uint32_t id = 1; id <= p.tables.blocks.superblock_count(); ++id) {
        std::vector<uint64_t> a(all.jump_targets(SuperblockId(id)).begin(), all.jump_targets(SuperblockId(id)).end());
        std::vector<uint64_t> b(some.jump_targets(SuperblockId(id)).begin(), some.jump_targets(SuperblockId(id)).end());
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        CHECK(a == b);
        targets += a.size();
      }
    }
  }
  CHECK(targets > 20);
}

// `make soak' asks for it by name.
TEST_CASE("labels carried forward are those of the backward slices, in many random programs", "[.][soak]") {
  Counts counts;
  for (uint32_t seed = 1000; seed < 1300; ++seed) compare(seed, counts);
}

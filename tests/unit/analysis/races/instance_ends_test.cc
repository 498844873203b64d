// SPDX-License-Identifier: GPL-2.0-or-later
// Which accesses of random programs are ends of races: both of every instance that is judged, and none without another.
#include "cdrgrind/analysis/races/evidence/instance_ends.h"

#include <algorithm>

#include "cdrgrind/analysis/events/visit.h"
#include "cdrgrind/analysis/races/races.h"
#include "cdrgrind/trace/read/cursor.h"
#include "tests/unit/analysis/races/no_facts.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/control_forms.h"
#include "tests/unit/trace/walking_program.h"

using namespace cdr;
using namespace cdr::races;
using namespace cdr::test;

namespace {

struct Given {
  slice::Touch touch;
  slice::LabelId label = 0;
};

std::vector<slice::Touch> touches_of(const Event& e, uint64_t index, const BlockTable& blocks) {
  std::vector<slice::Touch> all;
  if (e.kind == EventKind::kFree || e.kind == EventKind::kResize)
    all.push_back({e.thread, {index, 0}, {}, e.addr, std::max<uint64_t>(e.size, 1), true, false});
  analysis::visit_accesses(e, blocks, [&](const analysis::Seen& seen) {
    CodeAddr ip{{}, e.ip};
    if (seen.access) ip = {{}, blocks.superblock_of(e.block).insn_addr(seen.access->insn)};
    all.push_back({e.thread, {index, seen.number}, ip, seen.addr, seen.width, seen.store, seen.access != nullptr});
  });
  return all;
}

std::vector<Given> all_given(const trace::TraceFile& file, InstanceEnds& ends) {
  std::vector<Given> all;
  std::vector<slice::LabelId> labels;
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);)
    for (const slice::Touch& t : touches_of(e, cursor.index(), file.blocks())) {
      labels.clear();
      if (ends.may_be_end(t.ip)) ends.labels_of(t, labels);
      for (const slice::LabelId l : labels) all.push_back({t, l});
    }
  return all;
}

bool is_at(const slice::Touch& t, const AccessPosition& at) {
  return t.at == at || (!t.of_block && t.at.event == at.event && at.access == AccessPosition::kWholeEvent);
}

bool overlap(const slice::Touch& a, const slice::Touch& b) {
  return a.addr < b.addr + b.width && b.addr < a.addr + a.width;
}

}  // namespace

TEST_CASE("the ends of races are the accesses of their instances") {
  size_t judged = 0, given = 0;
  for (uint32_t seed = 1; seed <= 16; ++seed) {
    const WalkingProgram p = sharing_program(seed, 150 + 30 * seed);
    const trace::TraceFile file = open_bytes(record(p.tables, p.events, compact_in_form(seed)));
    NoFacts facts;
    const Races found = find_races(file, facts, {});
    std::vector<std::vector<StreamIds>> streams;
    for (const Race& r : found.races) streams.push_back(r.streams);
    InstanceEnds ends(*found.collected, streams);
    const std::vector<Given> all = all_given(file, ends);
    ends.restart();
    REQUIRE(all_given(file, ends).size() == all.size());

    const auto label_at = [&](uint32_t race, const AccessPosition& at) {
      const auto g = std::find_if(all.begin(), all.end(),
                                  [&](const Given& x) { return ends[x.label].race == race && is_at(x.touch, at); });
      REQUIRE(g != all.end());
      return g->label;
    };
    for (uint32_t r = 0; r < found.races.size(); ++r) {
      if (found.races[r].ordered) continue;  // a use after free: no two accesses race
      for (const slice::RacePair& i : found.races[r].judged) {
        INFO("seed " << seed << " race " << r);
        CHECK(ends.are_partners(label_at(r, i.first), label_at(r, i.second)));
        ++judged;
      }
    }
    for (const Given& g : all) {
      const bool has_other = std::any_of(all.begin(), all.end(), [&](const Given& o) {
        return ends[o.label].race == ends[g.label].race && o.touch.thread != g.touch.thread &&
               (o.touch.store || g.touch.store) && overlap(o.touch, g.touch) && ends.are_partners(o.label, g.label);
      });
      INFO("seed " << seed << " event " << g.touch.at.event << '.' << g.touch.at.access);
      CHECK(has_other);
      ++given;
    }
  }
  CHECK(judged > 500);
  CHECK(given > 1000);
}

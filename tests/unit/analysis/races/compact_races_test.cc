// SPDX-License-Identifier: GPL-2.0-or-later
// The races of random programs: on the compact form, however it is cut into epochs, they are what all events say.
#include "cdrgrind/analysis/races/races.h"

#include <sstream>

#include "cdrgrind/trace/read/trace_error.h"
#include "tests/fuzz/frames_input.h"
#include "tests/unit/analysis/races/no_facts.h"
#include "tests/unit/analysis/races/sweeping_program.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/control_forms.h"
#include "tests/unit/trace/walking_program.h"

using namespace cdr;
using namespace cdr::races;
using namespace cdr::test;

namespace {

void put(const RaceAccess& a, std::ostream& out) {
  out << std::hex << ' ' << a.ip.addr << '/' << a.from.addr << (a.store ? " store " : " load ") << a.atomic << a.free
      << a.spin << " thread " << a.thread.value << " at " << a.addr << '+' << a.width << std::dec << " event "
      << a.at.event << '.' << a.at.access << " stack";
  for (const CodeAddr& c : a.stack) out << std::hex << ' ' << c.addr;
  out << " locks " << a.locks.size();
}

// All that is said of them, a line each.
std::string text_of(const Races& races) {
  std::ostringstream out;
  for (const Race& r : races.races) {
    put(r.first, out);
    put(r.second, out);
    out << " memory " << static_cast<int>(r.memory.kind) << std::hex << ' ' << r.memory.range.begin << '-'
        << r.memory.range.end << std::dec << " instances " << r.instances << std::hex << " of " << r.addresses.base
        << '+' << r.addresses.stride << '*' << std::dec << r.addresses.count << ' ' << r.schedulable << r.mixed
        << r.adhoc << r.after_free << " allocated";
    for (const CodeAddr& c : r.memory.allocated) out << std::hex << ' ' << c.addr;
    out << std::dec << " judged";
    for (const slice::RacePair& p : r.judged)
      out << ' ' << p.first.event << '.' << p.first.access << '-' << p.second.event << '.' << p.second.access;
    out << '\n';
  }
  const RaceSummary& s = races.summary;
  out << s.adhoc << ' ' << s.atomic << ' ' << s.runtime << '\n';
  return out.str();
}

Races races_of(const trace::TraceFile& file, bool compact, AtomicsMode atomics, size_t forget_at = 0) {
  NoFacts facts;
  RaceOptions options;
  options.compact = compact;
  options.atomics = atomics;
  options.forget_at = forget_at;
  return find_races(file, facts, options);
}

std::vector<uint8_t> recorded(const WalkingProgram& p, uint64_t epoch_blocks, uint64_t form = 0) {
  return record(p.tables, p.events, compact_in_form(form, epoch_blocks));
}

}  // namespace

TEST_CASE("races of a trace in any number of epochs are those of its events") {
  size_t found = 0, epochs = 0, forgotten = 0;
  for (uint32_t seed = 1; seed <= 24; ++seed) {
    const WalkingProgram p = sharing_program(seed, 150 + 30 * seed);
    const AtomicsMode atomics = seed % 4 == 0 ? AtomicsMode::kStrict : AtomicsMode::kSync;
    const Races events = races_of(open_bytes(recorded(p, 1 << 24)), false, atomics);
    CHECK(events.summary.read_events == "--from-events was given");
    for (const uint64_t blocks : {4, 19, 150, 1 << 24}) {
      const trace::TraceFile file = open_bytes(recorded(p, blocks, seed + blocks));
      INFO("seed " << seed << ", epochs of " << blocks << " blocks");
      const Races compact = races_of(file, true, atomics);
      CHECK(compact.summary.read_events.empty());
      REQUIRE(text_of(compact) == text_of(events));
      for (const bool of_events : {true, false}) {
        const Races forgetting = races_of(file, !of_events, atomics, 1);
        REQUIRE(text_of(forgetting) == text_of(events));
        for (const SegmentNumber n : forgetting.collected->past.until) forgotten += n;
      }
      found += compact.races.size();
      epochs += file.epochs().size();
    }
  }
  CHECK(found > 1000);
  CHECK(epochs > 1000);
  CHECK(forgotten > 100);
}

TEST_CASE("races are those of all events where the same code mostly touches each thread's own") {
  size_t found = 0;
  for (uint32_t seed = 1; seed <= 24; ++seed) {
    const WalkingProgram p = SweepingProgram::apart(seed, 100 + 20 * seed, seed % 3 ? 2 + seed % 5 : 12);
    const Races events = races_of(open_bytes(recorded(p, 1 << 24)), false, AtomicsMode::kSync);
    for (const uint64_t blocks : {30, 1 << 24}) {
      INFO("seed " << seed << ", epochs of " << blocks << " blocks");
      const Races compact = races_of(open_bytes(recorded(p, blocks, seed + blocks)), true, AtomicsMode::kSync);
      REQUIRE(text_of(compact) == text_of(events));
      found += compact.races.size();
    }
  }
  CHECK(found > 200);
}

TEST_CASE("a trace in plain form is read event by event, and it is said why") {
  const WalkingProgram p = sharing_program(1, 200);
  RecordingOptions o;
  o.form = RecordingForm::kPlain;
  const Races plain = races_of(open_bytes(record(p.tables, p.events, o)), true, AtomicsMode::kSync);
  CHECK(plain.summary.read_events == "the trace is in plain form");
  const Races compact = races_of(open_bytes(recorded(p, 50)), true, AtomicsMode::kSync);
  CHECK(text_of(plain) == text_of(compact));
}

TEST_CASE("damage is an error of the trace, and no reason to read events") {
  const WalkingProgram p = sharing_program(3, 250);
  const std::vector<uint8_t> frames = fuzz::frames_of(open_bytes(recorded(p, 60)));
  size_t refused = 0, accepted = 0;
  for (size_t at = 0; at + 3 <= frames.size();) {
    const size_t length = frames[at + 1] | frames[at + 2] << 8;
    const auto type = static_cast<FrameType>(frames[at] & 0x7f);
    const bool of_epoch = type == FrameType::kAddress || type == FrameType::kThread || type == FrameType::kLog;
    for (size_t i = 0; of_epoch && i < length; i += 5) {
      std::vector<uint8_t> damaged = frames;
      damaged[at + 3 + i] ^= static_cast<uint8_t>(1 + i % 127);
      INFO("frame at " << at << ", byte " << i);
      try {
        const Races found = races_of(open_bytes(fuzz::trace_of(damaged)), true, AtomicsMode::kSync);
        REQUIRE(found.summary.read_events.empty());
        ++accepted;
      } catch (const trace::TraceError& e) {
        REQUIRE(e.problem() == trace::Problem::kDamaged);
        ++refused;
      }
    }
    at += 3 + length;
  }
  CHECK(refused > 200);
  CHECK(accepted > 0);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/compare_traces.h"

#include "cdrgrind/trace/read/reencode.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;
using trace::first_difference;

namespace {

RecordingOptions compact() {
  RecordingOptions o;
  o.form = RecordingForm::kCompact;
  return o;
}

std::vector<uint8_t> rewritten(const trace::TraceFile& file) {
  MemoryOutput out;
  trace::RewriteOptions options;
  options.recording = compact();
  trace::rewrite(file, out, options);
  return out.bytes;
}

// What is found between the small program and one that was changed.
template <class Change>
std::string found(Change change) {
  SmallProgram p = small_program();
  const auto before = open_bytes(p.bytes());
  change(p);
  return first_difference(before, open_bytes(p.bytes(compact())));
}

}  // namespace

TEST_CASE("the same events in both forms are the same trace") {
  CHECK(found([](SmallProgram&) {}) == "");
}

TEST_CASE("whatever is different between two traces is found") {
  CHECK(found([](SmallProgram& p) { p.parent_pid = 5; }) == "RUN");
  CHECK(found([](SmallProgram& p) { p.module.path = "/bin/other"; }) == "modules");
  CHECK(found([](SmallProgram& p) { p.superblocks[0].sb.flags ^= kBlockHidden; }) == "superblocks");
  const SmallProgram p = small_program();
  const size_t load = p.find(EventKind::kBlock, kF), lock = p.find(EventKind::kSyncEnter);
  CHECK(found([&](SmallProgram& q) { q.events[load].words[1] += 8; }) == "event " + std::to_string(load));
  CHECK(found([&](SmallProgram& q) { q.events[lock].event.sync.object += 8; }) == "event " + std::to_string(lock));
  CHECK(found([&](SmallProgram& q) { q.erase(lock); }) != "");
}

TEST_CASE("a trace without its end, or with another frame, is another trace") {
  const auto whole = small_program().bytes();
  const auto file = open_bytes(whole);
  const auto end = file.frames().back().offset;
  const auto killed = open_bytes({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(end)});
  CHECK(first_difference(file, killed) == "how the recording ended");

  const SmallProgram p = small_program();
  MemoryOutput out;
  const Tables tables = p.tables();
  const DataflowTable flows = p.flows();
  const std::vector<MetaEntry> meta = {{"program", "/bin/true"}, {"arg", "a"}, {"arg", ""}};
  Recording to(out, tables.modules, tables.blocks, file.run(), meta, {.dataflow = &flows});
  for (const OwnedEvent& e : p.events) dispatch(e.view(), to);
  const uint8_t payload[] = {1, 2, 3};
  to.add_frame(FrameType::kDepend, payload);
  to.close({.exit = "exit 0"});
  const auto with_depend = open_bytes(out.bytes);
  CHECK(first_difference(file, with_depend) == "a frame DEPEND");
  CHECK(first_difference(with_depend, open_bytes(rewritten(with_depend))) == "");
}

TEST_CASE("a rewritten trace is the same trace, and its frames of unknown types stay optional") {
  const auto plain = open_bytes(small_program().bytes());
  CHECK(first_difference(plain, open_bytes(rewritten(plain))) == "");

  constexpr auto kUnknown = static_cast<FrameType>(99);
  const SmallProgram p = small_program();
  const Tables tables = p.tables();
  MemoryOutput out;
  Recording to(out, tables.modules, tables.blocks, plain.run(), {});
  for (const OwnedEvent& e : p.events) dispatch(e.view(), to);
  const uint8_t payload[] = {7};
  to.add_frame(kUnknown, payload, 0);
  to.close({.exit = "exit 0"});
  const auto newer = open_bytes(out.bytes), again = open_bytes(rewritten(newer));
  REQUIRE(again.find(kUnknown));
  CHECK(again.find(kUnknown)->header.flags == 0);
  CHECK(first_difference(newer, again) == "");
}

TEST_CASE("epochs are merged") {
  RecordingOptions small = compact();
  small.epoch_blocks = 2;
  const auto file = open_bytes(small_program().bytes(small));
  REQUIRE(file.epochs().size() > 1);
  const auto merged = open_bytes(rewritten(file));
  CHECK(merged.epochs().size() == 1);
  CHECK(first_difference(file, merged) == "");
}

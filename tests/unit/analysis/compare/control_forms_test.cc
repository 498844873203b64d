// SPDX-License-Identifier: GPL-2.0-or-later
// Control flow in other forms: the nest's bytes give the blocks again, and every form takes what its content needs.
#include <map>
#include <string>

#include "cdrgrind/analysis/compare/control_forms.h"
#include "tests/unit/properties.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::compare;

namespace {

std::map<std::string, uint64_t> sizes(const ControlFlow& flow, const BlockTable& blocks) {
  std::map<std::string, uint64_t> by_name;
  for (const FlowForm& form : control_forms()) by_name[form.name] = form.bytes(flow, blocks);
  return by_name;
}

}  // namespace

TEST_CASE("a nest as bytes gives the blocks again") {
  rc::prop("equal", [] {
    std::vector<uint32_t> blocks;
    const auto parts = *rc::gen::inRange(0, 8);
    for (int p = 0; p < parts; ++p) {
      const auto body = *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange(0u, 5u));
      const auto times = *rc::gen::inRange(1, 6);
      for (int t = 0; t < times; ++t) blocks.insert(blocks.end(), body.begin(), body.end());
      if (blocks.size() < 2000) {
        const std::vector<uint32_t> again = blocks;
        blocks.insert(blocks.end(), again.begin(), again.end());
      }
    }
    ByteWriter bytes;
    write_nest(blocks, bytes);
    std::vector<uint32_t> back;
    RC_ASSERT(read_nest(bytes.bytes(), back));
    RC_ASSERT(back == blocks);
  });
}

TEST_CASE("bytes that are no nest are refused") {
  std::vector<uint32_t> blocks;
  CHECK_FALSE(read_nest(std::vector<uint8_t>{0x80}, blocks));
  CHECK_FALSE(read_nest(std::vector<uint8_t>{2 << 1 | 1, 3, 2}, blocks));
  CHECK(read_nest(std::vector<uint8_t>{}, blocks));
}

TEST_CASE("a trace's control flow is that of its threads, and of those only that executed something") {
  const test::SmallProgram program = test::small_program();
  const ControlFlow flow = read_control_flow(test::open_bytes(program.bytes()));
  std::map<uint32_t, std::vector<uint32_t>> want;
  for (const auto& e : program.events)
    if (e.event.kind == EventKind::kBlock || e.event.kind == EventKind::kPartial)
      want[e.event.thread.value].push_back(e.event.block.value);
  REQUIRE(flow.threads.size() == want.size());
  size_t at = 0;
  for (const auto& [thread, blocks] : want) {
    CHECK(std::vector<uint32_t>(flow.threads[at].begin(), flow.threads[at].end()) == blocks);
    ++at;
  }
}

TEST_CASE("a loop takes every form but gzip a few bytes") {
  const test::Tables tables = test::small_program().tables();
  ControlFlow flow;
  flow.threads.resize(2);
  for (auto& blocks : flow.threads)
    for (int i = 0; i < 100000; ++i)
      for (const uint32_t b : {test::kCallF, test::kF, test::kLoopAgain}) blocks.push_back(b);
  for (const auto& [form, bytes] : sizes(flow, tables.blocks)) {
    INFO(form);
    CHECK(bytes > 0);
    CHECK(bytes < (form == "gzip -9" ? 10000 : 600));
  }
}

TEST_CASE("nothing takes next to nothing in every form") {
  const test::Tables tables = test::small_program().tables();
  for (const auto& [form, bytes] : sizes(ControlFlow(), tables.blocks)) {
    INFO(form);
    CHECK(bytes < 64);
  }
}

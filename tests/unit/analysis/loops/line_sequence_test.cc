// SPDX-License-Identifier: GPL-2.0-or-later
// How often a loop's lines come: as often as it has iterations, whatever a compiler makes of it.
#include "cdrgrind/analysis/loops/trace_sequence.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/control_forms.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;

namespace {

// Instructions have 4 bytes; which line each belongs to is said by a character, '1' is line 1.
struct Code final : analysis::CodeNames {
  explicit Code(std::string lines) : text(std::move(lines)) {
    Module module;
    module.path = "/bin/f";
    module.text = {kText, kText + 0x1000};
    tables.modules.add(module);
  }
  analysis::LineRef line_of(CodeAddr at) override {
    return {"f.c", static_cast<uint32_t>(text.at((at.addr - kText) / 4) - '0')};
  }
  std::string_view function_of(CodeAddr) override { return "f"; }
  // Instructions `from` to `end`, left by a jump to `target`.
  uint32_t block(uint16_t from, uint16_t end, uint16_t target) {
    const SuperblockParts sb =
        straight(kText + 4u * from, static_cast<uint16_t>(end - from), ExitKind::kBranch, kText + 4u * target);
    return tables.blocks.add_block(tables.blocks.add_superblock(sb.view()), 0).value;
  }
  void run(uint32_t block, int times = 1) {
    for (; times > 0; --times) events.emplace_back(block_of(1, block));
  }
  // Of the trace in both forms.
  std::string sequence() {
    const std::string plain = sequence_in({}), compact = sequence_in(compact_in_form(0));
    CHECK(plain == compact);
    return plain;
  }

  std::string text;
  Tables tables;
  std::vector<OwnedEvent> events;

 private:
  std::string sequence_in(const RecordingOptions& options) {
    const trace::TraceFile file = open_bytes(record(tables, events, options));
    const analysis::Watch watch;
    analysis::WatchedPart watched(watch, "", 0);
    paths::BasicBlocks blocks(file.blocks());
    const auto found = loops::read_trace_sequences(file, loops::SequenceOf::kLines, ThreadId(), 1000, *this, blocks,
                                                   nullptr, {}, watched);
    REQUIRE(found.size() == 1);
    std::string spelled;
    for (size_t i = 0; i < found[0].symbols.size(); ++i)
      spelled += text.at((found[0].meanings[found[0].symbols[i]].at.addr - kText) / 4);
    return spelled;
  }
};

std::string times(int n, const std::string& body) {
  std::string all;
  for (; n > 0; --n) all += body;
  return all;
}

}  // namespace

TEST_CASE("lines that are mixed in one block are no repetition") {
  Code code("143434");
  code.run(code.block(0, 6, 2));
  code.run(code.block(2, 6, 2), 99);
  CHECK(code.sequence() == "1" + times(100, "34"));
}

TEST_CASE("a loop on one line that is entered at its test has no iteration more for it") {
  Code code("12222");
  const uint32_t entry = code.block(0, 2, 3), body = code.block(2, 3, 3), test = code.block(3, 5, 2);
  code.run(entry);
  code.run(test);
  for (int i = 0; i < 100; ++i) {
    code.run(body);
    code.run(test);
  }
  CHECK(code.sequence() == "1" + times(100, "2"));
}

TEST_CASE("nor one less if it is entered at its body") {
  Code code("1222");
  code.run(code.block(0, 4, 2));
  code.run(code.block(2, 4, 2), 99);
  CHECK(code.sequence() == "1" + times(100, "2"));
}

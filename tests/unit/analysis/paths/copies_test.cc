// SPDX-License-Identifier: GPL-2.0-or-later
// What is counted of copies at once is what is counted event by event: of a compact trace and of the same as a plain
// one, in which nothing is passed over.
#include "cdrgrind/analysis/loops/trace_sequence.h"
#include "cdrgrind/analysis/paths/block_reader.h"
#include "cdrgrind/analysis/paths/path_profile.h"
#include "cdrgrind/analysis/regions/jump_log.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/control_forms.h"
#include "tests/unit/trace/looping_program.h"

using namespace cdr;
using namespace cdr::test;

namespace {

// Every 64 bytes are a line, every 512 a function.
struct Names final : analysis::CodeNames {
  analysis::LineRef line_of(CodeAddr at) override { return {"f.c", static_cast<uint32_t>(1 + at.addr / 64 % 1000)}; }
  std::string_view function_of(CodeAddr at) override {
    static const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g"};
    return names[at.addr / 512 % names.size()];
  }
};

analysis::CodeOwners owners_of(const trace::TraceFile& file, uint32_t seed) {
  analysis::CodeOwners owners;
  owners.libraries.resize(file.modules().size() + 1);
  for (uint32_t sb = 0; sb <= file.blocks().superblock_count(); ++sb)
    owners.superblocks.push_back((sb * 7 + seed) % 5 < seed / 2 % 6 ? analysis::CodeOwner::kLibrary
                                                                    : analysis::CodeOwner::kProgram);
  return owners;
}

struct Found {
  std::vector<std::vector<uint64_t>> paths;
  std::vector<loops::TraceSequence> sequences;
};

void add_paths(const trace::TraceFile& file, ThreadId only, analysis::ProgramPart* part, Found& to) {
  const analysis::Watch watch;
  analysis::WatchedPart watched(watch, "", 0);
  paths::BasicBlocks blocks(file.blocks());
  paths::PathProfile profile(blocks);
  paths::read_basic_blocks(file, only, blocks, part, profile, watched);
  to.paths.push_back({profile.executions(), profile.instructions(), profile.left_out(), profile.paths()});
  for (const bool by_thread : {false, true})
    for (const paths::HotPath& p : profile.hottest(SIZE_MAX, by_thread)) {
      to.paths.push_back({p.id, p.thread.value, p.trips, p.insns, p.library});
      to.paths.back().insert(to.paths.back().end(), p.blocks.begin(), p.blocks.end());
    }
}

void add_sequences(const trace::TraceFile& file, ThreadId only, analysis::ProgramPart* part, loops::SequenceOf of,
                   Found& to) {
  const analysis::Watch watch;
  analysis::WatchedPart watched(watch, "", 0);
  Names names;
  paths::BasicBlocks blocks(file.blocks());
  auto found = loops::read_trace_sequences(file, of, only, 1 << 30, names, blocks, part, {}, watched);
  for (auto& s : found) to.sequences.push_back(std::move(s));
}

Found found_in(const trace::TraceFile& file, ThreadId only, bool program, uint32_t seed) {
  const analysis::CodeOwners owners = owners_of(file, seed);
  Found found;
  const auto with_part = [&](auto f) {
    analysis::ProgramPart part(file.blocks(), file.modules(), owners);
    f(program ? &part : nullptr);
  };
  with_part([&](auto* part) { add_paths(file, only, part, found); });
  using loops::SequenceOf;
  for (const auto of :
       {SequenceOf::kBlocks, SequenceOf::kLines, SequenceOf::kCalls, SequenceOf::kPaths, SequenceOf::kSync})
    with_part([&](auto* part) { add_sequences(file, only, part, of, found); });
  return found;
}

}  // namespace

TEST_CASE("paths, sequences and jumps of a trace that repeats itself are those that its events make one by one") {
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    const WalkingProgram p = looping_program(seed, 250);
    RecordingOptions plain;
    plain.form = RecordingForm::kPlain;
    const trace::TraceFile slow = open_bytes(record(p.tables, p.events, plain));
    const trace::TraceFile fast =
        open_bytes(record(p.tables, p.events, compact_in_form(seed, seed % 5 == 0 ? 300 : 1 << 24)));
    for (const bool program : {false, true})
      for (const ThreadId only : {ThreadId(), ThreadId(1)}) {
        INFO("seed " << seed << ", program " << program << ", thread " << only.value);
        const Found a = found_in(slow, only, program, seed), b = found_in(fast, only, program, seed);
        REQUIRE(a.paths == b.paths);
        REQUIRE(a.sequences.size() == b.sequences.size());
        for (size_t i = 0; i < a.sequences.size(); ++i) {
          REQUIRE(loops::same_sequence(a.sequences[i], b.sequences[i]));
          REQUIRE(a.sequences[i].left_out == b.sequences[i].left_out);
        }
      }
    const regions::JumpLog one(slow), other(fast);
    for (uint32_t sb = 1; sb <= p.tables.blocks.superblock_count(); ++sb) {
      REQUIRE(std::ranges::equal(one.jump_targets(SuperblockId(sb)), other.jump_targets(SuperblockId(sb))));
      REQUIRE(std::ranges::equal(one.landings(SuperblockId(sb)), other.landings(SuperblockId(sb))));
    }
  }
}

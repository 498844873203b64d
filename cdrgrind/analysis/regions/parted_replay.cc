// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/parted_replay.h"

#include <array>
#include <optional>

namespace cdr::regions {
namespace {

class ReplayPart final : public RunSink {
 public:
  // The first part's loops are the input's own.
  ReplayPart(const trace::TraceFile& file, const ReplayInput& input, unsigned parts, unsigned part)
      : registers_(part == 0 ? input.registers : input.registers.cuts_only()) {
    if (part > 0) loops_.emplace(file.blocks(), input.jumps, input.facts);
    replay_.emplace(file.blocks(), input.library, loops_ ? *loops_ : input.loops, registers_, input.flows, input.facts,
                    input.facts, ReplayOptions{input.threads, nullptr, {parts, part}});
  }

  void block(ThreadId thread, BlockId id, std::span<const uint64_t> words) override {
    replay_->see(thread, Steps(std::array{step_of(id, words)}));
  }
  void event(const Event& e) override { replay_->see(e); }
  void run(ThreadId thread, Steps run) override { replay_->see(thread, run); }

  std::vector<CrossingHit> take_crossings(PartedRegions& all) { return replay_->rows().take_crossings(all); }
  Replay& replay() { return *replay_; }

 private:
  RegisterFlow registers_;
  std::optional<CodeLoops> loops_;
  std::optional<Replay> replay_;
};

class ReplayParts final : public analysis::CountedParts<ReplayPart, PartedRegions> {
 public:
  ReplayParts(const trace::TraceFile& file, const ReplayInput& input, unsigned parts) {
    for (unsigned p = 0; p < parts; ++p) parts_.emplace_back(file, input, parts, p);
  }

  Regions finish(StaticData& statics) {
    std::vector<Replay*> replays;
    for (ReplayPart& p : parts_) {
      p.replay().finish();
      replays.push_back(&p.replay());
    }
    return all_.take(replays, statics);
  }
};

}  // namespace

Regions replay_by_parts(const trace::TraceFile& file, const ReplayInput& input, unsigned parts,
                        const analysis::EventsRead& read) {
  ReplayParts all(file, input, parts);
  if (parts == 1)
    analysis::hand_out(file, all.part(0), read);
  else
    analysis::hand_out(file, all, read);
  return all.finish(input.facts);
}

}  // namespace cdr::regions

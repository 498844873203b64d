// SPDX-License-Identifier: GPL-2.0-or-later
// The second look at a compact trace (collector.h), a rule of the control paths at a time. What stands between two
// events that may order is one range of executions of each block; the range of a block's words becomes progressions by
// the grammar of its address stream, and equal ones are worked out once. Blocks that need more care, and all other
// events, go to the collector one by one. Its answer is that of the collector when it is given all events.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_COMPACT_COLLECTOR_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_COMPACT_COLLECTOR_H

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/races/source/access_classes.h"
#include "cdrgrind/analysis/races/source/collector.h"
#include "cdrgrind/analysis/races/source/repeated_looks.h"
#include "cdrgrind/analysis/races/source/symbol_effects.h"
#include "cdrgrind/analysis/races/source/thread_roles.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/trace/index/path_walk.h"
#include "cdrgrind/trace/read/address_reader.h"

namespace cdr::races {

class CompactCollector final : public trace::PathWalk::Reader {
 public:
  CompactCollector(const CompactCollector&) = delete;
  CompactCollector& operator=(const CompactCollector&) = delete;
  ~CompactCollector() {
    to_.before_order({});
    to_.find_bases({});
  }
  CompactCollector(trace::Seeker& seeker, const CompactFirstPass& first_pass, const BlockRoles& roles,
                   const RuntimeCode& runtime, analysis::WatchedPart& part, Collector& to)
      : seeker_(seeker),
        blocks_(seeker.file().blocks()),
        first_pass_(first_pass),
        roles_(roles),
        runtime_(runtime),
        part_(part),
        to_(to) {
    to_.before_order([this](ThreadId t) {
      if (!handing_over_) hand_over(t);
    });
    to_.find_bases([this](ThreadId t, uint64_t index) { return bases_at(t, index); });
  }

  // Called before each event that is no block and follows from none.
  void before_events(std::function<void(const Event&, uint64_t)> f) { before_ = std::move(f); }

  void begin_epoch(uint32_t number, trace::EpochIndex& epoch, const trace::PathShapes& shapes) override;
  void end_epoch() override;
  uint32_t pass(ThreadId thread, uint32_t symbol, uint32_t copies, uint64_t index) override;
  void block(ThreadId thread, BlockId id, uint64_t index) override;
  void follow(const Event& e, uint64_t) override;
  void event(const Event& e, uint64_t index) override;

 private:
  // Executions of a block since the thread's ranges were last handed over.
  struct Pending {
    BlockId block;
    uint64_t begin = 0;  // number of the first
    uint64_t index = 0;  // of its event
  };
  struct Range {
    uint64_t begin = 0, end = 0;
  };
  // SP at the entries of frames, where it was looked for; the first stands for all that are older.
  using Frames = std::vector<std::optional<uint64_t>>;
  using FramesByBlock = std::vector<std::optional<const FrameOf*>>;
  struct ThreadExecutions {
    std::unordered_map<uint32_t, Frames> stacks;  // by stack; 0: the one on which the thread was as the epoch began
    uint32_t stack = 0;
    ThreadRoles::Kind* kind = nullptr;
    std::vector<uint64_t> executed;  // by block, in the epoch
    std::vector<uint32_t> position;  // by block: in pending, + 1
    std::vector<Pending> pending;
    std::vector<std::vector<Range>> runtime;  // by block: executions that only count
  };
  // What a block's access touched of shared memory in a range of executions.
  struct Kept {
    const Pending* pending = nullptr;
    const Access* access = nullptr;
    uint32_t number = 0;  // of the access
    const trace::AddressStream* stream = nullptr;
    uint64_t plus = 0;         // addresses less values
    uint64_t value_begin = 0;  // of the stream
    const AccessClass* what = nullptr;
  };

  // What was handed over once: the accesses, and what became of them.
  struct HandedOver {
    struct Part {
      BlockId block;
      uint32_t number = 0;  // of the access
      uint64_t what = 0;    // number of the AccessClass
      bool operator==(const Part&) const = default;
    };
    std::vector<Part> parts;
    std::vector<GenerationId> generations;  // of the parts; none if a part lies in several
    LockSetId locks = 0;                    // of FILEs, that the thread held
    uint64_t version = 0;                   // of the generations
    Collector::RepeatedRuns* runs = nullptr;
  };

  // In place of the calls that a symbol touches, if it can be passed over.
  struct After {
    bool passes = false;
    std::vector<analysis::CallFrame> frames;
    ModuleId last;
    bool jumped = false;
    static uint64_t mark(const analysis::CallFrame& f) { return f.base << 32 ^ f.site.addr ^ f.from.addr << 16; }
  };
  using Effects = SymbolEffects<analysis::CallFrame, After>;

  ThreadExecutions& at(ThreadId t) {
    if (t.value < threads_.size() && threads_[t.value].kind) return threads_[t.value];
    return first_at(t);
  }
  ThreadExecutions& first_at(ThreadId t);
  void touch_all(ThreadId thread, const SymbolCounts::Summary& all, uint32_t copies, uint64_t index);
  bool passes_level(ThreadId thread, uint32_t symbol, const trace::PathShape& shape);
  size_t depth_of(ThreadId thread, uint32_t symbol);
  bool pass_known(ThreadId thread, uint32_t symbol, uint64_t index);
  uint32_t pass_repeated(ThreadId thread, uint32_t symbol, const SymbolCounts::Summary& all, uint32_t copies,
                         uint64_t index);
  uint32_t pass_seen(ThreadId thread, uint32_t symbol, const SymbolCounts::Summary& all, uint64_t index);
  uint32_t alike(ThreadId thread, uint32_t symbol, const SymbolCounts::Summary& all, uint32_t copies);
  Effects::Effect effect_of(ThreadId thread, uint32_t symbol, uint64_t state, size_t depth);
  Frames& frames(ThreadId t);
  void touch(ThreadExecutions& t, BlockId id, uint64_t n, uint64_t index, BlockRole role);
  void visit(ThreadId thread, BlockId id, uint64_t index);
  void read_words(ThreadId thread, BlockId id, uint64_t execution, uint64_t index);
  void change_frames(const Event& e);
  uint64_t frame_sp(ThreadId thread, BlockId id, uint64_t index);
  uint64_t frame_sp_at(uint64_t index);
  std::vector<uint64_t> bases_at(ThreadId thread, uint64_t index);
  const FrameOf* frame_of(ThreadId thread, BlockId id);
  bool may_be_shared(ThreadId thread, BlockId id, const AroundWord& around, uint64_t word);
  void hand_over(ThreadId thread);
  void hand_over_all();
  void collect(ThreadId thread, ThreadExecutions& t, const Pending& p);
  AccessPosition first_place(ThreadId thread, const Kept& k, std::optional<GenerationId> generation) const;
  uint64_t index_of_execution(ThreadId thread, BlockId id, uint64_t n) const;
  void keep_all(ThreadId thread);
  bool is_kept_as(const HandedOver& h) const;
  bool lies_as_before(HandedOver& h);
  std::vector<GenerationId> generations_of_kept();
  void keep(ThreadId thread, const Kept& k);
  void keep_part(ThreadId thread, const Kept& k, GenerationId generation, std::span<const Progression> runs);
  void forget(ThreadId thread);
  void count_runtime(ThreadId thread, ThreadExecutions& t);
  uint64_t count_shared(ThreadId thread, BlockId id, const Access& a, Range r);
  uint64_t count_one_by_one(ThreadId thread, BlockId id, const trace::AddressStream& s, const Access& a, Range r);

  trace::Seeker& seeker_;
  const BlockTable& blocks_;
  const CompactFirstPass& first_pass_;
  const BlockRoles& roles_;
  const RuntimeCode& runtime_;
  analysis::WatchedPart& part_;
  Collector& to_;
  std::function<void(const Event&, uint64_t)> before_;
  trace::EpochIndex* epoch_ = nullptr;
  const trace::PathShapes* shapes_ = nullptr;
  uint32_t number_ = 0;
  std::optional<ThreadRoles> thread_roles_;
  std::optional<AccessClasses> classes_;
  std::optional<trace::AddressReader> words_of_special_;
  std::optional<RepeatedLooks> looks_;
  uint32_t standing_for_ = 1;  // copies: what comes before `standing_end_`
  uint64_t standing_end_ = 0;
  Effects effects_;
  std::vector<ThreadExecutions> threads_;
  std::vector<uint64_t> words_;
  std::vector<Kept> kept_;
  bool handing_over_ = false;
  FlatMap<uint64_t, uint32_t> handed_over_at_;  // by hash: in handed_over_, + 1; 0: it came once
  std::deque<HandedOver> handed_over_;
  Collector::RepeatedRuns::Parts* note_parts_ = nullptr;  // of what is being kept, if wanted
  std::vector<FramesByBlock> frame_of_;                   // by thread
};

}  // namespace cdr::races

#endif

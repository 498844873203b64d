// SPDX-License-Identifier: GPL-2.0-or-later
// The second look at a trace: what every segment accessed of shared memory, and how segments are ordered. Leaves
// out what cannot race: hide regions, and the runtime's accesses to its own data (runtime_code.h).
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_COLLECTOR_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_COLLECTOR_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/analysis/events/visit.h"
#include "cdrgrind/analysis/races/core/collected.h"
#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/analysis/races/core/options.h"
#include "cdrgrind/analysis/races/core/past_finder.h"
#include "cdrgrind/analysis/races/core/strand_clocks.h"
#include "cdrgrind/analysis/races/core/sync_edges.h"
#include "cdrgrind/analysis/races/policy/atomic_order.h"
#include "cdrgrind/analysis/races/policy/both_counts.h"
#include "cdrgrind/analysis/races/policy/clib_order.h"
#include "cdrgrind/analysis/races/policy/file_locks.h"
#include "cdrgrind/analysis/races/policy/futex_waits.h"
#include "cdrgrind/analysis/races/policy/mpi_runtime.h"
#include "cdrgrind/analysis/races/policy/runtime_accesses.h"
#include "cdrgrind/analysis/races/policy/runtime_code.h"
#include "cdrgrind/analysis/races/source/first_pass.h"
#include "cdrgrind/analysis/races/source/member_memory.h"
#include "cdrgrind/analysis/races/source/stack_words.h"
#include "cdrgrind/analysis/races/source/strand_memory.h"
#include "cdrgrind/analysis/races/source/task_frames.h"
#include "cdrgrind/analysis/walk/event_stream.h"

namespace cdr::races {

using analysis::EventWalk;
using analysis::Passage;

class Collector final : StrandClocks::Owner {
 public:
  Collector(const trace::TraceFile& file, const FirstPass& first_pass, const RuntimeCode& runtime, CodeFacts& facts,
            SpinLoops& spins, const RaceOptions& options);

  void event(const Event& e, uint64_t index);
  void finish();
  Collected& result() { return to_; }
  // For those who only listen: the sets stay empty. `known`: an earlier look's segments, if their numbers are to be
  // told by where they began, since what is followed leaves out accesses that began some.
  void keep_no_sets(const Segments* known);
  bool keeps_sets() const { return keeps_sets_; }
  // Whether the program's code has touched more of RuntimeCode::unexported than RuntimeCode::results has; and both.
  bool has_new_results() const { return has_new_results_; }
  RangeSet take_results() { return std::move(results_); }
  // The same of words on stacks that were presumed to be atomic; and with what is known of these, before events: null
  // if all of them are what they were presumed to be.
  bool has_presumed_too_much() const { return words_ && words_->has_presumed_too_much(); }
  WordLives take_lives() { return words_->take_lives(); }
  void know(const WordLives* lives) {
    lives_ = lives;
    words_.reset();
  }
  // All is to be collected again without forgetting (PastFinder).
  bool lacks_some() const { return past_ && past_->went_wrong(); }
  // In place of events, if they touch nothing shared and leave all as it was. Else false.
  bool pass(EventWalk& walk, const Passage& p);
  // What comes is the same again, so often (event_stream.h). It must store to nothing shared.
  bool may_stand_for(EventWalk& walk, const Passage& p);
  void stand_for(uint32_t copies) { copies_ = copies; }
  // The same for listeners, of copies of so many events; and when the first one has been read.
  void repeats() {
    if (listener_) listener_->repeats();
  }
  void repeated(uint32_t times, uint64_t events) {
    if (listener_) listener_->repeated(times, events);
  }
  // For those who follow the same events: what decides whether an access counts.
  analysis::CallStacks& stacks() { return stacks_; }
  SyncEdges& order() { return order_; }
  StrandClocks* strands() { return strands_ ? &*strands_ : nullptr; }
  // Where the task was created that the thread executes (TaskFrames::creation()).
  std::vector<CodeAddr> creation(ThreadId t) const { return frames_.creation(t); }
  // Where the function stood then in whose frame the address lies (TaskFrames::stood()).
  CodeAddr stood(ThreadId t, uint64_t addr, CodeAddr created) { return frames_.stood(t, addr, created); }

  // Told of every access that is kept, when it is kept.
  struct Kept {
    AccessPosition at;
    ThreadId thread;  // or strand
    StreamId stream = 0;
    uint64_t addr = 0, width = 0;
    bool whole_event = false;  // a system call's, a free
    ThreadId on;               // which executed it
  };
  class Listener {
   public:
    virtual void kept(const Kept& k) = 0;
    virtual void segment_begins(ThreadId t, SegmentNumber n) = 0;
    // What is kept from now on comes again and again: so many more times, each so many events later. Nothing else does.
    virtual void repeats() {}
    virtual void repeated(uint32_t /*times*/, uint64_t /*events*/) {}

   protected:
    ~Listener() = default;
  };
  void listen(Listener* l) { listener_ = l; }

  // --- instead of events, for those who know what they did (compact_collector.h) ---

  // Streams have the numbers that they have there.
  void begin_with(const Sites& sites) { to_.sites = sites; }
  // Those seen so far.
  const Sites& sites() const { return to_.sites; }
  // A block of which only these accesses may lead to shared memory; by number, ascending.
  void block_accesses(const Event& e, uint64_t index, std::span<const uint16_t> accesses);
  void block_passes(ThreadId t, BlockId id) { stacks_.block(t, id); }
  void follows(const Event& call_or_return) {
    stacks_.event(call_or_return);
    if (words_) words_->followed(call_or_return);
  }
  // As CallStacks::replace_innermost() does.
  void replace_innermost(ThreadId t, size_t count, std::span<const analysis::CallFrame> with, ModuleId last,
                         bool jumped) {
    stacks_.replace_innermost(t, count, with, last, jumped);
    if (words_) words_->replaced(t, stacks_.frames(t).size() - with.size() + 1);
  }
  bool hides(ThreadId t) { return part(t).hide_depth != 0; }
  bool inside_operation(ThreadId t) { return in_operation(t); }
  // Whether what library code accesses now is its own.
  bool inside_runtime(ThreadId t) { return in_operation(t) || stacks_.top(t).hidden; }
  // Whether what the thread did before its next block may be told later: that is in the same segment, which has begun,
  // whatever the block does. But f is called first where it comes to more than accesses.
  bool goes_on_in_segment(ThreadId t) {
    return keeps_sets_ && !strands_ && first_pass_.spin_flags.empty() && to_.segments.is_open(t) &&
           !waits_.is_waiting(t) && part(t).awaited.empty();
  }
  void before_order(std::function<void(ThreadId)> f) { before_order_ = std::move(f); }
  void find_bases(StackWords::FindBases f) {
    if (words_) words_->find_bases(std::move(f));
  }
  void left_out(uint64_t accesses) { to_.runtime_accesses += accesses; }
  // The thread accesses shared memory at that place, if not before; keep_runs() follows.
  void begin_runs(ThreadId t, AccessPosition first);
  // Of an instruction of the program that orders nothing, all of one generation; folded.
  void keep_runs(ThreadId t, StreamId stream, std::span<const Progression> runs);
  // What keep_runs() would be told again and again.
  struct RepeatedRuns {
    using Parts = std::vector<std::pair<StreamId, std::vector<Progression>>>;
    Parts parts;
    SegmentClasses::Id id = 0;  // of a segment that has nothing else
    AccessPosition first;       // no stream's first access is behind that
    size_t freed = 0;           // so many blocks had been freed, and none of them is touched, if `clear`
    bool clear = false;
  };
  // There is one for equal parts. It stays.
  RepeatedRuns& repeated(RepeatedRuns::Parts parts);
  // In place of keep_runs(): of that first access of the thread, of parts that were kept before.
  void keep_repeated(ThreadId t, RepeatedRuns& r);
  StreamId plain_stream(ThreadId t, BlockId id, const Access& a, GenerationId generation);
  LockSetId file_locks(ThreadId t) { return part(t).file_locks; }
  const Generations& generations() const { return to_.generations; }
  const Generations::Found& generation_at(uint64_t addr) { return recent_.found(addr); }
  // The stream's first access is at that place or before it.
  void came_first(StreamId stream, AccessPosition at) {
    if (stream >= first_.size()) first_.resize(stream + 1, kNever);
    first_[stream] = std::min(first_[stream], at);
  }
  AccessPosition first_of(StreamId stream) const { return stream < first_.size() ? first_[stream] : kNever; }
  // Numbers streams by their first accesses.
  void number_streams();

 private:
  // Numbers by stream, in pages: a thread has few of them.
  class StreamPositions {
   public:
    uint32_t& operator[](StreamId s) {
      if (s / kPage >= pages_.size()) pages_.resize(s / kPage + 1);
      auto& page = pages_[s / kPage];
      if (!page) page = std::make_unique<std::array<uint32_t, kPage>>();
      return (*page)[s % kPage];
    }

   private:
    static constexpr size_t kPage = 256;
    std::vector<std::unique_ptr<std::array<uint32_t, kPage>>> pages_;
  };
  // The open segment of a thread.
  struct OpenStream {
    StreamId stream = 0;
    Folder folder;
  };
  struct SeenFlag {
    uint64_t addr = 0, width = 0;
    std::vector<AtomicOrder::Gift> given;  // by who wrote it
  };
  struct ThreadPart {
    uint32_t hide_depth = 0;
    LockSetId file_locks = 0;  // held
    SegmentNumber segment = 0;
    const RepeatedRuns* whole = nullptr;  // all that it has; `open` is not used then
    std::vector<OpenStream> open;
    size_t used = 0;                // of `open`: folders are kept for the next segment
    StreamPositions position;       // indices in `open`, valid if open[i].stream is the stream and i < used
    uint32_t spins_in = 0;          // a loop that waits; 0: none
    std::vector<SeenFlag> flags;    // as it saw them last
    std::vector<SeenFlag> awaited;  // words of loops that wait in the kernel, since it last went on

    // What is open.
    void take(std::vector<SegmentClasses::Entry>& to);
  };
  struct SiteSlot {
    bool known = false;
    bool atomic = false;  // with `generation`: of the stream that it had last
    CodeAddr from;        // of library code: who called it last
    SiteId site = 0;
    GenerationId generation = 0;
    LockSetId locks = 0;
    StreamId stream = 0;
  };
  struct KnownLine {
    uint64_t end = 0;     // number + 1; 0: none
    bool shared = false;  // some of it
  };
  // What decides whose the accesses of an event are.
  struct Executing {
    uint64_t index = ~uint64_t{0};  // of the event
    ModuleId module;
    bool library = false;
    bool in_runtime = false, in_operation = false;
  };
  static constexpr StreamId kNoStream = ~StreamId{0};
  static constexpr size_t kFewestOfClass = 16;  // entries
  enum class Answer : uint8_t { kNotAsked, kNo, kYes };

  template <class T>
  using ByAccess = std::vector<std::vector<T>>;  // by superblock, access
  template <class T>
  T& of_access(ByAccess<T>& table, BlockId block, const Access& a) {
    const uint32_t number = blocks_.block(block).superblock.value;
    if (number >= table.size()) table.resize(number + 1);
    const auto accesses = blocks_.superblock_of(block).accesses;
    if (table[number].empty()) table[number].resize(accesses.size());
    return table[number][static_cast<size_t>(&a - accesses.data())];
  }
  ThreadPart& part(ThreadId t) {
    if (t.value < parts_.size() && parts_[t.value]) return *parts_[t.value];
    return first_part(t);
  }
  ThreadPart& first_part(ThreadId t);
  // A parallel one, or MPI's.
  bool in_runtime(ThreadId t) {
    return (strands_ && strands_->in_runtime(t)) || (mpi_.any() && mpi_.in_runtime(t, stacks_.module(t)));
  }
  bool in_operation(ThreadId t) { return order_.in_operation(t) || in_runtime(t); }
  ThreadId strand_of(ThreadId t, uint64_t addr, uint64_t width, GenerationId generation) {
    return strands_ ? strand_in_team(t, addr, width, generation) : t;
  }
  // f(strand, address, width) for all of an access: its words may be different ones'.
  template <class F>
  void for_strands(ThreadId t, uint64_t addr, uint64_t width, GenerationId generation, F f) {
    if (!strands_ || !strands_->running(t)) return f(t, addr, width);
    const uint64_t begun = to_.generations.begun(generation);
    const auto alike = [&](uint64_t at, uint64_t most) {
      return std::min(first_pass_.iterations.alike(at, most, begun), first_pass_.parts.alike(at, most, begun));
    };
    const uint64_t end = addr + width;
    uint64_t next = addr + alike(addr, width);
    ThreadId by = strand_in_team(t, addr, next - addr, generation);
    while (next < end) {
      const uint64_t n = alike(next, end - next);
      const ThreadId other = strand_in_team(t, next, n, generation);
      if (other != by) {
        f(by, addr, next - addr);
        by = other;
        addr = next;
      }
      next += n;
    }
    f(by, addr, end - addr);
  }
  ThreadId strand_in_team(ThreadId t, uint64_t addr, uint64_t width, GenerationId generation);
  // Before it gets or gives what no operation tells.
  void before_get(ThreadId t) {
    if (before_order_) before_order_(t);
    if (strands_) strands_->before_get(t);
  }
  void strand_begins(ThreadId on, const strands::Strand& s) override;
  void strand_ends(ThreadId on, const strands::Strand& s, ThreadId strand) override;
  void task_data(ThreadId by, AddrRange data) override;
  void asked(ThreadId by, uint64_t team, bool for_copies) override;
  void copy_is_itself(ThreadId /*by*/, uint64_t team, uint64_t variable) override {
    members_.note_own_copy(team, variable);
  }
  LockSetId lock_set(std::vector<LockKey> locks) override { return to_.sites.lock_set(std::move(locks)); }
  void mark_runtime(GenerationId id);
  bool is_of_runtime(GenerationId g) const { return g < runtime_blocks_.size() && runtime_blocks_[g]; }
  void other_event(const Event& e, uint64_t index);
  // Most accesses are to few lines: these are remembered.
  bool is_unshared(uint64_t addr, uint64_t width) {
    const uint64_t line = addr / kLine;
    if ((addr + width - 1) / kLine == line) {
      KnownLine& known = known_lines_[line % known_lines_.size()];
      if (known.end != line + 1) known = {line + 1, is_shared(line * kLine, kLine)};
      if (!known.shared) return true;
    }
    return !is_shared(addr, width);
  }
  bool is_shared(uint64_t addr, uint64_t width) const {
    return first_pass_.sharing.shared(addr, width) || first_pass_.iterations.ever_shared(addr, width);
  }
  bool is_unshared(const Progression& p) {
    return for_each_span(p, kLine, [&](uint64_t addr, uint64_t width) {
      for (uint64_t at = addr, next; at < addr + width; at = next) {
        next = std::min(addr + width, (at / kLine + 1) * kLine);
        if (!is_unshared(at, next - at)) return false;
      }
      return true;
    });
  }
  bool are_unshared(std::span<const Progression> all) {
    return std::all_of(all.begin(), all.end(), [&](const Progression& one) { return is_unshared(one); });
  }
  void access(const Event& e, uint64_t index, const analysis::Seen& seen);
  const Executing& executing(ThreadId t, uint64_t index) {
    if (executing_.index != index) {
      const ModuleId module = stacks_.module(t);
      const bool runtime = in_runtime(t);
      executing_ = {index, module, runtime_.library[module.value], runtime, runtime || order_.in_operation(t)};
    }
    return executing_;
  }
  void see_private(ThreadId t, const analysis::Seen& seen);
  SiteSlot* slot_of(const Event& e, const analysis::Seen& seen, bool library);
  StreamId stream_of(SiteSlot* slot, SiteId site, GenerationId generation, bool atomic, LockSetId locks);
  Site make_site(const Event& e, const analysis::Seen& seen);
  bool modifies(const Event& e, const analysis::Seen& seen);
  bool loads_both_counts(const Event& e, const analysis::Seen& seen, GenerationId generation);
  bool has_other_half(const Superblock& sb, const Access& a);
  // Atomic whatever else is known.
  bool is_certain(const Event& e, const Access& a) const {
    return (a.flags & kAccessAtomic) || spins_.is_told(blocks_.block(e.block).superblock, a);
  }
  bool is_word_of_stack(uint64_t addr, uint64_t width, GenerationId generation) const;
  void see_word(const Event& e, uint64_t index, const analysis::Seen& seen, GenerationId where, const Site& site,
                bool atomic);
  bool may_be_atomic_store(const Site& site, const Event& e, const analysis::Seen& seen);
  bool atomic_access(const Site& site, const Event& e, uint64_t index, const analysis::Seen& seen,
                     GenerationId generation);
  void keep(const Kept& k);
  void enter_segment(ThreadId on, ThreadId t, AccessPosition at, const Kept* access);
  OpenStream& open_stream(ThreadPart& p, StreamId stream);
  void open_whole(ThreadPart& p);
  void note_runs(ThreadId t, StreamId stream, std::span<const Progression> runs);
  void order_by_access(const Event& e, const Site& site, const analysis::Seen& seen, GenerationId where, bool atomic);
  void order_by_atomic(ThreadId t, const analysis::Seen& seen, const AtomicOperation& operation);
  AtomicOperation operation_of(const Event& e, const Site& site, const analysis::Seen& seen);
  Site event_site(ThreadId t);
  void free_block(const Event& e, uint64_t index);
  bool is_of_linker(GenerationId block) const;
  void follow_frames(const Event& e, uint64_t index);
  void note_last(ThreadId t, BlockId block) {
    if (t.value >= last_blocks_.size()) last_blocks_.resize(t.value + 1);
    last_blocks_[t.value] = block;
  }
  TaskFrames::Frame* known_frame(ThreadId t, uint64_t addr);
  void leave_frame(ThreadId t, TaskFrames::Frame& f, AccessPosition at);
  bool is_by_clib(ThreadId t) { return runtime_.clib[event_site(t).ip.module.value]; }
  bool is_of_clib(const Sync& s) const;
  bool orders_nothing(const Event& e);
  void enter_clib(const Event& e);
  void see_file_lock(ThreadId t, const Executing& by, const analysis::Seen& seen);
  void note_file_locks(ThreadId t);
  LockSetId locks(ThreadId t) {
    return strands_ ? to_.sites.lock_set_of_both(file_locks(t), strands_->locks(t)) : file_locks(t);
  }
  void use_objects(const Event& e, uint64_t index);
  // By the program's code.
  void note_result(AddrRange touched);
  void note_late(ThreadId t, StreamId stream, uint64_t addr, uint64_t width, uint64_t count);
  void allocated(const Event& e);
  void see_flag(const Event& e, const analysis::Seen& seen);
  void leave_spin(const Event& e);
  void system_call(const Event& e, uint64_t index);
  void see_awaited(const Event& e, const analysis::Seen& seen);
  void go_on(ThreadId t, const Kept* access);
  void look_after_wait(const Event& e, const Site& site, const analysis::Seen& seen);
  bool is_disturbing(ThreadId t, const Site& site, GenerationId generation) const;
  void flush(ThreadId t, ThreadPart& p);
  void put_into_sets(ThreadId t, ThreadPart& p);
  void find_past(const Event& e);
  void end_thread(ThreadId t);

  const BlockTable& blocks_;
  const FirstPass& first_pass_;
  const RuntimeCode& runtime_;
  MpiRuntime mpi_;
  CodeFacts& facts_;
  SpinLoops& spins_;
  RaceOptions options_;
  Collected to_;
  std::optional<PastFinder> past_;  // where what is past may be forgotten
  bool keeps_sets_ = true;
  const Segments* known_segments_ = nullptr;
  analysis::CallStacks stacks_;
  StrandMemory memory_;
  MemberMemory members_;
  TaskFrames frames_;  // if there are strands
  RuntimeAccesses own_;
  RecentRanges unexported_;
  RangeSet results_;
  bool has_new_results_ = false;
  SyncEdges order_;
  ClibOrder clib_order_;
  FileLocks file_locks_;
  std::optional<StrandClocks> strands_;  // if there are any
  uint64_t index_ = 0;                   // of the event
  AtomicOrder atomics_, flags_;
  FutexWaits waits_;
  BothCounts both_counts_;
  std::optional<StackWords> words_;                       // if it is to be known when what is atomic
  const WordLives* lives_ = nullptr;                      // if it is known
  std::vector<std::unique_ptr<ThreadPart>> parts_;        // by thread
  std::unordered_map<GenerationId, LateUse> freed_;       // as much as is known of uses when it was freed
  std::map<std::pair<StreamId, ThreadId>, size_t> late_;  // in to_.late
  std::vector<BlockId> last_blocks_;                      // by thread, if there are strands
  std::deque<RepeatedRuns> repeated_;
  std::unordered_multimap<SegmentClasses::Id, RepeatedRuns*> repeated_by_id_;
  ByAccess<SiteSlot> slots_;
  ByAccess<Answer> modifies_, plain_stores_, loads_counts_;
  std::vector<uint8_t> runtime_blocks_;         // by generation, 0 or 1: allocated by a parallel runtime for itself
  std::vector<uint8_t> has_atomics_;            // by generation, 0 or 1: atomic instructions touch some of it
  std::vector<SegmentClasses::Entry> flushed_;  // of the segment that ends
  static constexpr uint64_t kLine = 64;
  std::array<KnownLine, 1024> known_lines_;
  RecentGenerations recent_{to_.generations};
  Executing executing_;
  uint32_t copies_ = 1;  // for which events stand
  Listener* listener_ = nullptr;
  std::function<void(ThreadId)> before_order_;
  static constexpr AccessPosition kNever{~uint64_t{0}, ~uint32_t{0}};
  std::vector<AccessPosition> first_;  // by stream
};

}  // namespace cdr::races

#endif

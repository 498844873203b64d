// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/compact_first_pass.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "cdrgrind/analysis/events/visit.h"
#include "cdrgrind/analysis/races/core/access_set.h"
#include "cdrgrind/analysis/races/core/address_ranges.h"
#include "cdrgrind/analysis/races/core/owned_ranges.h"
#include "cdrgrind/analysis/races/source/object_lives.h"
#include "cdrgrind/analysis/races/source/watched_accesses.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/trace/index/path_walk.h"

namespace cdr::races {

namespace {

constexpr uint64_t kLine = 64;
constexpr size_t kMostTimed = 100'000;                // of one access in an epoch
constexpr uint64_t kWidestGuess = uint64_t{1} << 32;  // bytes

class CompactFirstPassReader final : public trace::PathWalk::Reader {
 public:
  CompactFirstPassReader(trace::Seeker& seeker, SpinLoops& spins, analysis::WatchedPart& part, CompactFirstPass& to)
      : seeker_(seeker), file_(seeker.file()), spins_(spins), part_(part), to_(to) {}

  void begin_epoch(uint32_t number, trace::EpochIndex& epoch, const trace::PathShapes& shapes) override {
    epoch_ = &epoch;
    number_ = number;
    first_hull_ = to_.hulls.size();
    unmapped_.clear();
    changes_.clear();
    bases_.begin_epoch(epoch, shapes, file_.blocks());
  }
  uint32_t pass(ThreadId thread, uint32_t symbol, uint32_t copies, uint64_t index) override {
    if (!part_.goes_on(index)) stop();
    return bases_.pass(thread, symbol, copies);
  }
  void block(ThreadId thread, BlockId id, uint64_t) override { bases_.block(thread, id); }
  void follow(const Event& e, uint64_t) override { bases_.follow(e); }
  void event(const Event& e, uint64_t index) override;
  void end_epoch() override;
  uint64_t epoch_begin() const { return file_.first_event(file_.epochs()[number_]); }
  // What can only be told at the end, of the events before that one.
  void finish(uint64_t end);

 private:
  // An access, and the addresses that it touched.
  struct Touched {
    ThreadId thread;
    BlockId block;
    const Access* access = nullptr;
    uint64_t plus = 0;                   // addresses less the stream's values
    FlatMap<uint64_t, uint8_t> singles;  // addresses
    Folder runs;
    std::vector<Progression> addresses;  // once they are taken

    // Data may decide which address comes when: each is there once.
    void add(std::span<const Progression> some) {
      for (const Progression& p : some) {
        if (p.count == 1)
          singles.insert(p.base);
        else
          runs.add_folded({&p, 1});
      }
    }
    void take() {
      addresses = runs.take();
      const size_t first = addresses.size();
      singles.for_each([&](uint64_t addr, uint8_t) { addresses.push_back({addr, 0, 1, access->width, 1}); });
      std::sort(addresses.begin() + static_cast<ptrdiff_t>(first), addresses.end());
      singles.clear();
    }
  };

  // An atomic access whose generation is that of its time; `index`: of its event, or of an earlier one since which it
  // has not changed.
  struct Timed {
    uint64_t index = 0, addr = 0, width = 0;
  };
  struct Change {
    Event event;
    uint64_t index = 0;
    AddrRange range;
  };

  bool is_flag(BlockId id, const Access& a) const {
    return !a.store() && spins_.is_flag(file_.blocks().block(id).superblock, a);
  }
  // What it touches is such as atomic instructions touch.
  bool is_atomic(BlockId id, const Access& a) const {
    return (a.flags & kAccessAtomic) || spins_.is_told(file_.blocks().block(id).superblock, a);
  }
  void touched(ThreadId thread, BlockId id, const Access& a, std::span<const Progression> addresses);
  void add_atomic(ThreadId thread, BlockId id, const Access& a, uint64_t plus, std::span<const Progression> addresses);
  void touch(ThreadId thread, const Progression& p, bool store);
  AddrRange range_of_change(const Event& e) const;
  void note_atomics();
  bool changes_in(const Touched& t, uint64_t first);
  void note_atomic(const Touched& t, uint64_t first);
  void note_late(const Touched& t, const std::vector<uint64_t>& late);
  void note_timed();
  void note_callers(const std::vector<FrameBases::Use>& uses);
  void look_closely(const std::vector<AccessHull>& at, uint64_t end);
  bool began_before(uint64_t addr, uint64_t index) const;
  uint64_t index_of_execution(ThreadId thread, BlockId id, uint64_t n);
  bool disturbs(const AccessHull& h) const;
  bool is_many_timed(const AccessHull& h) const;
  std::map<uint32_t, AddressRanges> guesses_by_thread() const;

  trace::Seeker& seeker_;
  const trace::TraceFile& file_;
  SpinLoops& spins_;
  ObjectLives lives_;
  analysis::WatchedPart& part_;
  CompactFirstPass& to_;
  trace::EpochIndex* epoch_ = nullptr;
  uint32_t number_ = 0;  // of the epoch
  size_t first_hull_ = 0;
  FrameBases bases_;
  Generations generations_;
  std::vector<OwnedRanges::Owned> frees_;  // applied at the end: who comes later counts, too
  OwnedRanges freed_;                      // lines of that, by who freed it
  std::vector<Touched> atomics_;
  std::vector<Timed> timed_;
  std::set<std::pair<ThreadId, BlockId>> many_timed_;  // too many: they are read with the others that are not known
  std::map<uint32_t, std::set<uint32_t>> callers_;     // of blocks with inexact hulls: calls that push their frames
  Generations then_;                                   // behind: at the start of the epoch, until note_timed()
  std::vector<Change> changes_, unmapped_;             // of generations, in the epoch
};

void CompactFirstPassReader::event(const Event& e, uint64_t index) {
  bases_.event(e);
  if (e.kind == EventKind::kBlock ||
      (e.kind == EventKind::kPartial &&
       e.words.size() != executed_before(file_.blocks().superblock_of(e.block), e.ip).words))
    epoch_->fail("a block has other words than it can have");
  if (e.kind == EventKind::kFree || e.kind == EventKind::kResize)
    frees_.push_back({{e.addr, e.addr + std::max<uint64_t>(e.size, 1)}, e.thread});
  if (e.kind == EventKind::kSyncEnter && e.sync.op == SyncOp::kGuardAcquire)
    to_.first_pass.guards.insert(e.sync.object);
  lives_.event(e, [&](auto... use) { to_.first_pass.note_object(use...); });
  if (e.kind == EventKind::kUnmap) unmapped_.push_back({e, index, e.range});
  if (e.kind == EventKind::kThreadStart)
    to_.first_pass.last_thread = std::max(to_.first_pass.last_thread, e.thread.value);
  to_.first_pass.hide_regions += e.kind == EventKind::kHideBegin;
  to_.first_pass.gaps += e.kind == EventKind::kGapBegin;
  const uint64_t version = generations_.version();
  generations_.event(e, index);
  if (generations_.version() != version) changes_.push_back({e, index, range_of_change(e)});
  analysis::visit_accesses(e, file_.blocks(), [&](const analysis::Seen& seen) {
    to_.first_pass.sharing.touch(e.thread, seen.addr, seen.width, seen.store);
    if (seen.access && is_atomic(e.block, *seen.access))
      to_.first_pass.note_atomic(generations_, seen.addr, seen.width);
  });
  analysis::visit_awaited_word(
      e, [&](uint64_t addr, uint64_t width) { to_.first_pass.note_atomic(generations_, addr, width); });
}

void CompactFirstPassReader::end_epoch() {
  if (stopped()) return;
  atomics_.clear();
  EpochFootprint footprint(file_, number_, *epoch_);
  const std::vector<FrameBases::Use> uses = bases_.take_uses();
  footprint.collect(
      uses, bases_,
      [this](ThreadId t, BlockId id, const Access& a, uint64_t plus, std::span<const Progression> addresses) {
        touched(t, id, a, addresses);
        if (is_atomic(id, a)) add_atomic(t, id, a, plus, addresses);
      },
      to_.hulls, to_.frames.emplace_back());
  to_.executions.resize(file_.blocks().block_count() + 1);
  for (const auto& of_thread : footprint.executions())
    for (size_t b = 0; b < of_thread.size(); ++b) to_.executions[b] += of_thread[b];
  note_atomics();
  note_timed();
  note_callers(uses);
}

// With what came before of the same access.
void CompactFirstPassReader::add_atomic(ThreadId thread, BlockId id, const Access& a, uint64_t plus,
                                        std::span<const Progression> addresses) {
  auto at = atomics_.end();
  while (at != atomics_.begin() && std::prev(at)->thread == thread && std::prev(at)->block == id) --at;
  at = std::find_if(at, atomics_.end(), [&](const Touched& t) { return t.access == &a && t.plus == plus; });
  if (at == atomics_.end()) at = atomics_.insert(at, {thread, id, &a, plus, {}, {}, {}});
  at->add(addresses);
}

void CompactFirstPassReader::touched(ThreadId thread, BlockId id, const Access& a,
                                     std::span<const Progression> addresses) {
  for (const Progression& p : addresses) touch(thread, p, a.store());
  if (is_flag(id, a))
    for (const Progression& p : addresses)
      for (uint64_t i = 0; i < p.count; ++i) to_.first_pass.spin_flags.insert(p.at(i));
}

// Every line between has a part of it if steps are no longer than lines.
void CompactFirstPassReader::touch(ThreadId thread, const Progression& p, bool store) {
  for_each_span(p, kLine, [&](uint64_t addr, uint64_t width) {
    to_.first_pass.sharing.touch(thread, addr, width, store);
    return true;
  });
}

// --- atomic instructions, by the generation that they touched ---

// The generation at `addr` is what it was then.
bool CompactFirstPassReader::began_before(uint64_t addr, uint64_t index) const {
  const GenerationId id = generations_.at(addr).id;
  if (id != 0) return generations_[id].event <= index;
  return std::none_of(unmapped_.begin(), unmapped_.end(),
                      [&](const Change& c) { return c.index > index && c.range.contains(addr); });
}

uint64_t CompactFirstPassReader::index_of_execution(ThreadId thread, BlockId id, uint64_t n) {
  const auto index = epoch_->index_of_execution(thread, id, n);
  if (!index) epoch_->fail("a block's words end early");
  return *index;
}

AddrRange CompactFirstPassReader::range_of_change(const Event& e) const {
  if (e.kind == EventKind::kMap || e.kind == EventKind::kUnmap) return e.range;
  return generations_.at(e.kind == EventKind::kThreadStart ? e.range.begin : e.addr).range;
}

// Mostly no generation changes there from the first execution to the last.
void CompactFirstPassReader::note_atomics() {
  for (Touched& t : atomics_) {
    t.take();
    const uint64_t first = index_of_execution(t.thread, t.block, 0);
    if (changes_in(t, first)) {
      note_atomic(t, first);
      continue;
    }
    for (const Progression& p : t.addresses)
      for (uint64_t i = 0; i < p.count; ++i) timed_.push_back({first, p.at(i), p.width});
  }
}

bool CompactFirstPassReader::changes_in(const Touched& t, uint64_t first) {
  if (changes_.empty() || changes_.back().index <= first) return false;
  const uint64_t executions = epoch_->executions(t.block).total(*epoch_->paths().string_of(t.thread));
  const uint64_t last = index_of_execution(t.thread, t.block, executions - 1);
  const AddrRange hull = hull_of(t.addresses);
  return std::any_of(changes_.begin(), changes_.end(),
                     [&](const Change& c) { return c.index > first && c.index < last && c.range.overlaps(hull); });
}

void CompactFirstPassReader::note_atomic(const Touched& t, uint64_t first) {
  std::vector<uint64_t> late;
  for (const Progression& p : t.addresses)
    for (uint64_t i = 0; i < p.count; ++i) {
      if (began_before(p.at(i), first))
        to_.first_pass.note_atomic(generations_, p.at(i), t.access->width);
      else
        late.push_back(p.at(i));
    }
  if (late.empty()) return;
  std::sort(late.begin(), late.end());
  late.erase(std::unique(late.begin(), late.end()), late.end());
  note_late(t, late);
}

// Addresses that got their generation after the instruction was first executed: what they had before, too, as far as
// the instruction came to them then.
void CompactFirstPassReader::note_late(const Touched& t, const std::vector<uint64_t>& late) {
  const trace::AddressStream* streams = epoch_->addresses().directory().streams_of(t.thread, t.block);
  const trace::AddressStream* s = t.access->slot == 0 ? nullptr : &streams[t.access->slot - 1u];
  const uint64_t executions = epoch_->executions(t.block).total(*epoch_->paths().string_of(t.thread));
  const uint64_t values = s ? epoch_->addresses().values_before(*s, executions) : executions;
  const size_t before = timed_.size();
  std::vector<bool> done(late.size());
  size_t left = late.size();
  trace::AddressIndex::Steps steps;
  for (uint64_t v = 0; left > 0 && v < values; ++v) {
    if (s && !epoch_->addresses().steps(*s, v, steps)) epoch_->fail("a block's words end early");
    const uint64_t addr = steps.value + t.plus;
    const auto at = static_cast<size_t>(std::lower_bound(late.begin(), late.end(), addr) - late.begin());
    if (at == late.size() || late[at] != addr || done[at]) continue;
    const uint64_t index =
        index_of_execution(t.thread, t.block, s ? epoch_->addresses().execution_of_value(*s, v, v, executions - 1) : v);
    if (began_before(addr, index)) {
      to_.first_pass.note_atomic(generations_, addr, t.access->width);
      done[at] = true;
      --left;
    } else if (timed_.size() - before == kMostTimed) {
      timed_.resize(before);
      many_timed_.insert({t.thread, t.block});
      return;
    } else {
      timed_.push_back({index, addr, t.access->width});
    }
  }
}

// By the generations of their time. Goes on to the end of the epoch.
void CompactFirstPassReader::note_timed() {
  std::sort(timed_.begin(), timed_.end(), [](const Timed& a, const Timed& b) { return a.index < b.index; });
  size_t next = 0;
  for (const Timed& one : timed_) {
    for (; next < changes_.size() && changes_[next].index < one.index; ++next)
      then_.event(changes_[next].event, changes_[next].index);
    to_.first_pass.note_atomic(then_, one.addr, one.width);
  }
  for (; next < changes_.size(); ++next) then_.event(changes_[next].event, changes_[next].index);
  timed_.clear();
}

// --- at the end ---

void CompactFirstPassReader::note_callers(const std::vector<FrameBases::Use>& uses) {
  std::set<uint32_t> vague;
  for (size_t i = first_hull_; i < to_.hulls.size(); ++i)
    if (!to_.hulls[i].exact) vague.insert(to_.hulls[i].block.value);
  for (const FrameBases::Use& u : uses) {
    if (!vague.contains(u.block.value)) continue;
    for (FrameBase b = u.base;; b = bases_.base(b).below) {
      const FrameBases::Base& base = bases_.base(b);
      if (base.block) callers_[u.block.value].insert(base.block.value);
      if (base.by != FrameBases::Base::By::kWord) break;
    }
  }
}

// Reads the executions of these blocks one by one.
void CompactFirstPassReader::look_closely(const std::vector<AccessHull>& at, uint64_t end) {
  std::vector<bool> watched(file_.blocks().block_count() + 1);
  for (const AccessHull& h : at) {
    watched[h.block.value] = true;
    for (const uint32_t c : callers_[h.block.value]) watched[c] = true;
  }
  std::set<std::tuple<ThreadId, BlockId, uint16_t>> wanted;
  WatchedAccesses::Executions executions;
  for (const AccessHull& h : at) {
    wanted.insert({h.thread, h.block, h.access});
    executions[{h.epoch, h.thread, h.block}] = h.executions;
  }
  const Generations* generations = nullptr;
  WatchedAccesses close(seeker_, watched, std::move(executions),
                        [&](ThreadId t, BlockId id, std::span<const uint64_t> words) {
                          const auto accesses = file_.blocks().superblock_of(id).accesses;
                          for (auto w = wanted.lower_bound({t, id, 0}); w != wanted.end(); ++w) {
                            if (std::get<0>(*w) != t || std::get<1>(*w) != id) break;
                            const Access& a = accesses[std::get<2>(*w)];
                            if (!happened(a, words)) continue;
                            const uint64_t addr = address_of(a, words);
                            to_.first_pass.sharing.touch(t, addr, a.width, a.store());
                            if (is_flag(id, a)) to_.first_pass.spin_flags.insert(addr);
                            if (is_atomic(id, a)) to_.first_pass.note_atomic(*generations, addr, a.width);
                          }
                        });
  generations = &close.generations();
  trace::PathWalk(seeker_).run(close, end);
}

// Whether it matters that somewhere in there the thread touched more than is known.
bool CompactFirstPassReader::disturbs(const AccessHull& h) const {
  const Access& a = file_.blocks().superblock_of(h.block).accesses[h.access];
  if ((a.flags & kAccessAtomic) || is_flag(h.block, a)) return true;
  return h.range.size() > kWidestGuess || freed_.others_in(h.thread, h.range) ||
         to_.first_pass.sharing.would_change(h.thread, h.range, h.store);
}

std::map<uint32_t, AddressRanges> CompactFirstPassReader::guesses_by_thread() const {
  std::map<uint32_t, std::vector<AddrRange>> ranges;
  for (const AccessHull& h : to_.hulls)
    if (!h.exact) ranges[h.thread.value].push_back(h.range);
  std::map<uint32_t, AddressRanges> guesses;
  for (auto& [thread, of_thread] : ranges) guesses.try_emplace(thread, std::move(of_thread));
  return guesses;
}

// Atomic accesses to memory that changes hands too often.
bool CompactFirstPassReader::is_many_timed(const AccessHull& h) const {
  return many_timed_.contains({h.thread, h.block}) &&
         (file_.blocks().superblock_of(h.block).accesses[h.access].flags & kAccessAtomic);
}

void CompactFirstPassReader::finish(uint64_t end) {
  std::vector<OwnedRanges::Owned> lines = frees_;
  for (OwnedRanges::Owned& f : lines) f.range = {f.range.begin & ~(kLine - 1), f.range.end + kLine};
  freed_ = OwnedRanges(std::move(lines));
  std::vector<AccessHull> vague, troubling;
  const std::map<uint32_t, AddressRanges> guessed = guesses_by_thread();
  const auto meets_another = [&](const AccessHull& h) {
    const AddrRange lines{h.range.begin & ~(kLine - 1), h.range.end + kLine};
    return std::any_of(guessed.begin(), guessed.end(),
                       [&](const auto& g) { return g.first != h.thread.value && g.second.overlaps(lines); });
  };
  for (const AccessHull& h : to_.hulls) {
    if (h.exact && !is_many_timed(h)) continue;
    (h.exact || disturbs(h) || meets_another(h) ? troubling : vague).push_back(h);
  }
  // What is found may be near others, which then matter, too.
  while (!troubling.empty()) {
    look_closely(troubling, end);
    troubling.clear();
    if (std::any_of(vague.begin(), vague.end(), [&](const AccessHull& h) { return disturbs(h); }))
      troubling.swap(vague);
  }
  for (const auto& [block, by] : frees_) to_.first_pass.sharing.touch_known(by, block.begin, block.size());
  to_.first_pass.events = end;
}

}  // namespace

CompactFirstPass compact_first_pass_of(trace::Seeker& seeker, SpinLoops& spins, uint64_t end,
                                       const analysis::Watch& watch) {
  CompactFirstPass to;
  analysis::WatchedPart part(watch, "shared memory", std::min(end, seeker.file().event_count()));
  CompactFirstPassReader reader(seeker, spins, part, to);
  uint64_t read = trace::PathWalk(seeker).run(reader, end);
  // What blocks touched is told of whole epochs.
  if (part.ended()) read = reader.epoch_begin();
  reader.finish(read);
  return to;
}

}  // namespace cdr::races

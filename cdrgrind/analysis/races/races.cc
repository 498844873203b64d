// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/races.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "cdrgrind/analysis/races/core/instances.h"
#include "cdrgrind/analysis/races/core/pairing.h"
#include "cdrgrind/analysis/races/evidence/staying.h"
#include "cdrgrind/analysis/races/evidence/witness.h"
#include "cdrgrind/analysis/races/source/access_source.h"
#include "cdrgrind/analysis/sync/steps.h"

namespace cdr::races {

using analysis::saturating_add;

namespace {

// One end of a class: an instruction, and who called, if it is the library's; of an event that is one.
using EndKey = std::tuple<CodeAddr, CodeAddr, bool>;
// The object: its kind, and what tells it from others of that kind.
using ObjectKey = std::tuple<MemoryKind, uint64_t, uint64_t>;
using ClassKey = std::tuple<EndKey, EndKey, ObjectKey>;

// What accumulates under one key.
struct ClassOfPairs {
  std::vector<StreamPair> pairs;
};

// Only one thread ran, and said so at its end: nobody waited for another.
bool ran_alone(const trace::TraceFile& file) { return file.end() && file.end()->counter("threads") == 1; }

std::unique_ptr<trace::Seeker> seeker_of(const trace::TraceFile& file) {
  constexpr size_t kKeptEpochs = 2;
  return file.epochs().empty() ? nullptr : std::make_unique<trace::Seeker>(file, kKeptEpochs);
}

}  // namespace

class RaceSearch::Finder {
 public:
  Finder(const trace::TraceFile& file, CodeFacts& facts, const RaceOptions& options, const analysis::Watch& watch)
      : file_(file),
        facts_(facts),
        options_(options),
        seeker_(seeker_of(file)),
        present_(file),
        parallel_(present_.operation(is_team_op)),
        mpi_(present_.event(is_mpi)),
        watch_(watch),
        runtime_(file.modules(), facts, parallel_),
        loops_(make_loops()),
        spins_(file.blocks(), facts, runtime_.library, options.spin_loops_order && !ran_alone(file)),
        source_(make_source()) {}

  Races find() {
    std::optional<Collector> collector;
    collect(collector);
    // What is told of a loop when it waits holds from the beginning.
    if (spins_.take_told()) collect(collector);
    collected_ = &collector->result();
    const Classes full = classes(Order::kFull);
    Races out;
    if (!end_.pairs) out.summary = summary(full);
    note_counts(out.summary);
    const StrandClocks* const strands = full.empty() ? nullptr : collector->strands();
    if (strands && strands->had_lock_again()) find_ordered_by_locks(full);
    if (strands && strands->had_iterations()) find_of_iterations(full);
    if (!full.empty() || !collected_->late.empty()) out.races = witnessed(full);
    out.turns = std::move(turns_);
    kept_ = out.collected = std::make_shared<const Collected>(std::move(collector->result()));
    collected_ = kept_.get();
    out.end = end_;
    return out;
  }

  slice::CLibrary c_library() const {
    slice::CLibrary all;
    for (size_t m = 0; m < runtime_.clib.size(); ++m) all.code.push_back(runtime_.clib[m] && !runtime_.shim[m]);
    runtime_.clib_data.common(runtime_.clib_data.hull(), [&](const AddrRange& r) { all.data.push_back(r); });
    return all;
  }

  trace::Seeker* seeker() const { return options_.compact ? seeker_.get() : nullptr; }

  std::optional<std::vector<std::vector<bool>>> staying(const std::vector<LockedRaces>& all) {
    Collector again(file_, first_pass(), runtime_, facts_, spins_, options_);
    again.know(lives());
    again.begin_with(collected_->sites);
    only_listen(again);
    Staying staying(collected_->segments, all);
    again.listen(&staying);
    if (follow("what stays", again, {}) < until()) return std::nullopt;
    return staying.found();
  }

 private:
  using Classes = std::map<ClassKey, ClassOfPairs>;

  std::string why_events() const {
    if (!options_.compact) return "--from-events was given";
    const char* const but = seeker_ ? ", but for what is repeated" : "";
    if (parallel_) return std::string("strands of a parallel runtime are followed event by event") + but;
    if (mpi_) return std::string("calls of MPI are followed event by event") + but;
    if (!file_.epochs().empty()) return {};
    return file_.event_count() == 0 ? "the trace has no events" : "the trace is in plain form";
  }
  std::unique_ptr<WorksharingLoops> make_loops() {
    if (!options_.iterations || !present_.operation(may_share_loops)) return nullptr;
    return std::make_unique<WorksharingLoops>(file_, runtime_, facts_, watch_);
  }
  std::unique_ptr<AccessSource> make_source() {
    read_events_ = why_events();
    return read_events_.empty() ? compact_source(*seeker_, runtime_, facts_, spins_)
                                : source_of_events(file_, runtime_, spins_, loops_.get(), seeker());
  }
  void collect(std::optional<Collector>& collector) {
    source_->look(until(), watch_);
    ends_at(first_pass().events);
    RaceOptions options = options_;
    lives_.reset();
    do {
      collector.emplace(file_, first_pass(), runtime_, facts_, spins_, options);
      if (lives_) collector->know(lives());
      ends_at(follow("accesses", *collector, {}));
    } while (learns_from(*collector, options));
    if (!source_->is_in_order()) collector->number_streams();
  }
  // Whether all is to be collected again, with what is known now.
  bool learns_from(Collector& collected, RaceOptions& options) {
    if (collected.lacks_some()) {
      options.forget_at = 0;
      return true;
    }
    if (end_.event) return false;
    const bool results = collected.has_new_results(), lives = collected.has_presumed_too_much();
    if (results) runtime_.results = collected.take_results();
    if (lives) lives_ = collected.take_lives();
    return results || lives;
  }
  const FirstPass& first_pass() const { return source_->first_pass(); }
  const WordLives* lives() const { return lives_ ? &*lives_ : nullptr; }

  uint64_t until() const { return end_.event.value_or(file_.event_count()); }
  void ends_at(uint64_t event) {
    if (event < until()) end_.event = event;
  }
  // Returns the index of the event before which it ended.
  uint64_t follow(std::string_view name, Collector& collector, const AccessSource::BeforeEvent& before) {
    analysis::WatchedPart part(watch_, name, until());
    const uint64_t index = source_->follow(until(), part, before, collector);
    collector.finish();
    return index;
  }

  // To what look_closely_at() leaves.
  void only_listen(Collector& again) const {
    again.keep_no_sets(source_->is_in_order() ? nullptr : &collected_->segments);
  }

  EndKey end_key(StreamId s) const {
    const Site& site = collected_->sites.site_of(s);
    return {site.ip, site.from, site.free || site.leaves};
  }
  ObjectKey object_key(const StreamPair& p) const {
    const GenerationId id = collected_->sites.stream(p.a).generation;
    const Generation g = collected_->generations[id];
    if (g.kind == MemoryKind::kHeap) {
      const auto block = collected_->heap.find(id);
      const CodeAddr by = block == collected_->heap.end() ? CodeAddr() : block->second.from;
      return {g.kind, by.module.value, by.addr};
    }
    // Strands have generations of their own for frames of one function.
    if (g.kind == MemoryKind::kStack) return parallel_ ? ObjectKey{g.kind, 0, 0} : ObjectKey{g.kind, id, p.meeting};
    const AddrRange variable = facts_.variable_at(p.addresses.base);
    return {MemoryKind::kUnknown, variable.empty() ? id : 0, variable.begin};
  }
  // Memory that the C library has allocated and that nobody else has touched is its own: a FILE, its buffer. So is what
  // its calls do among themselves to a FILE that the program touches as well: they look at it before they lock it.
  bool is_runtime(const StreamPair& p) const {
    const GenerationId id = collected_->sites.stream(p.a).generation;
    if (collected_->generations[id].kind != MemoryKind::kHeap) return false;
    if (collected_->files.contains(id) && is_by_clib(p.a) && is_by_clib(p.b)) return true;
    if (id < collected_->touched_by_program.size() && collected_->touched_by_program[id]) return false;
    return collected_->is_allocated_by(id, runtime_.clib);
  }
  bool is_by_clib(StreamId s) const { return runtime_.clib[collected_->sites.site_of(s).ip.module.value]; }
  // Who still uses a frame that was left meets whatever has its place now. That follows from it, and is nothing else.
  bool is_of_later_frame(const StreamPair& p) const {
    if (collected_->left_frames.empty() || is_leaving(p.a) || is_leaving(p.b)) return false;
    const auto [from, to] = collected_->left_frames.equal_range(collected_->sites.stream(p.a).generation);
    return std::any_of(from, to, [&](const auto& left) {
      const auto later = [&](const RaceEnd& e) { return order(left.second, e) == Behind::kBehind; };
      const auto unordered = [&](const RaceEnd& e) { return order(left.second, e) == Behind::kUnordered; };
      return (later(p.of_a) && unordered(p.of_b)) || (later(p.of_b) && unordered(p.of_a));
    });
  }
  bool is_leaving(StreamId s) const { return collected_->sites.site_of(s).leaves; }
  enum class Behind : uint8_t { kBefore, kBehind, kUnordered, kElsewhere };
  // Of an access to the frame's memory: before it was left, behind that.
  Behind order(const LeftFrame& left, const RaceEnd& e) const {
    if (!left.bytes.overlaps({e.addr, e.addr + e.width})) return Behind::kElsewhere;
    const Segments& segments = collected_->segments;
    if (e.thread == left.by) return e.segment > left.in ? Behind::kBehind : Behind::kBefore;
    if (segments.known(e.thread, e.segment, left.by, Order::kFull) >= left.in) return Behind::kBehind;
    return segments.known(left.by, left.in, e.thread, Order::kFull) >= e.segment ? Behind::kBefore : Behind::kUnordered;
  }
  Classes classes(Order order) {
    Classes out;
    analysis::WatchedPart part(watch_, "pairs of threads", pairing_steps(*collected_, options_.pairs_by_memory), 64);
    const std::vector<StreamPair> pairs = racing_pairs(*collected_, order, options_.pairs_by_memory, part);
    end_.pairs |= part.ended();
    for (const StreamPair& p : pairs) {
      if (is_runtime(p) || is_of_later_frame(p)) continue;
      const auto [low, high] = std::minmax({end_key(p.a), end_key(p.b)});
      out[{low, high, object_key(p)}].pairs.push_back(p);
    }
    return out;
  }

  // Those that nothing but the order in which locks were got keeps from happening in this run: another schedule has it
  // the other way round.
  void find_ordered_by_locks(const Classes& full) {
    RaceOptions options = options_;
    options.locks_order = true;
    find_gone(full, options, "order by locks", ordered_by_locks_);
  }
  // Those that only iterations of one chunk make.
  void find_of_iterations(const Classes& full) {
    RaceOptions options = options_;
    options.iterations = false;
    find_gone(full, options, "iterations", of_iterations_);
  }
  void find_gone(const Classes& full, const RaceOptions& options, std::string_view name, std::set<ClassKey>& gone) {
    Collector again(file_, first_pass(), runtime_, facts_, spins_, options);
    again.know(lives());
    again.begin_with(collected_->sites);
    if (follow(name, again, {}) < until()) return;
    const Collected* const without = std::exchange(collected_, &again.result());
    const Classes left = classes(Order::kFull);
    collected_ = without;
    for (const auto& [key, unused] : full)
      if (!left.contains(key)) gone.insert(key);
  }

  uint64_t more_than(const Classes& some, const Classes& all) const {
    uint64_t n = 0;
    for (const auto& [key, unused] : all) n += !some.contains(key);
    return n;
  }
  RaceSummary summary(const Classes& full) {
    RaceSummary s;
    const bool spun = collected_->segments.had(EdgeKind::kFull), atomic = collected_->segments.had(EdgeKind::kAtomics);
    const Classes without_spins = spun ? classes(Order::kAtomics) : full;
    if (spun) s.adhoc = more_than(full, without_spins);
    if (atomic) s.atomic = more_than(without_spins, classes(Order::kSync));
    return s;
  }
  void note_counts(RaceSummary& s) const {
    s.runtime = collected_->runtime_accesses;
    if (options_.atomics == AtomicsMode::kCxx) s.unknown_orders = collected_->unknown_orders.size();
    s.gaps = first_pass().gaps;
    s.hide_regions = first_pass().hide_regions;
    s.strands = first_pass().strands;
    s.no_operations = !parallel_ && std::any_of(file_.modules().begin(), file_.modules().end(), is_parallel_runtime);
    s.read_events = read_events_;
  }

  static const StreamPair& earliest(const ClassOfPairs& c, const Segments& segments) {
    return *std::min_element(c.pairs.begin(), c.pairs.end(), [&](const StreamPair& x, const StreamPair& y) {
      return both_begun(x.of_a, x.of_b, segments) < both_begun(y.of_a, y.of_b, segments);
    });
  }

  Race race_of(const ClassOfPairs& c, const StreamPair& example) const {
    Race r;
    const Sites& sites = collected_->sites;
    r.addresses = example.addresses;
    for (const StreamPair& p : c.pairs) {
      r.instances = saturating_add(r.instances, p.instances);
      r.streams.emplace_back(p.a, p.b);
      r.mixed |= sites.stream(p.a).atomic != sites.stream(p.b).atomic;
      r.adhoc |= sites.site_of(p.a).spin || sites.site_of(p.b).spin;
      r.object |= sites.site_of(p.a).operation != SyncOp::kNone || sites.site_of(p.b).operation != SyncOp::kNone;
      r.after_free |= sites.site_of(p.a).free || sites.site_of(p.b).free;
      r.after_return |= is_leaving(p.a) || is_leaving(p.b);
      if (sites.stream(p.a).generation == sites.stream(example.a).generation)
        r.addresses = hull_of(r.addresses, p.addresses);
    }
    const GenerationId id = sites.stream(example.a).generation;
    const Generation g = collected_->generations[id];
    r.memory = {g.kind, g.range, g.thread, g.pthread, {}};
    return r;
  }

  // Runs over the trace again to see the examples.
  std::vector<Race> witnessed(const Classes& full) {
    std::vector<Race> races;
    std::vector<bool> racing;
    std::vector<StreamPair> examples;
    for (const auto& [key, c] : full) {
      examples.push_back(earliest(c, collected_->segments));
      races.push_back(race_of(c, examples.back()));
      races.back().lock_order = ordered_by_locks_.contains(key);
      races.back().iteration = of_iterations_.contains(key);
      for (const StreamPair& p : c.pairs) {
        racing.resize(std::max<size_t>(racing.size(), std::max(p.a, p.b) + 1));
        racing[p.a] = racing[p.b] = true;
      }
    }
    for (const LateUse& l : collected_->late) add_late(l, races, examples, racing);
    std::vector<Wanted> wanted;
    for (size_t i = 0; i < races.size(); ++i) {
      wanted.push_back({examples[i].of_a, examples[i].a, &races[i].first});
      wanted.push_back({examples[i].of_b, examples[i].b, &races[i].second});
    }
    Collector again(file_, first_pass(), runtime_, facts_, spins_, options_);
    again.know(lives());
    // What is seen access by access may belong to streams that took no part before; they are new at the end.
    again.begin_with(collected_->sites);
    only_listen(again);
    Schedule schedule(collected_->segments, again.sites(), std::move(racing));
    Witness witness(again, first_pass(), again.sites(), schedule, wanted);
    again.listen(&witness);
    if (source_->is_in_order()) witness.fill_frames();
    look_closely_at(schedule.racing());
    follow_with_allocations(again, witness, races, examples);
    turns_ = witness.take_turns();
    if (!source_->is_in_order())
      for (Race& r : races) find_frames(r);
    size_t i = 0;
    for (const auto& [key, c] : full) {
      for (const StreamPair& p : c.pairs) {
        races[i].schedulable |= schedule.schedulable(p.a, p.b);
        const auto some = schedule.instances(p.a, p.b);
        races[i].judged.insert(races[i].judged.end(), some.begin(), some.end());
      }
      std::sort(races[i].judged.begin(), races[i].judged.end(), earlier);
      ++i;
    }
    for (; i < races.size(); ++i)
      if (races[i].second.at != kNotSeen && races[i].first.at != kNotSeen)
        races[i].judged = {{races[i].first.at, races[i].second.at}};
    return in_order(std::move(races));
  }

  void find_frames(Race& r) {
    const auto owner = stack_owner(r.memory.kind, r.memory.thread);
    if (!owner) return;
    for (RaceAccess* const a : {&r.first, &r.second})
      if (a->at != kNotSeen) a->frame = frame_place(*a, *owner, source_->frames_at(*owner, a->at.event));
  }

  // As if it were a race.
  void add_late(const LateUse& l, std::vector<Race>& races, std::vector<StreamPair>& examples,
                std::vector<bool>& racing) const {
    StreamPair p;
    p.a = l.free;
    p.b = l.use;
    p.instances = l.count;
    p.of_a = {l.freer, l.freed, l.block, l.block_size};
    p.of_b = {l.user, l.used, l.addr, l.width};
    p.addresses = {l.addr, 0, 1, l.width};
    if (is_runtime(p)) return;
    examples.push_back(p);
    races.push_back(race_of({{p}}, p));
    races.back().ordered = true;
    racing.resize(std::max<size_t>(racing.size(), std::max(p.a, p.b) + 1));
    racing[p.a] = racing[p.b] = true;
  }

  // Also notes the call stacks of the allocations.
  void follow_with_allocations(Collector& collector, Witness& witness, std::vector<Race>& races,
                               const std::vector<StreamPair>& examples) {
    std::multimap<uint64_t, Race*> allocations;
    for (size_t i = 0; i < races.size(); ++i) {
      const Generation g = collected_->generations[collected_->sites.stream(examples[i].a).generation];
      if (g.kind == MemoryKind::kHeap) allocations.emplace(g.event, &races[i]);
    }
    const uint64_t seen = follow("examples", collector, [&](const Event& e, uint64_t index) {
      witness.event(e);
      for (auto [at, end] = allocations.equal_range(index); at != end; ++at)
        at->second->memory.allocated = collector.stacks().sites(e.thread, {});
    });
    end_.examples = seen < until();
  }

  // All that touches what racing streams touch is seen access by access, and what tells who has locks.
  void look_closely_at(const std::vector<bool>& racing) {
    std::vector<AddrRange> there;
    for (const uint64_t lock : collected_->file_locks) there.push_back({lock, lock + FileLocks::kSize});
    for (uint32_t t = 1; t < collected_->sets.size(); ++t)
      collected_->for_each_kind_of_access(ThreadId(t), 1, [&](const AccessEntry& e) {
        if (e.stream < racing.size() && racing[e.stream]) there.push_back({e.at.base, e.at.end()});
      });
    source_->look_closely_at(AddressRanges(std::move(there)));
  }

  static std::vector<Race> in_order(std::vector<Race> races) {
    for (Race& r : races)
      if (r.second.at < r.first.at) std::swap(r.first, r.second);
    std::stable_sort(races.begin(), races.end(), [](const Race& a, const Race& b) {
      return std::tuple(a.second.at, a.first.at) < std::tuple(b.second.at, b.first.at);
    });
    return races;
  }

  const trace::TraceFile& file_;
  CodeFacts& facts_;
  RaceOptions options_;
  std::unique_ptr<trace::Seeker> seeker_;  // null: no compact trace
  sync::EventsPresent present_;
  bool parallel_;  // there are operations of a parallel runtime
  bool mpi_;       // calls of MPI
  const analysis::Watch& watch_;
  SearchEnd end_;
  RuntimeCode runtime_;
  std::unique_ptr<WorksharingLoops> loops_;
  SpinLoops spins_;
  std::string read_events_;  // why, if they are
  std::unique_ptr<AccessSource> source_;
  std::set<ClassKey> ordered_by_locks_, of_iterations_;
  std::optional<WordLives> lives_;  // if what all of them have in common says too little
  const Collected* collected_ = nullptr;
  StrandTurns turns_;
  std::shared_ptr<const Collected> kept_;
};

RaceSearch::RaceSearch(const trace::TraceFile& file, CodeFacts& facts, const RaceOptions& options,
                       const analysis::Watch& watch)
    : finder_(std::make_unique<Finder>(file, facts, options, watch)) {}
RaceSearch::~RaceSearch() = default;

Races RaceSearch::find() { return finder_->find(); }

trace::Seeker* RaceSearch::seeker() { return finder_->seeker(); }

slice::CLibrary RaceSearch::c_library() const { return finder_->c_library(); }

std::optional<std::vector<std::vector<bool>>> RaceSearch::staying(const std::vector<LockedRaces>& all) {
  return finder_->staying(all);
}

Races find_races(const trace::TraceFile& file, CodeFacts& facts, const RaceOptions& options) {
  const analysis::Watch nobody;
  return RaceSearch(file, facts, options, nobody).find();
}

}  // namespace cdr::races

// SPDX-License-Identifier: GPL-2.0-or-later
// Pairs of streams that race, against the definition in docs/races.md, access by access.
#include "cdrgrind/analysis/races/core/pairing.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::races;

namespace {

std::vector<StreamPair> all_pairs(const Collected& c, Order order, bool by_memory = false) {
  const analysis::Watch nobody;
  analysis::WatchedPart part(nobody, "", 0);
  return racing_pairs(c, order, by_memory, part);
}

constexpr std::pair<Order, bool> kWays[] = {{Order::kFull, false}, {Order::kAtomics, false}, {Order::kSync, false},
                                            {Order::kFull, true},  {Order::kAtomics, true},  {Order::kSync, true}};

// Lives of memory that streams belong to.
constexpr GenerationId kBlock = 2, kOtherBlock = 4, kStack = 6;

void begin_lives(Collected& c) {
  Event e;
  e.kind = EventKind::kAlloc;
  e.thread = ThreadId(1);
  e.addr = 1 << 20;
  e.size = 64;
  c.generations.event(e, 0);
  e.addr = 2 << 20;
  c.generations.event(e, 1);
  e.kind = EventKind::kThreadStart;
  e.range = {3 << 20, 4 << 20};
  c.generations.event(e, 2);
}

struct Access {
  uint32_t thread = 0;
  SegmentNumber segment = 0;
  StreamId stream = 0;
  uint64_t addr = 0, width = 0;
  size_t step = 0;
};

// A run of threads that access memory and hand on what they know. What happens before what is kept twice: as segments,
// and step by step as the set of all steps before.
class Run {
 public:
  Run(uint32_t seed, uint32_t threads, uint32_t steps) : random_(seed), threads_(threads), few_(seed % 2) {
    begin_lives(c);
    for (uint32_t s = 0, n = 3 + below(6); s < n; ++s) add_stream();
    for (auto& order : before_) order.resize(threads + 1);
    for (uint32_t s = 0; s < steps; ++s) {
      const uint32_t t = 1 + below(threads), what = below(10);
      if (what == 0)
        give(t);
      else if (what == 1 && !messages_.empty())
        get(t);
      else
        sweep(t);
    }
    collect();
  }

  bool ordered(const Access& a, const Access& b, Order order) const {
    const auto& past = past_[static_cast<size_t>(order)];
    return past[b.step].count(a.step) || past[a.step].count(b.step);
  }
  // By the definition: different threads, a store, not both atomic, a byte of the same generation, no order.
  bool race(const Access& a, const Access& b, Order order) const {
    const Stream &s = c.sites.stream(a.stream), &t = c.sites.stream(b.stream);
    return a.thread != b.thread && (c.sites[s.site].store || c.sites[t.site].store) && !(s.atomic && t.atomic) &&
           s.generation == t.generation && a.addr < b.addr + b.width && b.addr < a.addr + a.width &&
           !ordered(a, b, order);
  }

  Collected c;
  std::vector<Access> accesses;
  uint64_t in_classes = 0;  // segments

 private:
  struct Message {
    Knowledge knowledge;
    std::array<std::set<size_t>, kOrderCount> past;
  };

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  void add_stream() {
    Site s;
    s.ip = {ModuleId(1), 0x1000 + widths_.size()};
    s.store = below(2);
    const bool atomic = below(3) == 0;
    const StreamId id = c.sites.stream(c.sites.site(s), below(2) ? kBlock : kOtherBlock, atomic);
    CHECK(id == widths_.size());
    constexpr uint64_t kWidths[] = {1, 2, 3, 4, 8, 16};
    widths_.push_back(kWidths[below(6)]);
  }
  // Accesses of one stream at equal distances, most in one step, some of them again.
  void sweep(uint32_t t) {
    const auto stream = static_cast<StreamId>(below(static_cast<uint32_t>(widths_.size())));
    const uint32_t count = below(3) ? 1 : 1 + below(6), times = below(4) ? 1 : 3;
    // Some runs do the same again and again.
    const bool alike = few_ && below(4);
    const uint64_t base = 4096 + (alike ? 8 * below(2) : below(64)),
                   stride = alike || below(2) ? widths_[stream] : 1 + below(20);
    const size_t step = steps_++;
    const SegmentNumber segment = c.segments.use(ThreadId(t), {step, 0});
    for (size_t o = 0; o < kOrderCount; ++o) {
      past_[o].push_back(before_[o][t]);
      before_[o][t].insert(step);
    }
    for (uint32_t i = 0; i < count * times; ++i)
      accesses.push_back({t, segment, stream, base + stride * (i % count), widths_[stream], step});
  }
  void give(uint32_t t) {
    Message m{c.segments.give(ThreadId(t)), {}};
    for (size_t o = 0; o < kOrderCount; ++o) m.past[o] = before_[o][t];
    messages_.push_back(std::move(m));
  }
  void get(uint32_t t) {
    const auto edge = static_cast<EdgeKind>(below(kOrderCount));
    const Message& m = messages_[below(static_cast<uint32_t>(messages_.size()))];
    c.segments.get(ThreadId(t), m.knowledge, edge);
    for (size_t o = 0; o <= static_cast<size_t>(edge); ++o) before_[o][t].insert(m.past[o].begin(), m.past[o].end());
  }
  void collect() {
    c.sets.resize(threads_ + 1);
    for (uint32_t t = 1; t <= threads_; ++t) {
      std::map<std::pair<SegmentNumber, StreamId>, Folder> folders;
      for (const Access& a : accesses)
        if (a.thread == t) folders[{a.segment, a.stream}].add(a.addr, a.width);
      std::map<SegmentNumber, std::vector<SegmentClasses::Entry>> segments;
      for (auto& [key, folder] : folders)
        for (const Progression& p : folder.take()) segments[key.first].push_back({key.second, p});
      for (auto& [segment, entries] : segments) add_segment(c.sets[t], segment, std::move(entries));
    }
  }
  // As a class or by its entries.
  void add_segment(ThreadAccesses& to, SegmentNumber segment, std::vector<SegmentClasses::Entry> entries) {
    if (few_ && below(3)) {
      ++in_classes;
      return to.add_class(segment, c.classes.of(std::move(entries)));
    }
    for (const SegmentClasses::Entry& e : entries) to.add({e.stream, segment, e.at});
  }

  std::mt19937 random_;
  uint32_t threads_;
  bool few_;
  std::vector<uint64_t> widths_;  // by stream
  std::vector<Message> messages_;
  size_t steps_ = 0;
  std::array<std::vector<std::set<size_t>>, kOrderCount> past_;    // by step
  std::array<std::vector<std::set<size_t>>, kOrderCount> before_;  // by thread: what its next step has before it
};

struct Expected {
  uint64_t instances = 0;
  AccessPosition earliest{~uint64_t{0}, 0};  // where the later of two segments begins
  std::set<uint64_t> of_a, of_b;             // addresses of accesses that race
  uint64_t width_of_a = 0, width_of_b = 0;
};

using Key = std::pair<StreamId, StreamId>;

AccessPosition later_begin(const Run& run, const RaceEnd& a, const RaceEnd& b) {
  return std::max(run.c.segments.of(a.thread)[a.segment - 1].begin, run.c.segments.of(b.thread)[b.segment - 1].begin);
}

// By memory: of two streams the lower one is a, else that of the lower thread.
std::map<Key, Expected> expected(const Run& run, Order order, bool by_memory) {
  std::map<Key, Expected> pairs;
  for (const Access& a : run.accesses)
    for (const Access& b : run.accesses) {
      const bool turned = by_memory && a.stream != b.stream ? a.stream > b.stream : a.thread >= b.thread;
      if (turned || !run.race(a, b, order)) continue;
      Expected& e = pairs[{a.stream, b.stream}];
      ++e.instances;
      e.earliest =
          std::min(e.earliest, later_begin(run, {ThreadId(a.thread), a.segment}, {ThreadId(b.thread), b.segment}));
      e.width_of_a = a.width;
      e.width_of_b = b.width;
      e.of_a.insert(a.addr);
      e.of_b.insert(b.addr);
      if (by_memory && a.stream == b.stream) e.of_a.insert(b.addr);
    }
  return pairs;
}

bool is_example(const Run& run, const StreamPair& p, Order order) {
  for (const Access& a : run.accesses)
    for (const Access& b : run.accesses)
      if (a.thread == p.of_a.thread.value && b.thread == p.of_b.thread.value && a.stream == p.a && b.stream == p.b &&
          a.segment == p.of_a.segment && b.segment == p.of_b.segment && a.addr == p.of_a.addr &&
          b.addr == p.of_b.addr && run.race(a, b, order))
        return true;
  return false;
}

}  // namespace

TEST_CASE("pairs of streams race as the definition says, access by access") {
  uint64_t races = 0, clean = 0, classes = 0, in_classes = 0;
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    const Run run(seed, seed % 5 ? 2 + seed % 3 : 60, 4 + seed % 60);
    classes += run.c.classes.size();
    in_classes += run.in_classes;
    for (const auto& [order, by_memory] : kWays) {
      INFO("seed " << seed << ", order " << static_cast<int>(order) << (by_memory ? ", by memory" : ""));
      const std::map<Key, Expected> all = expected(run, order, by_memory);
      const std::vector<StreamPair> found = all_pairs(run.c, order, by_memory);
      std::vector<Key> keys, expected_keys;
      for (const auto& [key, e] : all) expected_keys.push_back(key);
      for (const StreamPair& p : found) keys.emplace_back(p.a, p.b);
      REQUIRE(keys == expected_keys);
      for (const StreamPair& p : found) {
        const Expected& e = all.at({p.a, p.b});
        INFO("streams " << p.a << ", " << p.b);
        CHECK(p.instances == e.instances);
        CHECK((by_memory ? p.of_a.thread != p.of_b.thread : p.of_a.thread < p.of_b.thread));
        CHECK(is_example(run, p, order));
        CHECK(later_begin(run, p.of_a, p.of_b) == e.earliest);
        const std::set<uint64_t>& narrower = e.width_of_a <= e.width_of_b ? e.of_a : e.of_b;
        CHECK(p.addresses.base == *narrower.begin());
        CHECK(p.addresses.last() <= *narrower.rbegin());
      }
      races += all.size();
      clean += all.empty();
    }
  }
  CHECK(races > 1000);
  CHECK(clean > 10);
  CHECK(classes > 100);
  CHECK(in_classes > classes + 20);
}

TEST_CASE("pairs are the same if those of some segments are found first, and what these accessed is forgotten") {
  uint64_t races = 0, forgotten = 0;
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    const uint32_t threads = 2 + seed % 4, steps = 4 + seed % 60;
    const Run all(seed, threads, steps);
    Run some(seed, threads, steps);
    std::mt19937 random(seed);
    std::vector<SegmentNumber> until(threads + 1);
    for (uint32_t round = 0; round < 1 + seed % 3; ++round) {
      for (uint32_t t = 1; t <= threads; ++t) {
        const auto more = static_cast<SegmentNumber>(some.c.segments.count(ThreadId(t))) - until[t];
        until[t] += static_cast<SegmentNumber>(random() % (more + 1));
      }
      find_past_pairs(until, some.c);
    }
    for (uint32_t t = 1; t <= threads; ++t) forgotten += all.c.sets[t].size() - some.c.sets[t].size();
    for (const Order order : {Order::kFull, Order::kAtomics, Order::kSync}) {
      INFO("seed " << seed << ", order " << static_cast<int>(order));
      const std::vector<StreamPair> expected = all_pairs(all.c, order), found = all_pairs(some.c, order);
      REQUIRE(found.size() == expected.size());
      for (size_t i = 0; i < found.size(); ++i) REQUIRE(found[i] == expected[i]);
      races += found.size();
    }
  }
  CHECK(races > 1000);
  CHECK(forgotten > 1000);
}

namespace {

// Strands that a loop creates; those that one wait ends are one after the other with those of the next.
Collected many_strands(uint32_t rounds, uint32_t strands, uint64_t times) {
  Collected c;
  Site s;
  s.store = true;
  begin_lives(c);
  const StreamId stream = c.sites.stream(c.sites.site(s), kBlock, false);
  uint64_t step = 0;
  Knowledge done;
  for (uint32_t r = 0; r < rounds; ++r) {
    const Knowledge before = done;
    for (uint32_t i = 0; i < strands; ++i) {
      const ThreadId t(1 + r * strands + i);
      c.segments.restart(t, before);
      const SegmentNumber n = c.segments.use(t, {++step, 0});
      c.sets.resize(t.value + 1);
      c.sets[t.value].add({stream, n, {4096, 0, 1, 8, times}});
      done.join(c.segments.give(t));
      c.segments.end(t);
    }
  }
  return c;
}

}  // namespace

TEST_CASE("instances among very many strands are counted, not listed") {
  const Collected c = many_strands(20, 5000, 3);
  const std::vector<StreamPair> found = all_pairs(c, Order::kFull);
  REQUIRE(found.size() == 1);
  CHECK(found[0].instances == 20 * (5000ull * 4999 / 2) * 9);
  CHECK(c.segments.of(found[0].of_a.thread)[0].begin.event + c.segments.of(found[0].of_b.thread)[0].begin.event == 3);
}

namespace {

// Two threads that know nothing of each other, with one segment each.
struct TwoThreads {
  Collected c;

  TwoThreads() {
    begin_lives(c);
    c.sets.resize(3);
    for (uint32_t t = 1; t <= 2; ++t) c.segments.use(ThreadId(t), {t, 0});
  }
  StreamId stream(uint64_t ip, bool store, bool atomic, GenerationId generation = kBlock) {
    Site s;
    s.ip.addr = ip;
    s.store = store;
    return c.sites.stream(c.sites.site(s), generation, atomic);
  }
  void add(uint32_t thread, StreamId stream, const Progression& at) { c.sets[thread].add({stream, 1, at}); }
  std::vector<StreamPair> races() const { return all_pairs(c, Order::kFull); }
};

}  // namespace

TEST_CASE("atomic accesses race with plain ones only, loads with stores only") {
  for (int kinds = 0; kinds < 16; ++kinds) {
    const bool store_a = kinds & 1, atomic_a = kinds & 2, store_b = kinds & 4, atomic_b = kinds & 8;
    INFO("kinds " << kinds);
    TwoThreads t;
    t.add(1, t.stream(10, store_a, atomic_a), {64, 0, 1, 8, 1});
    t.add(2, t.stream(20, store_b, atomic_b), {68, 0, 1, 4, 1});
    CHECK(t.races().size() == ((store_a || store_b) && !(atomic_a && atomic_b) ? 1 : 0));
  }
}

TEST_CASE("an instruction races with itself in another thread, and only with its own generation") {
  TwoThreads t;
  const StreamId s = t.stream(10, true, false), later = t.stream(10, true, false, kOtherBlock);
  t.add(1, s, {64, 0, 1, 8, 1});
  t.add(2, later, {64, 0, 1, 8, 1});
  CHECK(t.races().empty());
  t.add(2, s, {71, 0, 1, 8, 5});
  const std::vector<StreamPair> found = t.races();
  REQUIRE(found.size() == 1);
  CHECK(found[0].a == s);
  CHECK(found[0].b == s);
  CHECK(found[0].instances == 5);
  CHECK(found[0].of_a.addr == 64);
  CHECK(found[0].of_b.addr == 71);
}

TEST_CASE("threads that meet on a stack are pairs of their own, elsewhere they are one") {
  for (const GenerationId life : {kBlock, kStack}) {
    TwoThreads t;
    t.c.sets.resize(4);
    t.c.segments.use(ThreadId(3), {3, 0});
    const StreamId s = t.stream(10, true, false, life);
    for (uint32_t thread = 1; thread <= 3; ++thread) t.add(thread, s, {64, 0, 1, 8, 1});
    const std::vector<StreamPair> found = t.races();
    REQUIRE(found.size() == (life == kStack ? 3 : 1));
    uint32_t meeting = life == kStack ? 1 : 0;
    for (const StreamPair& p : found) CHECK(p.meeting == meeting++);
    CHECK(found[0].instances == (life == kStack ? 1 : 3));
  }
}

TEST_CASE("instances beyond what a number holds are as many as it holds") {
  TwoThreads t;
  const uint64_t many = uint64_t{1} << 40;
  t.add(1, t.stream(10, true, false), {4096, 8, many, 8, 1 << 30});
  t.add(2, t.stream(20, false, false), {4096, 8, many, 8, 1 << 30});
  const std::vector<StreamPair> found = t.races();
  REQUIRE(found.size() == 1);
  CHECK(found[0].instances == std::numeric_limits<uint64_t>::max());
  CHECK(found[0].addresses == Progression{4096, 8, many, 8, 1});
}

TEST_CASE("the narrower side tells what raced") {
  TwoThreads t;
  t.add(1, t.stream(10, true, false), {4096, 0, 1, 64, 1});
  t.add(2, t.stream(20, false, false), {4092, 4, 100, 4, 1});
  const std::vector<StreamPair> found = t.races();
  REQUIRE(found.size() == 1);
  CHECK(found[0].instances == 16);
  CHECK(found[0].addresses == Progression{4096, 4, 16, 4, 1});
  CHECK(found[0].of_b.addr == 4096);
}

TEST_CASE("what a segment accessed is kept, and streams can be given other numbers") {
  ThreadAccesses all;
  std::vector<AccessEntry> expected;
  for (uint32_t i = 0; i < 10000; ++i) {
    AccessEntry e{i % 7, i / 3 + 1, {4096 + i, 0, 1, 1 + i % 16, 1}};
    if (i % 5 == 1) e.at.times = i;
    if (i % 5 == 2) e.at.stride = 8, e.at.count = 2 + i;
    if (i % 5 == 3) e.at.width = uint64_t{1} << 33;
    all.add(e);
    e.stream = 6 - e.stream;
    expected.push_back(e);
  }
  all.renumber({6, 5, 4, 3, 2, 1, 0});
  REQUIRE(all.size() == expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const AccessEntry e = all[i];
    REQUIRE((e.stream == expected[i].stream && e.segment == expected[i].segment && e.at == expected[i].at));
  }
}

TEST_CASE("segments that have the same accesses are of one class, which counts for each of them") {
  Collected c;
  c.sets.resize(2);
  const std::vector<SegmentClasses::Entry> one = {{0, {4096, 8, 10, 8, 1}}, {1, {8192, 0, 1, 4, 3}}},
                                           other = {{0, {4096, 8, 10, 8, 2}}};
  for (SegmentNumber n = 1; n <= 5000; ++n) {
    if (n % 3 == 0)
      c.sets[1].add({2, n, {n, 0, 1, 1, 1}});
    else
      c.sets[1].add_class(n, c.classes.of(n % 3 == 1 ? one : other));
  }
  CHECK(c.classes.size() == 2);
  CHECK(c.sets[1].size() == 5000);
  c.sets[1].renumber({2, 1, 0});
  c.classes.renumber({2, 1, 0});
  SegmentNumber last = 0;
  size_t entries = 0, kinds = 0;
  c.for_each_access(ThreadId(1), [&](const AccessEntry& e) {
    REQUIRE((e.segment == last || e.segment == last + 1));
    last = e.segment;
    REQUIRE(e.stream == (last % 3 == 0 ? 0 : e.at.base == 8192 ? 1 : 2));
    REQUIRE(e.at.times == (last % 3 == 2 ? 2 : e.stream == 1 ? 3 : 1));
    ++entries;
  });
  CHECK(last == 5000);
  CHECK(entries == 1666 + 2 * 1667 + 1667);
  c.for_each_kind_of_access(ThreadId(1), 1, [&](const AccessEntry&) { ++kinds; });
  CHECK(kinds == 1666 + 3);
}

TEST_CASE("a site and a stream have one number each, also when they have got others") {
  Sites sites;
  Site load, store;
  load.ip = store.ip = {ModuleId(1), 64};
  store.store = true;
  const SiteId a = sites.site(load), b = sites.site(store);
  CHECK(a != b);
  CHECK(sites.site(load) == a);
  const StreamId plain = sites.stream(b, 1, false), atomic = sites.stream(b, 1, true),
                 other = sites.stream(b, 2, false);
  CHECK(sites.streams() == 3);
  sites.renumber({2, 0, 1});
  CHECK(sites.stream(b, 1, false) == 2);
  CHECK(sites.stream(b, 1, true) == 0);
  CHECK(sites.stream(b, 2, false) == 1);
  CHECK(sites.streams() == 3);
  CHECK((plain == 0 && atomic == 1 && other == 2));
  CHECK(sites.stream(0).atomic);
  CHECK(sites.stream(1).generation == 2);
  CHECK(sites.site_of(2) == store);
}

// SPDX-License-Identifier: GPL-2.0-or-later
// The engine against brute force on random streams: the memory table alone, and everything together; and several
// engines that share the memory against one.
#include <algorithm>
#include <functional>
#include <memory>
#include <random>

#include "tests/unit/depend/naive_model.h"
#include "tests/unit/depend/stream_builder.h"
#include "tests/unit/properties.h"

using namespace depend_test;

namespace {

constexpr uint64_t kHeap = 0x100000;
constexpr uint64_t kGot = 0x100160;

std::string differences(Stream& s, uint32_t granularity) {
  NaiveModel model(s.modules(), s.blocks(), granularity);
  s.replay(model);
  std::map<Key, uint64_t> engine;
  for (const cdr::depend::Row& r : s.engine().results().rows()) engine[r.key] = r.count;
  std::string out;
  const auto show = [&](const char* who, const Key& k, uint64_t n) {
    cdr::depend::Row r;
    r.key = k;
    r.count = n;
    out += std::string(who) + Stream::text(r) + "\n";
  };
  for (const auto& [k, n] : model.counts)
    if (!engine.count(k) || engine[k] != n) show("expected ", k, n);
  for (const auto& [k, n] : engine)
    if (!model.counts.count(k) || model.counts[k] != n) show("found    ", k, n);
  if (s.engine().stats().imprecise != 0) out += "imprecise\n";
  return out;
}

// A random program: what it does next is drawn, what it may do depends on where it is.
class Player {
 public:
  Player(unsigned seed, uint32_t granularity, bool only_memory)
      : random_(seed), s_(options(seed, granularity)), only_memory_(only_memory) {
    cdr::Module m;
    m.path = "/bin/x";
    m.got = {kGot, kGot + 12};
    if (!only_memory_) s_.module(m);
    depth_[1] = 0;
    s_.run(0x1000, {nothing()});
  }
  void play(int steps) {
    for (int i = 0; i < steps; ++i) only_memory_ || draw(3) == 0 ? accesses() : step();
  }
  Stream& stream() { return s_; }

 private:
  struct Coroutine {
    AddrRange range;
    uint64_t sp = 0;
  };

  // Half of them sweep all the time.
  static cdr::depend::Options options(unsigned seed, uint32_t granularity) {
    cdr::depend::Options o;
    o.granularity = granularity;
    if (seed / 7 % 2) o.sweep_nodes = 1 + seed / 14 % 20;
    return o;
  }
  uint64_t draw(uint64_t n) { return random_() % n; }
  bool chance(uint64_t n) { return draw(n) == 0; }
  uint64_t pc() { return 0x1000 + 0x100 * draw(6); }

  uint64_t address() {
    if (only_memory_) return kHeap + 0x3c + draw(24);
    switch (draw(5)) {
      case 0:
        return kHeap + draw(16) * 4 + draw(2) * draw(4);
      case 1:
        return kGot - 8 + draw(24);
      case 2:
        return s_.sp() - 160 + 4 * draw(64);
      case 3:
        return s_.sp() - 24 + draw(48);
      default:
        return kMainSp - 128 + 8 * draw(24);
    }
  }
  Op access() {
    static const uint16_t widths[] = {1, 2, 4, 8, 8, 8, 16};
    const uint16_t w = widths[draw(7)];
    uint64_t a = address();
    if (!chance(4)) a &= ~uint64_t{w - 1u};
    Op op = chance(2) ? load(a, w) : store(a, w);
    if (chance(8)) op = linkage(op);
    return op;
  }
  void accesses() {
    std::vector<Op> ops;
    const uint64_t n = 1 + draw(4);
    int64_t moved = 0;
    for (uint64_t i = 0; i < n; ++i) {
      ops.push_back(access());
      if (i && chance(3)) ops.back() = joined(ops.back());
      if (!only_memory_ && chance(6)) {
        const int64_t by = 4 * (static_cast<int64_t>(draw(9)) - 4);
        ops.push_back(joined(add_sp(by)));
        moved += by;
        if (i + 1 < n) ops.push_back(nothing());
      }
    }
    if (moved) {
      ops.push_back(nothing());
      ops.push_back(add_sp(-moved));
    }
    if (!only_memory_ && chance(5)) s_.jumps();
    if (!only_memory_) s_.flags(random_flags());
    s_.run(pc(), ops);
  }
  uint8_t random_flags() {
    static const uint8_t flags[] = {0,
                                    0,
                                    0,
                                    0,
                                    cdr::kBlockFunctionEntry,
                                    cdr::kBlockPlt,
                                    cdr::kBlockDynamicLinker,
                                    cdr::kBlockFunctionEntry | cdr::kBlockHidden};
    return flags[draw(8)];
  }
  void function() {
    s_.flags(chance(5) ? uint8_t(cdr::kBlockFunctionEntry | cdr::kBlockHidden) : uint8_t(cdr::kBlockFunctionEntry));
    if (chance(4)) s_.jumps();
    s_.run(pc(), {access(), nothing(), add_sp(0)});
  }
  void call() {
    s_.call(pc() + 0x40);
    saved_[stack_].push_back(s_.sp());
    ++depth_[stack_];
    function();
    if (chance(2)) s_.run(pc(), {store(s_.sp() - 8), joined(add_sp(-8)), access()});
  }
  void leave() {
    if (depth_[stack_] == 0) return call();
    const size_t n = chance(4) ? 1 + draw(depth_[stack_]) : 1;
    const uint64_t sp = saved_[stack_][saved_[stack_].size() - n];
    s_.run(pc(), {access(), sp_to(sp)});
    if (n > 1) s_.pop(static_cast<uint32_t>(n - 1));
    saved_[stack_].resize(saved_[stack_].size() - n);
    depth_[stack_] -= n;
    s_.ret(pc() + 0x80);
  }
  void step() {
    switch (draw(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return call();
      case 4:
      case 5:
      case 6:
      case 7:
        return leave();
      case 8:
        s_.alloc(kHeap + 16 * draw(4), 1 + draw(60));
        return;
      case 9:
        s_.free(kHeap + 16 * draw(4), 1 + draw(60));
        return;
      case 10:
        return rare();
      case 11:
        s_.resize(kHeap, draw(64), draw(64));
        return;
      case 12:
        return thread_or_turn();
      case 13:
        return coroutine();
      case 14:
        s_.syscall(pc() + 2, {{address(), 1 + draw(20), chance(2)}, {address(), 1 + draw(20), chance(2)}});
        return;
      default:
        s_.run_partly(pc(), {access(), access(), access()}, static_cast<unsigned>(draw(4) % 3));
        return;
    }
  }
  void rare() {
    switch (draw(8)) {
      case 6:
      case 7:
        return handler();
      case 0:
        s_.map(kHeap + draw(64), draw(32));
        return;
      case 1:
        s_.unmap(kHeap + draw(64), draw(32));
        return;
      case 2:
        s_.gap_begin().gap_end();
        return;
      case 3: {
        const uint64_t sp = s_.sp();
        s_.signal_enter(pc() + 8, sp - 256);
        function();
        accesses();
        s_.signal_leave(pc() + 8, sp);
        return;
      }
      case 4:
        s_.run(pc(), {sp_to(s_.sp() + 8)});
        s_.run(pc(), {sp_to(s_.sp() - 8)});
        return;
      default:
        s_.syscall(pc(), {{address(), 4, false}, {address(), 4, true}});
        return;
    }
  }
  // On an alternate stack, with what it may do: call, switch to a coroutine, be interrupted, jump out.
  void handler() {
    const uint32_t alternate = 100 + thread_;
    const AddrRange range{0xc00000 + 0x1000 * thread_, 0xc00800 + 0x1000 * thread_};
    const uint32_t from = stack_;
    const bool nested = from == alternate;
    for (const auto& [t, stack] : stack_of_)
      if (stack == alternate && t != thread_) return;
    const uint64_t old = s_.sp(), entry = nested ? old - 256 : range.end - 0x80 - 16 * draw(2);
    const uint64_t ip = pc() + 8;
    if (!nested) {
      sp_of_[from] = old;
      s_.stack_switch(alternate, range, entry);
      ranges_[alternate] = range;
      if (const size_t left = depth_[alternate]) s_.pop(static_cast<uint32_t>(left));
      depth_[alternate] = 0;
      saved_[alternate].clear();
      stack_of_[thread_] = stack_ = alternate;
    }
    s_.signal_enter(ip, entry);
    ++depth_[alternate];
    saved_[alternate].push_back(entry);
    const size_t depth = depth_[alternate];
    function();
    for (uint64_t n = draw(4); n > 0; --n) accesses();
    if (chance(3)) call();
    if (chance(4)) handler();
    if (chance(4)) coroutine();
    if (chance(3) || stack_ != alternate || depth_[alternate] < depth) return;  // it goes on, or is left by a jump
    if (depth_[alternate] > depth) s_.pop(static_cast<uint32_t>(depth_[alternate] - depth));
    depth_[alternate] = depth - 1;
    saved_[alternate].resize(depth - 1);
    s_.signal_leave(ip, old);
    if (nested) return;
    s_.stack_switch(from, ranges_[from], old);
    stack_of_[thread_] = stack_ = from;
  }
  void thread_or_turn() {
    if (threads_.size() < 4 && chance(2)) {
      const auto t = static_cast<uint32_t>(threads_.size() + 1);
      s_.create(t);
      const uint64_t base = 0x900000 + 0x10000 * (chance(3) && t > 2 ? t - 1 : t);
      threads_.push_back(t);
      stack_of_[t] = stack_ = next_stack_++;
      ranges_[stack_] = {base, base + 0x8000};
      s_.start(t, stack_, ranges_[stack_], base + 0x7000);
      thread_ = t;
      if (chance(2)) s_.run(pc(), {access()});
      return;
    }
    const uint32_t to = threads_[draw(threads_.size())];
    if (to == thread_ || ended_.count(to)) return;
    if (thread_ != 1 && chance(4)) {
      s_.end_thread();
      ended_.insert(thread_);
    }
    thread_ = to;
    stack_ = stack_of_[to];
    s_.turn(to);
  }
  // Switches between the thread's own stack and coroutines, the block before loading the new SP.
  void coroutine() {
    uint32_t to;
    if (chance(3) && next_stack_ < 12) {
      to = next_stack_++;
      const uint64_t base = chance(2) ? 0x400000 + 0x1000 * to : 0xa00000 + 0x1000 * to;
      ranges_[to] = {base, base + 0x800};
      sp_of_[to] = base + 0x700;
    } else {
      to = chance(5) ? 100 + threads_[draw(threads_.size())] : 1 + static_cast<uint32_t>(draw(next_stack_ - 1));
      for (const auto& [t, st] : stack_of_)
        if (st == to) return;
      if (!sp_of_.count(to)) return;
    }
    sp_of_[stack_] = s_.sp();
    const uint64_t old = s_.sp();
    s_.run(0x3000, {nothing(), sp_to(sp_of_[to])});
    s_.sp() = old;
    stack_of_[thread_] = stack_ = to;
    if (chance(8)) ranges_[to].begin -= 0x40;
    s_.stack_switch(to, ranges_[to], sp_of_[to]);
  }

  std::mt19937 random_;
  Stream s_;
  bool only_memory_;
  uint32_t thread_ = 1, stack_ = 1, next_stack_ = 2;
  std::vector<uint32_t> threads_{1};
  std::set<uint32_t> ended_;
  std::map<uint32_t, uint32_t> stack_of_{{1, 1}};
  std::map<uint32_t, AddrRange> ranges_{{1, {kMainStackBegin, kMainStackEnd}}};
  std::map<uint32_t, uint64_t> sp_of_;
  std::map<uint32_t, size_t> depth_;
  std::map<uint32_t, std::vector<uint64_t>> saved_;
};

using Engines = std::vector<std::unique_ptr<cdr::depend::Engine>>;

// Passes events on to all, and calls a function now and then.
struct Everyone final : cdr::EventSink {
  Everyone(Engines& all, std::function<void()> f) : engines(all), between(std::move(f)) {}
  void block(cdr::ThreadId thread, cdr::BlockId id, std::span<const uint64_t> words) override {
    for (const auto& e : engines) e->block(thread, id, words);
    next();
  }
  void event(const cdr::Event& event) override {
    for (const auto& e : engines) e->event(event);
    next();
  }
  void next() {
    if (++events % 50 == 0) between();
  }

  Engines& engines;
  std::function<void()> between;
  size_t events = 0;
};

// What engines that share the memory find of the stream, crossing accesses put together while it is read.
cdr::depend::ResultTable found_by_parts(const Stream& stream, cdr::depend::Options options, uint32_t parts) {
  Engines engines;
  for (options.part = 0, options.parts = parts; options.part < parts; ++options.part)
    engines.push_back(std::make_unique<cdr::depend::Engine>(stream.modules(), stream.blocks(), options));
  cdr::depend::PartResults results;
  const auto count_crossings = [&] {
    std::vector<std::vector<cdr::depend::CrossingHit>> hits;
    for (const auto& e : engines) hits.push_back(e->take_crossings(results));
    results.count(hits);
  };
  Everyone everyone(engines, count_crossings);
  stream.replay(everyone);
  count_crossings();
  for (const auto& e : engines) results.add(e->part_rows());
  return results.table(options.granularity, engines.front()->stats());
}

// What an engine tells of the accesses that count.
class Listener final : public cdr::depend::CountObserver {
 public:
  Listener(const Stream& s, const cdr::depend::Options& options) : engine_(s.modules(), s.blocks(), options) {
    engine_.observe(*this);
    s.replay(engine_);
  }
  void counted(cdr::depend::RowIndex row, uint64_t addr, cdr::depend::CodeIndex at) override {
    ++hits[{engine_.key(row), addr, engine_.code(at)}];
  }
  const cdr::depend::ResultTable& results() { return engine_.results(); }
  std::map<NaiveModel::Hit, uint64_t> hits;

 private:
  cdr::depend::Engine engine_;
};

// RapidCheck's own integers are small at first; seeds need not be.
unsigned any_seed() { return *rc::gen::inRange(0u, 1u << 30); }

}  // namespace

TEST_CASE("the memory table agrees with brute force", "[depend]") {
  rc::prop("random accesses of all widths, some of one instruction", [] {
    const unsigned seed = any_seed();
    const uint32_t granularity = seed % 3 ? 1 : 1u << seed % 7;
    Player p(seed, granularity, true);
    p.play(60);
    RC_ASSERT(differences(p.stream(), granularity) == "");
  });
}

TEST_CASE("the engine agrees with brute force on random streams", "[depend]") {
  rc::prop("calls, stacks, threads, heap, names", [] {
    const unsigned seed = any_seed();
    const uint32_t granularity = seed % 5 ? 1 : 1u << seed % 7;
    Player p(seed, granularity, false);
    p.play(static_cast<int>(20 + seed % 300));
    RC_ASSERT(differences(p.stream(), granularity) == "");
  });
}

TEST_CASE("an observer is told of every access that counts, and where it was", "[depend]") {
  rc::prop("on random streams", [] {
    const unsigned seed = any_seed();
    cdr::depend::Options options;
    options.granularity = seed % 5 ? 1 : 1u << seed % 7;
    Player p(seed, options.granularity, seed % 4 == 0);
    p.play(static_cast<int>(20 + seed % 200));
    NaiveModel model(p.stream().modules(), p.stream().blocks(), options.granularity);
    p.stream().replay(model);
    options.sweep_nodes = *rc::gen::element(16u, 64u * 1024);
    Listener listener(p.stream(), options);
    RC_ASSERT(listener.hits == model.hits);
    RC_ASSERT(same_dependences(listener.results(), p.stream().engine().results()));
  });
}

TEST_CASE("engines that share the memory find together what one finds", "[depend]") {
  rc::prop("for any number of parts", [] {
    const unsigned seed = any_seed();
    cdr::depend::Options options;
    options.granularity = seed % 3 ? 1 : 1u << seed % 7;
    Player p(seed, options.granularity, seed % 2 == 0);
    p.play(static_cast<int>(20 + seed % 300));
    const auto parts = *rc::gen::inRange(1u, 9u);
    options.sweep_nodes = *rc::gen::element(16u, 64u * 1024);
    const cdr::depend::ResultTable all = found_by_parts(p.stream(), options, parts);
    RC_ASSERT(same_dependences(all, p.stream().engine().results()));
    RC_ASSERT(all.stats().accesses == p.stream().engine().stats().accesses);
  });
}

TEST_CASE("the engine agrees with brute force on very many random streams", "[.soak]") {
  std::map<char, uint64_t> classes;
  uint64_t sweeps = 0;
  for (unsigned seed = 0; seed < 10000; ++seed) {
    const uint32_t granularity = seed % 5 ? 1 : 1u << seed % 7;
    Player p(seed, granularity, false);
    p.play(static_cast<int>(20 + seed % 400));
    INFO("seed " << seed);
    REQUIRE(differences(p.stream(), granularity) == "");
    for (const cdr::depend::Row& r : p.stream().engine().results().rows()) ++classes[letter(r.key.location)];
    sweeps += p.stream().engine().stats().sweeps;
  }
  CHECK(sweeps > 10000);
  for (char c : {'l', 'r', 'f', 's', 'o'}) CHECK(classes[c] > 1000);
}

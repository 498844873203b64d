// SPDX-License-Identifier: GPL-2.0-or-later
// Nanoseconds a symbol of what `cdrgrind loops` does, without reading.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

#include "cdrgrind/analysis/loops/greedy.h"
#include "cdrgrind/analysis/loops/optimal.h"
#include "cdrgrind/analysis/loops/runs.h"

namespace {

using namespace cdr::analysis;
using namespace cdr::loops;
using Symbols = std::vector<uint32_t>;

// Iterations of (4)^160 + (4)^160 + 12 symbols.
Symbols lu(size_t size) {
  Symbols s;
  for (uint32_t i = 0; s.size() < size; i = (i + 1) % 1292) s.push_back(i < 640 ? i % 4 : i < 1280 ? 4 + i % 4 : i);
  return s;
}

Symbols random_bits(size_t size) {
  std::mt19937 gen(1);
  Symbols s;
  while (s.size() < size) s.push_back(gen() & 1);
  return s;
}

Symbols fibonacci(size_t size) {
  Symbols word = {0}, before = {1};
  while (word.size() < size) {
    Symbols next = word;
    next.insert(next.end(), before.begin(), before.end());
    before = std::move(word);
    word = std::move(next);
  }
  word.resize(size);
  return word;
}

using Make = Symbols (*)(size_t);

void per_symbol(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * state.range(0)); }

void all_runs(benchmark::State& state, Make make) {
  const Symbols text = make(static_cast<size_t>(state.range(0)));
  const Watch unwatched;
  RunFinder finder(unwatched);
  BigArray<Run> runs;
  for (auto _ : state) {
    runs.clear();
    finder.find(std::span<const uint32_t>(text), runs);
    benchmark::DoNotOptimize(runs.data());
  }
  per_symbol(state);
}

template <auto find>
void nest(benchmark::State& state, Make make) {
  const Symbols text = make(static_cast<size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(find(text).top_count);
  per_symbol(state);
}

constexpr auto kOptimal = [](const Symbols& text) { return optimal_nest(text); };
constexpr auto kSpan = [](const Symbols& text) { return optimal_nest(text, {LoopOrder::kSpan, false}); };
constexpr auto kGreedy = [](const Symbols& text) { return greedy_nest(text); };

void add(const std::string& name, Make make) {
  const std::pair<const char*, void (*)(benchmark::State&, Make)> parts[] = {
      {"runs", all_runs}, {"optimal", nest<kOptimal>}, {"optimal_by_span", nest<kSpan>}, {"greedy", nest<kGreedy>}};
  for (const auto& [part, function] : parts)
    benchmark::RegisterBenchmark(("loops/" + std::string(part) + "/" + name).c_str(), function, make)
        ->Arg(323048)
        ->Unit(benchmark::kMillisecond);
}

const bool added = [] {
  add("lu", lu);
  add("random", random_bits);
  add("fibonacci", fibonacci);
  return true;
}();

}  // namespace

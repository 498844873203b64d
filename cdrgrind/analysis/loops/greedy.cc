// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/loops/greedy.h"

#include <algorithm>
#include <unordered_map>

#include "cdrgrind/analysis/loops/runs.h"
#include "cdrgrind/analysis/loops/selection.h"
#include "cdrgrind/base/checksum.h"

namespace cdr::loops {

namespace {

constexpr uint32_t kFirstLoopSymbol = uint32_t{1} << 31;
// Up to this level runs are found by comparing the string with itself, shifted.
constexpr uint32_t kLastShiftedLevel = 8;

bool is_loop(uint32_t symbol) { return symbol >= kFirstLoopSymbol; }

// The mapping table: what the new symbols stand for.
class LoopTable {
 public:
  struct Row {
    size_t body = 0;  // where the body begins in the pool
    uint32_t body_size = 0;
    uint32_t count = 0;
    uint32_t period = 0;  // the body's length in symbols of the input
    uint32_t next = 0;    // 1 + another row with the same hash
  };

  struct Symbol {
    uint32_t id;
    bool is_new;
  };
  Symbol symbol_of(std::span<const uint32_t> body, uint32_t count) {
    uint32_t& first = by_hash_[hash_of(body, count)];
    for (uint32_t row = first; row != 0; row = rows_[row - 1].next)
      if (rows_[row - 1].count == count && std::ranges::equal(body_of(rows_[row - 1]), body))
        return {kFirstLoopSymbol + row - 1, false};
    uint32_t period = 0;
    for (const uint32_t symbol : body) period += length_of(symbol);
    rows_.push_back({pool_.size(), static_cast<uint32_t>(body.size()), count, period, first});
    for (const uint32_t symbol : body) pool_.push_back(symbol);
    first = static_cast<uint32_t>(rows_.size());
    return {kFirstLoopSymbol + first - 1, true};
  }

  const Row& row_of(uint32_t symbol) const { return rows_[symbol - kFirstLoopSymbol]; }
  std::span<const uint32_t> body_of(const Row& row) const { return {pool_.data() + row.body, row.body_size}; }
  uint32_t length_of(uint32_t symbol) const {
    return is_loop(symbol) ? row_of(symbol).period * row_of(symbol).count : 1;
  }

 private:
  static uint64_t hash_of(std::span<const uint32_t> body, uint32_t count) {
    uint64_t hash = count;
    for (const uint32_t symbol : body) hash = mix64(hash * 31 + symbol);
    return hash;
  }

  analysis::BigArray<Row> rows_;
  analysis::BigArray<uint32_t> pool_;
  std::unordered_map<uint64_t, uint32_t> by_hash_;  // 1 + row
};

class Reduction {
 public:
  template <class Symbol>
  Reduction(std::span<const Symbol> text, const analysis::Watch& watch) : finder_(watch), watch_(watch) {
    string_.resize(text.size());
    std::copy(text.begin(), text.end(), string_.begin());
  }

  void run() {
    while (!stopped() && find_shortest()) reduce();
  }

  // The nest of `length` symbols.
  LoopNest nest(uint32_t length) const {
    LoopNest nest;
    nest.length = length;
    nest.complete = !stopped_;
    analysis::BigArray<uint32_t> symbols;  // of the nest's loops
    nest.top_count = append(string_, 0, nest, symbols);
    for (size_t i = 0; i < nest.loops.size(); ++i) {
      nest.loops[i].first_child = static_cast<uint32_t>(nest.loops.size());
      const uint32_t children = append(table_.body_of(table_.row_of(symbols[i])), nest.loops[i].begin, nest, symbols);
      nest.loops[i].children = children;
    }
    return nest;
  }

 private:
  uint32_t size() const { return static_cast<uint32_t>(string_.size()); }
  bool stopped() {
    stopped_ = stopped_ || finder_.stopped() || (watch_.stopped && watch_.stopped());
    return stopped_;
  }

  // Fills runs_ with the runs of the least period; false without any.
  bool find_shortest() {
    runs_.clear();
    if (!all_known_) {
      for (uint32_t level = 1; level <= std::min(kLastShiftedLevel, size() / 2); ++level)
        if (find_at(level)) return true;
      all_.clear();
      finder_.find(std::span<const uint32_t>(string_), all_, kLastShiftedLevel + 1);
      if (size() > RunFinder::kMuchMemory) finder_.release();
      all_known_ = true;
    }
    take_shortest();
    return !runs_.empty();
  }
  bool find_at(uint32_t level) {
    const uint32_t* string = string_.data();
    const uint32_t end = size() - level;
    uint32_t equal = 0;
    for (uint32_t at = 0; at <= end; ++at) {
      if (at < end && string[at] == string[at + level]) {
        ++equal;
        continue;
      }
      if (equal >= level) runs_.push_back({at - equal, at + level, level});
      equal = 0;
    }
    return !runs_.empty();
  }
  void take_shortest() {
    uint32_t least = UINT32_MAX;
    for (const Run& run : all_) least = std::min(least, run.period);
    for (const Run& run : all_)
      if (run.period == least) runs_.push_back(run);
  }

  void reduce() {
    const analysis::BigArray<PickedLoop>& picked = selection_.select_of(size(), runs_);
    bool all_new = true;
    uint32_t to = 0;
    uint32_t from = 0;
    for (const PickedLoop& loop : picked) {
      while (from < loop.begin) string_[to++] = string_[from++];
      const LoopTable::Symbol symbol = table_.symbol_of({string_.data() + from, loop.period}, loop.count);
      string_[to++] = symbol.id;
      all_new &= symbol.is_new;
      from += loop.period * loop.count;
    }
    while (from < size()) string_[to++] = string_[from++];
    string_.resize(to);
    // Symbols that stand nowhere else are in no run: there are no runs but the parts of those before.
    all_known_ = all_known_ && all_new;
    if (all_known_) split_runs(picked);
    if (watch_.progress) watch_.progress("reduction, symbols left:", to, 0);
  }

  // What the picked loops leave of all_, at its places in the reduced string.
  void split_runs(const analysis::BigArray<PickedLoop>& picked) {
    analysis::BigArray<uint32_t> shifts;  // by how much what is before a loop moves to the left
    uint32_t shift = 0;
    for (const PickedLoop& loop : picked) {
      shifts.push_back(shift);
      shift += loop.period * loop.count - 1;
    }
    shifts.push_back(shift);
    split_.clear();
    for (const Run& run : all_) {
      const PickedLoop* loop = std::partition_point(picked.begin(), picked.end(), [&run](const PickedLoop& other) {
        return other.begin + other.period * other.count <= run.begin;
      });
      for (uint32_t from = run.begin; from < run.end; ++loop) {
        const uint32_t to = loop == picked.end() ? run.end : std::min(run.end, std::max(from, loop->begin));
        const uint32_t left = shifts[static_cast<size_t>(loop - picked.begin())];
        if (to - from >= 2 * run.period) split_.push_back({from - left, to - left, run.period});
        from = loop == picked.end() ? run.end : loop->begin + loop->period * loop->count;
      }
    }
    all_.swap(split_);
  }

  // Appends the loops among `body`, which begins at `at` in the input; returns how many.
  uint32_t append(std::span<const uint32_t> body, uint32_t at, LoopNest& nest,
                  analysis::BigArray<uint32_t>& symbols) const {
    uint32_t loops = 0;
    for (const uint32_t symbol : body) {
      if (is_loop(symbol)) {
        const LoopTable::Row& row = table_.row_of(symbol);
        nest.loops.push_back({at, row.period, row.count, 0, 0});
        symbols.push_back(symbol);
        ++loops;
      }
      at += table_.length_of(symbol);
    }
    return loops;
  }

  analysis::BigArray<uint32_t> string_;
  LoopTable table_;
  RunFinder finder_;
  analysis::BigArray<Run> runs_;  // to be reduced in this round
  analysis::BigArray<Run> all_;   // of the string, if all_known_
  bool all_known_ = false;
  analysis::BigArray<Run> split_;
  LoopSelection selection_;
  const analysis::Watch& watch_;
  bool stopped_ = false;
};

}  // namespace

LoopNest greedy_nest(std::span<const uint32_t> text, const analysis::Watch& watch) {
  Reduction reduction(text, watch);
  reduction.run();
  return reduction.nest(static_cast<uint32_t>(text.size()));
}

LoopNest greedy_nest(const analysis::SymbolArray& text, const analysis::Watch& watch) {
  Reduction reduction = text.visit([&](auto symbols) { return Reduction(symbols, watch); });
  reduction.run();
  return reduction.nest(static_cast<uint32_t>(text.size()));
}

}  // namespace cdr::loops

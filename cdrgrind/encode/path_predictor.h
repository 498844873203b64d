// SPDX-License-Identifier: GPL-2.0-or-later
// Control paths told by how they differ from what was to be expected: the first form of what does not repeat. A symbol
// costs a look into a table, and most of them nothing in the file; SEQUITUR (encode/sequitur.h) costs ten times that
// where nothing repeats, and finds less.
//
// The symbols of all threads are coded in true order, with one predictor: threads that do the same learn from
// each other. What is expected depends on the thread's last symbols, its *context*:
//  * a *guess*, found by a hash of the last six symbols or so, which is *sure* when it was right often enough. While
//    sure guesses are right, nothing is written but how many there were; whether one that is not sure was right is a
//    bit.
//  * where the guess is wrong, one of two *followers* of the last symbol alone: whether it was the first of them that
//    is not the guess is a bit again; else the symbol is written.
// Both sides keep the predictor; what it says depends on the symbols alone.
#ifndef CDRGRIND_ENCODE_PATH_PREDICTOR_H
#define CDRGRIND_ENCODE_PATH_PREDICTOR_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/bits.h"
#include "cdrgrind/base/bytes.h"
#include "cdrgrind/base/serial_numbers.h"

namespace cdr {

enum PredictionColumn : uint32_t {
  kPredictionRuns,       // numbers of right sure guesses, each up to a wrong one; after the last it has no end
  kPredictionGuesses,    // bits: guesses that were not sure, 1 if right
  kPredictionFollowers,  // bits: 1 if the symbol is the other follower
  kPredictionSymbols,    // the others: SerialNumbers
  kPredictionColumns
};

// An epoch ends when it has so many blocks that were predicted: who seeks in it makes a grammar of them, which takes
// time and memory for each. Longer ones would hardly save bytes: what a predictor has learned is soon learned again.
constexpr uint64_t kMostPredictedBlocks = uint64_t{1} << 21;
// Blocks and what stands between them are far fewer symbols than a reader takes, also where an older recorder ended
// epochs later.
constexpr uint64_t kMostPredictedSymbols = uint64_t{1} << 26;

class PathPredictor {
 public:
  static constexpr uint32_t kSymbolLimit = 1u << 28;

  // What a thread's last symbols were.
  struct Context {
    uint32_t history = 0;
    uint32_t last = 0;
    void add(uint32_t symbol) {
      history = (history << 4 ^ (symbol * 40503u & 0xffff)) & 0xffffff;
      last = symbol;
    }
  };

  // A symbol and, above it, how sure it is.
  using Guess = uint32_t;
  static uint32_t symbol_of(Guess g) { return g & (kSymbolLimit - 1); }
  static bool sure(Guess g) { return g >= kSure; }

  Guess& guess(const Context& c) {
    return guesses_[static_cast<size_t>(uint64_t{c.history} * 0x9E3779B97F4A7C15 >> (64 - bits_))];
  }
  static void was_right(Guess& g) {
    if (g < kMost) g += kStep;
  }
  // The guess was `symbol` instead.
  void was_wrong(Guess& g, uint32_t symbol) {
    uint32_t confidence = g / kStep;
    if (sure(g)) confidence /= 2;
    if (confidence > 0) {
      g = (confidence - 1) * kStep | symbol_of(g);
      return;
    }
    const bool fresh = g == 0;
    g = symbol;
    if (fresh && ++used_ > guesses_.size() / 2 && bits_ < kMostBits) grow();
  }
  // What follows the last symbol, if it is not `guessed`.
  uint32_t follower(const Context& c, uint32_t guessed) {
    if (c.last >= followers_.size()) followers_.resize(c.last + 1);
    const Followers& f = followers_[c.last];
    return f.first == guessed ? f.second : f.first;
  }
  // It was neither; behind follower().
  void add_follower(const Context& c, uint32_t symbol) {
    Followers& f = followers_[c.last];
    f.second = f.first;
    f.first = symbol;
  }

  size_t bytes() const { return guesses_.size() * sizeof(Guess) + followers_.capacity() * sizeof(Followers); }

 private:
  static constexpr uint32_t kStep = kSymbolLimit, kSure = 3 * kStep, kMost = 15 * kStep;
  static constexpr unsigned kFewestBits = 12, kMostBits = 18;
  struct Followers {
    uint32_t first = 0, second = 0;
  };
  // Contexts that shared an entry have one each, as it was.
  void grow();

  unsigned bits_ = kFewestBits;
  size_t used_ = 0;
  std::vector<Guess> guesses_ = std::vector<Guess>(size_t{1} << kFewestBits);
  std::vector<Followers> followers_;  // by symbol
};

class PredictionWriter {
 public:
  explicit PredictionWriter(uint32_t first_serial) : first_serial_(first_serial), numbers_(first_serial) {}
  using Context = PathPredictor::Context;

  // The thread's next symbol, less than kSymbolLimit.
  void put(Context& c, uint32_t symbol) {
    PathPredictor::Guess& g = predictor_.guess(c);
    const bool sure = PathPredictor::sure(g);
    if (PathPredictor::symbol_of(g) == symbol) {
      if (sure)
        ++run_;
      else
        guesses_.put(true);
      PathPredictor::was_right(g);
    } else {
      put_other(c, g, sure, symbol);
    }
    c.add(symbol);
  }
  // Memory, as it grows.
  size_t bytes() const;
  void write(std::span<ByteWriter, kPredictionColumns> to) const;
  void clear() { *this = PredictionWriter(first_serial_); }

 private:
  void put_other(Context& c, PathPredictor::Guess& g, bool sure, uint32_t symbol);

  PathPredictor predictor_;
  uint64_t run_ = 0;
  ByteWriter runs_, symbols_;
  BitWriter guesses_, followers_;
  uint32_t first_serial_;
  SerialNumbers numbers_;
};

class PredictionReader {
 public:
  using Columns = std::array<std::span<const uint8_t>, kPredictionColumns>;
  using Context = PathPredictor::Context;

  PredictionReader(const Columns& from, uint32_t first_serial, uint32_t limit)
      : runs_(from[kPredictionRuns]),
        symbols_(from[kPredictionSymbols]),
        guesses_(from[kPredictionGuesses]),
        followers_(from[kPredictionFollowers]),
        numbers_(first_serial),
        limit_(limit) {
    next_run();
  }

  // The thread's next symbol, less than `limit` where it was written. What is damaged gives any.
  uint32_t get(Context& c) {
    if (room_-- == 0) [[unlikely]]
      symbols_.fail();
    PathPredictor::Guess& g = predictor_.guess(c);
    uint32_t symbol = PathPredictor::symbol_of(g);
    const bool sure = PathPredictor::sure(g);
    if (sure ? run_ > 0 : guesses_.get()) {
      run_ -= sure;
      PathPredictor::was_right(g);
    } else {
      if (sure) next_run();
      symbol = other(c, symbol);
      predictor_.was_wrong(g, symbol);
    }
    c.add(symbol);
    return symbol;
  }
  bool ok() const { return runs_.ok() && symbols_.ok() && guesses_.ok() && followers_.ok(); }
  // Whether all that is written was read.
  bool at_end() const {
    return ok() && runs_.at_end() && endless_ && symbols_.at_end() && guesses_.at_end() && followers_.at_end();
  }

 private:
  void next_run();
  uint32_t other(const Context& c, uint32_t guessed);

  PathPredictor predictor_;
  uint64_t run_ = 0;
  bool endless_ = false;  // the last run, which nothing ends
  uint64_t room_ = kMostPredictedSymbols;
  ByteReader runs_, symbols_;
  BitReader guesses_, followers_;
  SerialNumbers numbers_;
  uint32_t limit_;
};

}  // namespace cdr

#endif

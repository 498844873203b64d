// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/path_predictor.h"

namespace cdr {

void PathPredictor::grow() {
  constexpr unsigned kMoreBits = 2;
  bits_ += kMoreBits;
  std::vector<Guess> guesses(guesses_.size() << kMoreBits);
  for (size_t i = 0; i < guesses.size(); ++i) guesses[i] = guesses_[i >> kMoreBits];
  guesses_ = std::move(guesses);
  used_ <<= kMoreBits;
}

void PredictionWriter::put_other(Context& c, PathPredictor::Guess& g, bool sure, uint32_t symbol) {
  if (sure) {
    runs_.varint(run_);
    run_ = 0;
  } else {
    guesses_.put(false);
  }
  const bool follows = predictor_.follower(c, PathPredictor::symbol_of(g)) == symbol;
  followers_.put(follows);
  if (!follows) {
    numbers_.put(symbols_, symbol);
    predictor_.add_follower(c, symbol);
  }
  predictor_.was_wrong(g, symbol);
}

size_t PredictionWriter::bytes() const {
  return predictor_.bytes() + 2 * (runs_.size() + symbols_.size() + guesses_.bytes() + followers_.bytes());
}

void PredictionWriter::write(std::span<ByteWriter, kPredictionColumns> to) const {
  to[kPredictionRuns] = runs_;
  to[kPredictionSymbols] = symbols_;
  guesses_.write(to[kPredictionGuesses]);
  followers_.write(to[kPredictionFollowers]);
}

void PredictionReader::next_run() {
  endless_ = runs_.at_end();
  run_ = endless_ ? ~uint64_t{0} : runs_.varint();
}

uint32_t PredictionReader::other(const Context& c, uint32_t guessed) {
  const uint32_t follower = predictor_.follower(c, guessed);
  if (followers_.get()) return follower;
  const uint32_t symbol = numbers_.get(symbols_, limit_);
  predictor_.add_follower(c, symbol);
  return symbol;
}

}  // namespace cdr

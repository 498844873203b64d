// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/byte_model.h"

#include <algorithm>
#include <array>
#include <bit>

namespace cdr {

namespace {

constexpr int kOne = 4096;   // a probability of 1
constexpr int kMost = 2047;  // |logarithm of the odds|, 256 for a factor of e
constexpr int kWeightBits = 16;

// The probability of given odds, and its inverse.
constexpr int probability_of(int odds) {
  constexpr std::array<int, 33> kCurve = {1,    2,    3,    6,    10,   16,   27,   45,   73,   120,  194,
                                          310,  488,  747,  1101, 1546, 2047, 2549, 2994, 3348, 3607, 3785,
                                          3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094};
  odds = std::clamp(odds, -kMost, kMost) + kMost + 1;
  const int rest = odds % 128;
  const auto at = static_cast<size_t>(odds / 128);
  return (kCurve[at] * (128 - rest) + kCurve[at + 1] * rest + 64) / 128;
}

constexpr std::array<int16_t, kOne> all_odds() {
  std::array<int16_t, kOne> odds{};
  int p = 0;
  for (int o = -kMost; o <= kMost; ++o)
    while (p <= probability_of(o)) odds[static_cast<size_t>(p++)] = static_cast<int16_t>(o);
  while (p < kOne) odds[static_cast<size_t>(p++)] = kMost;
  return odds;
}

class ByteModel {
 public:
  explicit ByteModel(size_t bytes) : mask_(std::bit_ceil(std::clamp<size_t>(bytes, 64, kMostHalves)) - 1) {
    for (auto& table : tables_) table.resize((mask_ + 1) * kHalf);
    for (auto& set : weights_) set.fill(kFirstWeight);
    begin_byte();
    find_cells();
  }

  // That the next bit is 1, out of kOne; never 0 nor 1.
  int predict() {
    size_t longest = 0;
    int64_t sum = 0;
    for (size_t i = 0; i < kContexts; ++i) {
      Cell& c = found_[i][half_];
      cells_[i] = &c;
      // What was seen rarely counts less.
      inputs_[i] = c.seen == 0 ? 0 : odds_[c.one >> 4] * std::min(c.seen + 2, 16) / 16;
      if (i > 0 && i < kLengths && c.seen > 0) longest = i;
    }
    inputs_[kContexts] = kBias;
    weights_now_ = &weights_[static_cast<size_t>(std::bit_width(bits_) - 1) * kLengths + longest];
    for (size_t i = 0; i <= kContexts; ++i) sum += int64_t{inputs_[i]} * (*weights_now_)[i];
    sum >>= kWeightBits;
    return predicted_ = probability_of(static_cast<int>(std::clamp<int64_t>(sum, -kMost, kMost)));
  }
  void learn(bool bit) {
    const int error = ((bit ? kOne : 0) - predicted_) * kRate;
    for (size_t i = 0; i <= kContexts; ++i) {
      int& w = (*weights_now_)[i];
      w = std::clamp(w + ((inputs_[i] * error + 512) >> 10), -kMostWeight, kMostWeight);
    }
    for (Cell* c : cells_) {
      const int to = (bit ? 65535 : 0) - c->one;
      c->one = static_cast<uint16_t>(std::clamp(c->one + to * shares_[c->seen] / kShares, 32, 65503));
      if (c->seen < kMostSeen) ++c->seen;
    }
    bits_ = bits_ << 1 | (bit ? 1 : 0);
    half_ = half_ << 1 | (bit ? 1 : 0);
    if (bits_ >= 256) begin_byte();
    if (half_ >= kHalf) find_cells();
  }

 private:
  static constexpr size_t kContexts = 6, kLengths = 3, kHalf = 16;
  static constexpr size_t kMostHalves = 4096;
  static constexpr int kShares = 1 << 14, kRate = 2, kFirstWeight = 20000, kBias = 256, kMostSeen = 127,
                       kMostWeight = 1 << 24;
  struct Cell {
    uint16_t one = 1 << 15;  // how likely 1 is, out of 2^16
    uint8_t seen = 0;
  };

  void begin_byte() {
    if (bits_ >= 256) {
      const uint32_t byte = bits_ & 255;
      before_ = before_ << 8 | byte;
      if (byte & 128) {
        place_ = std::min(place_ + 1, 3u);
      } else {
        place_ = 0;
        value_end_ = byte;
      }
    }
    bits_ = 1;
    const uint32_t last = before_ & 255, second = before_ >> 8 & 255;
    contexts_ = {0,
                 last + 1,
                 (before_ & 0xffff) * 0x9e3779b1u + 2,
                 second * 0xc2b2ae35u + 4,
                 before_ * 0x27d4eb2fu + 5,
                 (place_ << 8 | value_end_) * 0x165667b1u + 6};
  }
  // Those of half a byte lie together.
  void find_cells() {
    half_ = 1;
    for (size_t i = 0; i < kContexts; ++i) {
      const uint32_t hash = ((contexts_[i] + bits_) * 0x9e3779b1u ^ (contexts_[i] >> 13) * 31) * 0x85ebca6bu;
      found_[i] = &tables_[i][((hash >> 15) & mask_) * kHalf];
    }
  }

  static constexpr std::array<int16_t, kOne> odds_ = all_odds();
  // How far what was seen so often goes to what comes now.
  static constexpr auto shares_ = [] {
    std::array<int, kMostSeen + 1> shares{};
    for (int seen = 0; seen <= kMostSeen; ++seen) shares[static_cast<size_t>(seen)] = 2 * kShares / (2 * seen + 3);
    return shares;
  }();
  size_t mask_;
  std::array<std::vector<Cell>, kContexts> tables_;
  std::array<std::array<int, kContexts + 1>, 8 * kLengths> weights_;  // by place in the byte, and the longest known
  std::array<int, kContexts + 1>* weights_now_ = nullptr;
  std::array<uint32_t, kContexts> contexts_{};
  std::array<Cell*, kContexts> found_{};  // for half a byte; by the bits of it, behind a 1
  uint32_t half_ = kHalf;
  std::array<Cell*, kContexts> cells_{};
  std::array<int, kContexts + 1> inputs_{};
  int predicted_ = kOne / 2;
  uint32_t bits_ = 1;       // of the byte, behind a 1
  uint32_t before_ = 0;     // the last four bytes
  uint32_t place_ = 0;      // bytes of the varint so far
  uint32_t value_end_ = 0;  // the last byte of the varint before
};

// What may still follow is a number of 32 bits from low to high, of which the bits so far leave a part.
struct Interval {
  uint32_t low = 0, high = ~uint32_t{0};

  uint32_t middle(int one) const {
    return low + static_cast<uint32_t>(uint64_t{high - low} * static_cast<uint32_t>(one) / kOne);
  }
  void take(bool bit, uint32_t middle) {
    if (bit)
      high = middle;
    else
      low = middle + 1;
  }
  bool settled() const { return low >> 24 == high >> 24; }
  void shift() {
    low <<= 8;
    high = high << 8 | 255;
  }
};

}  // namespace

std::vector<uint8_t> modelled(std::span<const uint8_t> bytes) {
  std::vector<uint8_t> to{kModelled};
  ByteModel model(bytes.size());
  Interval left;
  for (const uint8_t byte : bytes)
    for (int i = 7; i >= 0; --i) {
      const bool bit = byte >> i & 1;
      left.take(bit, left.middle(model.predict()));
      model.learn(bit);
      for (; left.settled(); left.shift()) to.push_back(static_cast<uint8_t>(left.high >> 24));
    }
  // One byte more tells the number: behind it are zeros. Those at the end need not be there.
  to.push_back(static_cast<uint8_t>((left.low >> 24) + (left.low << 8 != 0 ? 1 : 0)));
  while (to.size() > 1 && to.back() == 0) to.pop_back();
  return to;
}

bool read_modelled(std::span<const uint8_t> stored, uint64_t bytes, std::vector<uint8_t>& to) {
  to.clear();
  if (!is_modelled(stored) || bytes > kMostModelled) return false;
  size_t at = 1;
  const auto next = [&] { return at < stored.size() ? stored[at++] : (++at, uint8_t{0}); };
  ByteModel model(bytes);
  Interval left;
  uint32_t number = 0;
  for (int i = 0; i < 4; ++i) number = number << 8 | next();
  to.reserve(bytes);
  while (to.size() < bytes) {
    uint32_t byte = 0;
    for (int i = 0; i < 8; ++i) {
      const uint32_t middle = left.middle(model.predict());
      const bool bit = number <= middle;
      left.take(bit, middle);
      model.learn(bit);
      byte = byte << 1 | (bit ? 1 : 0);
      for (; left.settled(); left.shift()) number = number << 8 | next();
    }
    to.push_back(static_cast<uint8_t>(byte));
  }
  return at >= stored.size();
}

}  // namespace cdr

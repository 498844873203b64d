// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers by index, of which many copies differ little: chunks of them are shared by all copies that have them alike,
// and so is the list of chunks. To copy is to count.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_CLOCK_CHUNKS_H
#define CDRGRIND_ANALYSIS_RACES_CORE_CLOCK_CHUNKS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cdr::races {

// Shared by counting; not by several threads of ours.
template <class T>
class SharedValue {
 public:
  SharedValue() = default;
  SharedValue(const SharedValue& other) : held_(other.held_) {
    if (held_) ++held_->uses;
  }
  SharedValue(SharedValue&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  SharedValue& operator=(SharedValue other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~SharedValue() {
    if (held_ && --held_->uses == 0) delete held_;
  }
  explicit operator bool() const { return held_ != nullptr; }
  const T& operator*() const { return held_->value; }
  const T* operator->() const { return &held_->value; }
  bool operator==(const SharedValue& other) const { return held_ == other.held_; }
  // Its own, made if there is none.
  T& own() {
    if (!held_)
      held_ = new Held;
    else if (held_->uses > 1)
      *this = SharedValue(new Held{1, held_->value});
    return held_->value;
  }

 private:
  struct Held {
    uint32_t uses = 1;
    T value{};
  };
  explicit SharedValue(Held* held) : held_(held) {}
  Held* held_ = nullptr;
};

class ClockChunks {
 public:
  bool empty() const { return !chunks_; }
  // Of one origin; others may have equal numbers, too.
  bool same(const ClockChunks& other) const { return chunks_ == other.chunks_; }
  uint32_t operator[](size_t i) const {
    if (!chunks_ || i / kChunk >= chunks_->size()) return 0;
    const Chunk& c = (*chunks_)[i / kChunk];
    return c ? (*c)[i % kChunk] : 0;
  }
  void set(size_t i, uint32_t n) {
    if ((*this)[i] == n) return;
    auto& all = chunks_.own();
    if (i / kChunk >= all.size()) all.resize(i / kChunk + 1);
    all[i / kChunk].own()[i % kChunk] = n;
  }
  // The greater of both, each; true if any grew.
  bool join(const ClockChunks& other) {
    if (!other.chunks_ || chunks_ == other.chunks_) return false;
    if (!chunks_) {
      chunks_ = other.chunks_;
      return true;
    }
    bool grew = false;
    for (size_t k = 0; k < other.chunks_->size(); ++k) grew |= join_chunk(k, (*other.chunks_)[k]);
    if (grew && *chunks_ == *other.chunks_) chunks_ = other.chunks_;
    return grew;
  }

 private:
  static constexpr size_t kChunk = 64;
  using Chunk = SharedValue<std::array<uint32_t, kChunk>>;

  bool join_chunk(size_t k, const Chunk& other) {
    const Chunk mine = k < chunks_->size() ? (*chunks_)[k] : Chunk();
    if (!other || mine == other) return false;
    bool more = !mine, less = false;
    for (size_t i = 0; mine && i < kChunk; ++i) {
      more |= (*other)[i] > (*mine)[i];
      less |= (*other)[i] < (*mine)[i];
    }
    if (!more) return false;
    auto& all = chunks_.own();
    if (k >= all.size()) all.resize(k + 1);
    if (!less) {
      all[k] = other;
      return true;
    }
    auto& numbers = all[k].own();
    for (size_t i = 0; i < kChunk; ++i) numbers[i] = (*other)[i] > numbers[i] ? (*other)[i] : numbers[i];
    return true;
  }

  SharedValue<std::vector<Chunk>> chunks_;
};

}  // namespace cdr::races

#endif

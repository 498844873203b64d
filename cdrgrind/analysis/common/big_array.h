// SPDX-License-Identifier: GPL-2.0-or-later
// An array of plain values for lengths of 10^8. It grows by realloc: the kernel moves its pages, nothing is
// copied and nothing is resident twice. What resize() adds is not set, and takes no memory before it is.
#ifndef CDRGRIND_ANALYSIS_COMMON_BIG_ARRAY_H
#define CDRGRIND_ANALYSIS_COMMON_BIG_ARRAY_H

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace cdr::analysis {

// Not thread-safe.
template <class T>
class BigArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  BigArray() = default;
  BigArray(BigArray&& other) noexcept { swap(other); }
  BigArray& operator=(BigArray&& other) noexcept {
    BigArray(std::move(other)).swap(*this);
    return *this;
  }
  ~BigArray() { std::free(values_); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return values_; }
  const T* data() const { return values_; }
  T* begin() { return values_; }
  T* end() { return values_ + size_; }
  const T* begin() const { return values_; }
  const T* end() const { return values_ + size_; }
  T& operator[](size_t i) { return values_[i]; }
  const T& operator[](size_t i) const { return values_[i]; }
  operator std::span<const T>() const { return {values_, size_}; }

  void push_back(const T& value) {
    const T kept = value;  // it may lie in the array
    if (size_ == room_) make_room(room_ < 64 ? 64 : room_ + room_ / 2);
    values_[size_++] = kept;
  }
  void resize(size_t size) {
    if (size > room_) make_room(std::max(size, room_ + room_ / 2));
    size_ = size;
  }
  void clear() { size_ = 0; }
  void release() { BigArray().swap(*this); }

  void swap(BigArray& other) noexcept {
    std::swap(values_, other.values_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
  }

 private:
  void make_room(size_t room) {
    void* grown = std::realloc(static_cast<void*>(values_), room * sizeof(T));
    if (!grown) throw std::bad_alloc();
    values_ = static_cast<T*>(grown);
    room_ = room;
  }

  T* values_ = nullptr;
  size_t size_ = 0;
  size_t room_ = 0;
};

}  // namespace cdr::analysis

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
// A bump allocator for tables that only grow: pieces never move and are freed together.
#ifndef CDRGRIND_BASE_ARENA_H
#define CDRGRIND_BASE_ARENA_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace cdr {

class Arena {
 public:
  template <class T>
  std::span<T> allocate(size_t n) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 8);
    return {reinterpret_cast<T*>(take(n * sizeof(T))), n};
  }
  template <class T>
  std::span<const T> copy(std::span<const T> from) {
    static_assert(std::is_trivially_copyable_v<T>);
    auto to = allocate<T>(from.size());
    if (!from.empty()) std::memcpy(static_cast<void*>(to.data()), from.data(), from.size_bytes());
    return to;
  }
  template <class T>
  std::span<const T> copy(const std::vector<T>& from) {
    return copy(std::span<const T>(from));
  }
  std::string_view copy(std::string_view s) {
    const auto c = copy(std::span<const char>(s.data(), s.size()));
    return {c.data(), c.size()};
  }
  size_t bytes() const { return total_; }

 private:
  static constexpr size_t kPiece = 64 * 1024;

  std::byte* take(size_t n) {
    n = (n + 7) & ~size_t{7};
    if (n > left_) grow(n);
    std::byte* p = next_;
    next_ += n;
    left_ -= n;
    return p;
  }
  void grow(size_t n) {
    const size_t size = std::max(n, kPiece);
    pieces_.push_back(std::make_unique<std::byte[]>(size));
    next_ = pieces_.back().get();
    left_ = size;
    total_ += size;
  }

  std::vector<std::unique_ptr<std::byte[]>> pieces_;
  std::byte* next_ = nullptr;
  size_t left_ = 0;
  size_t total_ = 0;
};

}  // namespace cdr

#endif

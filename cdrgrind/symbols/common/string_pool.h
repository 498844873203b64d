// SPDX-License-Identifier: GPL-2.0-or-later
//
// One copy of every path and name of the modules, under a 32-bit number.
// Invariant: the text of an id never moves, so views into it stay valid as
// long as the pool. Id 0 is the empty string. Nothing is ever removed.
#ifndef CDRGRIND_SYMBOLS_COMMON_STRING_POOL_H
#define CDRGRIND_SYMBOLS_COMMON_STRING_POOL_H

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cdr::symbols {

enum class StringId : std::uint32_t { empty = 0 };

// A set of distinct strings. Not thread-safe.
class StringPool {
 public:
  StringPool() : texts_{std::string_view()} {}
  StringPool(const StringPool&) = delete;
  StringPool& operator=(const StringPool&) = delete;

  StringId intern(std::string_view text);
  std::string_view text(StringId id) const { return texts_[static_cast<std::uint32_t>(id)]; }

 private:
  std::string_view store(std::string_view text);

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_free_ = 0;  // unused bytes at the end of the last block
  std::size_t block_size_ = 0;
  std::vector<std::string_view> texts_;
  std::unordered_map<std::string_view, StringId> ids_;
};

}  // namespace cdr::symbols

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/common/string_pool.h"

#include <algorithm>
#include <cstring>

namespace cdr::symbols {

namespace {
constexpr std::size_t kBlockBytes = 64 * 1024;
}

StringId StringPool::intern(std::string_view text) {
  if (text.empty()) return StringId::empty;
  if (auto found = ids_.find(text); found != ids_.end()) return found->second;
  auto id = static_cast<StringId>(texts_.size());
  texts_.push_back(store(text));
  ids_.emplace(texts_.back(), id);
  return id;
}

std::string_view StringPool::store(std::string_view text) {
  if (text.size() > block_free_) {
    block_size_ = std::max(kBlockBytes, text.size());
    block_free_ = block_size_;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size_));
  }
  char* place = blocks_.back().get() + (block_size_ - block_free_);
  std::memcpy(place, text.data(), text.size());
  block_free_ -= text.size();
  return {place, text.size()};
}

}  // namespace cdr::symbols

// SPDX-License-Identifier: GPL-2.0-or-later
// Code addresses as numbers from 1; 0 is {no module, 0}. Equal addresses have equal numbers.
#ifndef CDRGRIND_DEPEND_CODE_TABLE_H
#define CDRGRIND_DEPEND_CODE_TABLE_H

#include <cstdint>
#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/range.h"

namespace cdr::depend {

using CodeIndex = uint32_t;

class CodeTable {
 public:
  CodeTable() : codes_(1) {}

  CodeIndex intern(const CodeAddr& c) {
    if (c == CodeAddr{}) return 0;
    const auto [index, added] = index_.insert(c);
    if (added) {
      *index = static_cast<CodeIndex>(codes_.size());
      codes_.push_back(c);
    }
    return *index;
  }
  const CodeAddr& operator[](CodeIndex i) const { return codes_[i]; }
  size_t bytes() const { return codes_.capacity() * sizeof(CodeAddr) + index_.capacity_bytes(); }

 private:
  struct Hash {
    uint64_t operator()(const CodeAddr& c) const { return mix64(c.addr ^ (uint64_t{c.module.value} << 44)); }
  };
  std::vector<CodeAddr> codes_;
  FlatMap<CodeAddr, CodeIndex, Hash> index_;
};

}  // namespace cdr::depend

#endif

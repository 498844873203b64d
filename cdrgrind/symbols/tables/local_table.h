// SPDX-License-Identifier: GPL-2.0-or-later
//
// Local variables and parameters, by function, for one module. Addresses are
// those of the file.
#ifndef CDRGRIND_SYMBOLS_TABLES_LOCAL_TABLE_H
#define CDRGRIND_SYMBOLS_TABLES_LOCAL_TABLE_H

#include <cstdint>
#include <map>
#include <vector>

#include "cdrgrind/symbols/common/string_pool.h"

namespace cdr::symbols {

struct LocalRecord {
  static constexpr std::uint8_t kInFrame = 0xff;
  static constexpr std::uint8_t kBehindData = 0xfe;  // from where the argument of an outlined function points
  StringId name = StringId::empty;
  std::uint64_t begin = 0;  // the code for which it is there
  std::uint64_t end = 0;
  std::uint8_t reg = kInFrame;  // as machine code numbers them; vector registers from 16 on
  std::int64_t offset = 0;      // in the frame: from the canonical frame address; kBehindData: from there
  std::uint64_t size = 0;       // bytes; 0 = not known
  std::uint32_t decl_line = 0;
  std::uint64_t scope_begin = 0;  // the code of its block
  std::uint64_t scope_end = 0;
};

// By the function's entry.
using LocalTable = std::map<std::uint64_t, std::vector<LocalRecord>>;

}  // namespace cdr::symbols

#endif

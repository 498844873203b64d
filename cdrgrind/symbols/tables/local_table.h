// SPDX-License-Identifier: GPL-2.0-or-later
//
// Local variables and parameters, by function, for one module, and the types that pointers lead to. Addresses are
// those of the file.
#ifndef CDRGRIND_SYMBOLS_TABLES_LOCAL_TABLE_H
#define CDRGRIND_SYMBOLS_TABLES_LOCAL_TABLE_H

#include <cstdint>
#include <map>
#include <vector>

#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/tables/type_table.h"

namespace cdr::symbols {

struct LocalRecord {
  static constexpr std::uint8_t kInFrame = 0xff;
  static constexpr std::uint8_t kBehindData = 0xfe;      // from where the argument of an outlined function points
  static constexpr std::uint8_t kByData = 0xfd;          // where a pointer points that lies there
  static constexpr std::uint8_t kByReference = 0xfc;     // where a pointer points that lies in the frame: Fortran's
  static constexpr std::uint8_t kDeclared = 0xfb;        // not told for all of its block, or nowhere; besides others
  static constexpr std::uint8_t kByStackPointer = 0xfa;  // so many bytes from it, in a frame that aligns it
  StringId name = StringId::empty;
  StringId path = StringId::empty;  // ".left": only this part of it is there, and offset, size and type are the part's
  std::uint64_t begin = 0;          // the code for which it is there
  std::uint64_t end = 0;
  std::uint8_t reg = kInFrame;  // as machine code numbers them; vector registers from 16 on
  std::int64_t offset = 0;      // in the frame: from the canonical frame address; kBehindData: from there
  std::uint64_t size = 0;       // bytes; 0 = not known
  std::uint32_t decl_line = 0;
  TypeIndex type = 0;             // in LocalTable::types
  std::uint64_t scope_begin = 0;  // the code of its block
  std::uint64_t scope_end = 0;
  std::uint64_t scope_size = 0;  // bytes of it, if others' code lies between
};

// With types of their own, in which pointers are followed.
struct LocalTable {
  std::map<std::uint64_t, std::vector<LocalRecord>> functions;  // by the function's entry
  std::map<std::uint64_t, TypeIndex> returned;                  // by the same: what the function returns
  std::map<std::uint64_t, TypeIndex> globals;                   // types of variables with a fixed place, by address
  TypeTable types;
};

}  // namespace cdr::symbols

#endif

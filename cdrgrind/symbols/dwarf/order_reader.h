// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads what stands for parameters of the type memory_order, of functions and of their inlined copies: a constant, or
// a place. A unit is read when something of it is asked for.
#ifndef CDRGRIND_SYMBOLS_DWARF_ORDER_READER_H
#define CDRGRIND_SYMBOLS_DWARF_ORDER_READER_H

#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/symbols/common/names.h"
#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/dwarf/dwarf_file.h"
#include "cdrgrind/symbols/tables/code_table.h"

namespace cdr::symbols {

// OrderedCopy, in addresses of the file.
struct OrderRecord {
  StringId linkage_name = StringId::empty;
  std::uint32_t depth = 0;
  std::vector<CodeRange> code;
  std::vector<OrderArgument> arguments;
};

// Not thread-safe.
class OrderReader {
 public:
  // Nothing where `file` is null. The pool must outlive it.
  OrderReader(std::shared_ptr<const DwarfFile> file, StringPool& pool);
  ~OrderReader();
  OrderReader(const OrderReader&) = delete;
  OrderReader& operator=(const OrderReader&) = delete;

  // In the order of debug information: what is inlined into something comes behind it. Stays until the next call.
  const std::vector<OrderRecord>& of_function(std::uint64_t entry);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cdr::symbols

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
//
// The names that the linker left in a module: functions, data objects and
// thread-local objects of .symtab and .dynsym. They name what has no debug
// information. Of several names for one address the public, plain one is kept.
#ifndef CDRGRIND_SYMBOLS_TABLES_SYMBOL_TABLE_H
#define CDRGRIND_SYMBOLS_TABLES_SYMBOL_TABLE_H

#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/symbols/common/string_pool.h"

namespace cdr::symbols {

struct ElfSymbol {
  std::uint64_t begin = 0;  // address in the file
  std::uint64_t end = 0;
  StringId name = StringId::empty;
  bool is_public = false;  // global or weak, and without a leading underscore
};

// Three sorted lists of symbols. Filled by read(), then sealed. Not thread-safe.
class SymbolTable {
 public:
  // Adds the symbols of a file. A file that cannot be read adds nothing.
  void read(const std::string& path, StringPool& pool);

  // Sorts, drops aliases and gives ends to the symbols that have none.
  void seal();

  const ElfSymbol* function_at(std::uint64_t address) const;
  const ElfSymbol* object_at(std::uint64_t address) const;
  const ElfSymbol* tls_object_at(std::uint64_t offset) const;
  // From there to the end of the object, which is thread-local or not; 1 where no symbol tells.
  std::uint64_t bytes_left_at(std::uint64_t address, bool is_tls) const;
  bool empty() const { return functions_.empty() && objects_.empty(); }

 private:
  struct Candidate {
    ElfSymbol symbol;
    std::uint64_t limit = 0;  // the end of its section
    int rank = 0;             // the lowest is the best name of an address
    std::uint32_t name_size = 0;
  };
  struct Reader;
  using Candidates = std::vector<Candidate>;

  static void seal_list(Candidates& candidates, std::vector<ElfSymbol>& symbols);

  Candidates raw_functions_;
  Candidates raw_objects_;
  Candidates raw_tls_;
  std::vector<ElfSymbol> functions_;
  std::vector<ElfSymbol> objects_;
  std::vector<ElfSymbol> tls_;
};

}  // namespace cdr::symbols

#endif

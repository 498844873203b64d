// SPDX-License-Identifier: GPL-2.0-or-later
// The names of blocks of the heap: by the program's line that allocated them and, where it can be known, by type: that
// of the pointer that the result of the call is stored in, of the constructor that gets it, or that the function
// returns; functions that return what they have allocated, as a pointer to nothing certain, are passed over.
//
//     Global = malloc(sizeof *Global);              Global->start
//     node* n = malloc(sizeof(node));               n->next, block at list.c:12
//     q->rows = malloc(n * sizeof(row));            q->rows[…].first, block at list.c:12
//     return xmalloc(n * sizeof(long));             long[…], block at list.c:12     (the function returns long*)
//     free(malloc(40));                             block of 40 bytes at list.c:12
//
// Only where the program's own call is the allocation: what a library allocates for it is the library's matter.
#ifndef CDRGRIND_REPORT_COMMON_HEAP_NAMES_H
#define CDRGRIND_REPORT_COMMON_HEAP_NAMES_H

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cdrgrind/analysis/common/result_flow.h"
#include "cdrgrind/base/module_table.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// Of one byte of a block.
struct HeapName {
  std::string object;   // the whole: "Global", "n, block at list.c:12", "block of 40 bytes at list.c:12"
  std::string name;     // "Global->start", "n[3].next, block at list.c:12", "block of 40 bytes at list.c:12 + 8"
  std::string pattern;  // the same without indices and, of blocks without a type, without the offset
  bool typed = false;
  std::string member;  // typed: the way from an element to the byte, without indices: ".next"
  // Typed: the block's first `typed_bytes` are elements of `element` bytes, whose patterns are alike.
  uint64_t element = 0, typed_bytes = 0;
};

// Not thread-safe.
class HeapNames {
 public:
  HeapNames(const ModuleTable& modules, symbols::Symbols& symbols) : modules_(modules), symbols_(symbols) {}

  // `allocated`: the program's calls, innermost first. `direct`: how many of these have no call of a library's
  // before them.
  HeapName name(std::span<const CodeAddr> allocated, size_t direct, uint64_t size, uint64_t offset);

 private:
  // What a block is known as.
  struct Known {
    std::string holder;      // the pointer's name; empty: only the type is known
    bool is_global = false;  // the holder is
    ModuleId module;         // of the type
    uint32_t type = 0;       // that the pointer points to; 0: not known
  };
  const Known& known(std::span<const CodeAddr> allocated);
  Known find(std::span<const CodeAddr> allocated);
  bool same_type(const Known& a, const Known& b);
  Known by_places(CodeAddr call, const std::vector<analysis::ResultPlace>& places);
  // A pointer of the program's, by name and type. No name: it is a library's own.
  struct Pointer {
    std::string name;
    uint32_t type = 0;
    bool is_global = false;
  };
  std::optional<Pointer> pointer_at(CodeAddr call, const analysis::ResultPlace& place);
  std::optional<Pointer> fixed_pointer(ModuleId module, uint64_t addr);
  std::optional<Pointer> local_pointer(CodeAddr call, const analysis::ResultPlace& place);
  std::optional<Pointer> pointer_behind(CodeAddr call, analysis::ResultPlace place);
  std::optional<Known> constructed(ModuleId module, uint64_t callee);
  std::optional<Known> pointed_to(ModuleId module, uint32_t pointer);
  bool has_frame_pointer(ModuleId module, uint64_t entry);
  uint64_t entry_of(CodeAddr at);

  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  std::map<std::vector<CodeAddr>, Known> known_;
};

}  // namespace cdr::report

#endif

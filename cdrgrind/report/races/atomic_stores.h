// SPDX-License-Identifier: GPL-2.0-or-later
// What the source says of a load, or of a store: whether the statement that it belongs to names an atomic operation
// (atomic_words.h). Macros are known if their own file defines them, or a header that it includes in
// quotation marks. In Fortran the directive before the statement says it. And what `omp atomic' lets an operation
// order.
#ifndef CDRGRIND_REPORT_RACES_ATOMIC_STORES_H
#define CDRGRIND_REPORT_RACES_ATOMIC_STORES_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/report/common/fortran_source.h"
#include "cdrgrind/report/races/atomic_words.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// The headers that the file at `path` includes in quotation marks: each beside it, or below one of the folders above
// it.
std::vector<std::string> headers_beside(const std::string& path);

// Both arguments must outlive it. Not thread-safe.
class AtomicStores {
 public:
  AtomicStores(const ModuleTable& modules, symbols::Symbols& symbols) : modules_(modules), symbols_(symbols) {}

  races::StoreSource source_at(CodeAddr at);
  // A load of a statement that loads atomically, a store of one that stores so.
  bool is_atomic_access(CodeAddr at, bool store);
  // Of an atomic access under `omp atomic': its clause says what it orders, without one it orders nothing. Not known
  // where the file has a flush, which may do what the operation does not.
  races::AtomicOperation directive_at(CodeAddr at);
  // The line of the source, or one so many lines before, without comments and strings; empty: not known.
  std::string line_at(CodeAddr at, uint32_t before);

 private:
  struct File {
    std::vector<std::string> lines;
    std::array<MacroNames, 3> macros;  // by AtomicPart
    std::optional<FortranSource> fortran;
    bool has_flush = false;
  };
  races::AtomicOperation read_directive(CodeAddr at);
  bool read_access(CodeAddr at, bool store);
  // Whether the line is that of a directive of OpenMP with a `lastprivate' and a barrier behind what it is about: gcc
  // has the stores there by which a last value is handed on. That is one thread's, but where the loop has no iteration
  // every thread of the team stores, which is not the program's doing. What comes behind the barrier is in order with
  // all.
  static bool hands_last_value(const File& f, uint32_t line);
  // Under which the statement of the line stands; empty: none.
  static std::string directive_over(const File& f, uint32_t line);
  // Whether the statement of the line names such an operation.
  static bool names(const File& f, uint32_t line, AtomicPart part);
  races::StoreSource read_source(CodeAddr at);
  // Of the instruction's line; null: not known.
  const File* file_of(CodeAddr at, symbols::SourcePos& pos);
  const File* file(std::string_view name);
  void add_headers(const std::string& path, const std::vector<std::string>& lines, int depth,
                   std::map<std::string, bool>& seen, Macros& to);

  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  std::map<CodeAddr, races::StoreSource> known_;
  std::map<std::pair<CodeAddr, bool>, bool> accesses_;
  std::map<CodeAddr, races::AtomicOperation> directives_;
  std::map<std::string, std::optional<File>, std::less<>> files_;
};

}  // namespace cdr::report

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names the code and data addresses of a recorded program. This is the face of
// the folder: everything else here is a detail of it.
//
//   Symbols symbols(options);
//   symbols.add_module({.serial = 1, .path = "/bin/prog", .bias = 0x400000, …});
//   symbols.line_of(1, 0x401136).line;
//
// A module's file is opened and resolved when an address in it is first asked
// for. Invariant: a missing, damaged or stripped module is never an error, its
// addresses are unknown and coverage() says why. Does not know when a module was mapped.
#ifndef CDRGRIND_SYMBOLS_SYMBOLS_H
#define CDRGRIND_SYMBOLS_SYMBOLS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/symbols/common/names.h"
#include "cdrgrind/symbols/common/options.h"
#include "cdrgrind/symbols/files/module_map.h"
#include "cdrgrind/symbols/files/source_file.h"

namespace cdr::symbols {

// A module, and what its addresses are named by.
struct FoundBinary {
  Module module;
  BinaryNote note;
  std::string image, debug;  // paths of the file with the code, and of a separate debug file; empty = none
};

struct SourceText {
  std::string path, text;
};

// Addresses are runtime addresses throughout. An address that was recorded as
// a return address must be passed minus one. Not thread-safe.
class Symbols {
 public:
  explicit Symbols(SymbolOptions options = {});
  ~Symbols();
  Symbols(Symbols&&) noexcept;
  Symbols& operator=(Symbols&&) noexcept;

  void add_module(Module module);
  const ModuleMap& modules() const;

  // The modules that have any of their segments (text or data) at an address,
  // latest serial first.
  std::vector<ModuleSerial> modules_at(std::uint64_t address);

  // Frees what was read of the module's functions, lines and variables, but no name; it is read again if it is asked
  // for.
  void forget_tables(ModuleSerial module);

  // The innermost line of an address.
  SourcePos line_of(ModuleSerial module, std::uint64_t address);

  // Innermost frame first; the last is the real function. Empty when not even
  // a symbol is known.
  std::vector<InlineFrame> inline_chain(ModuleSerial module, std::uint64_t address);

  FunctionInfo function_of(ModuleSerial module, std::uint64_t address);

  // Of the function with this entry, by its symbol: debug information, which takes long to read, is asked only where
  // there is none.
  std::string_view linkage_name_of(ModuleSerial module, std::uint64_t entry);

  // Where the function's code begins that holds the address, by its symbol; 0: there is none.
  std::uint64_t function_begin(ModuleSerial module, std::uint64_t address);

  // Whether a function's code ends before the address.
  bool function_ends_at(ModuleSerial module, std::uint64_t address);

  // The machine code as the module's file has it; empty when it is not all there. It need not be what ran if the trace
  // does not tell files apart (Module::is_identified).
  std::span<const std::uint8_t> code_at(ModuleSerial module, std::uint64_t address, std::size_t size);

  // Global and static variables.
  std::optional<DataName> variable_at(ModuleSerial module, std::uint64_t address);

  // Local variables and parameters of the function with this entry, each for every piece of code in which it has one
  // place; where it is optimised away, or in pieces, it is missing.
  std::vector<LocalName> locals_of(ModuleSerial module, std::uint64_t entry);

  // The function with this entry, and all inlined copies in it, as far as they have parameters of the type
  // memory_order.
  std::vector<OrderedCopy> ordered_copies(ModuleSerial module, std::uint64_t entry);

  // Types, by the numbers that local variables have, and the next two.
  TypeInfo type(ModuleSerial module, std::uint32_t type);
  TypePart type_part(ModuleSerial module, std::uint32_t type, std::uint64_t offset);
  // Of the variable with a fixed place that begins at this address; 0 = not known.
  std::uint32_t type_of_variable(ModuleSerial module, std::uint64_t address);
  // That the function with this entry returns; 0 = nothing, or not known.
  std::uint32_t returned_type(ModuleSerial module, std::uint64_t entry);

  // Thread-local variables, by offset in the module's block of them.
  std::optional<DataName> tls_variable_at(ModuleSerial module, std::uint64_t offset);

  // The compilers of the module's units, some with their options, as debug information names them; sorted.
  std::vector<std::string> compilers(ModuleSerial module);

  // The module's data as mapped: its segments without code.
  std::vector<DataRange> data_ranges(ModuleSerial module);

  // Variables of the C and C++ libraries that stand in this module's data (copy
  // relocations).
  std::vector<DataRange> copied_variables(ModuleSerial module);

  // This module's variables that others may name, as environ.
  std::vector<DataRange> exported_variables(ModuleSerial module);

  // Bytes before a thread's control block where the thread-local variables of
  // this module begin, if it is the program itself.
  std::uint64_t thread_local_bytes(ModuleSerial module);

  // Where a debugger would stop for FILE:LINE: of each contiguous range of the
  // line's code, in every inlined copy, the first address that begins a
  // statement. `file` is a path or any trailing part of one ("src/a.c").
  // Resolves all modules. Sorted by module and address; empty when the line
  // has no code: see next_line_with_code().
  std::vector<BreakpointAddress> breakpoint_addresses(std::string_view file, std::uint32_t line);

  // The first line at or after `line` that has code.
  std::optional<std::uint32_t> next_line_with_code(std::string_view file, std::uint32_t line);

  // Every known path that `file` may mean, sorted. Resolves all modules.
  std::vector<std::string_view> files_matching(std::string_view file);

  // Opens every module, so that the counts are those of the program; notes on
  // the content of debug information come from the modules resolved so far.
  Coverage coverage();

  // The files that are not simply where they were, in the order of the modules. Opens every module.
  std::vector<BinaryNote> binaries();

  // The files of all modules, each once.
  std::vector<FoundBinary> found_binaries();

  // Where a source file stands now (path map, its path, source folders), or stood when the trace was packed.
  std::optional<std::string> find_source(std::string_view file) const;

  // The content of the file at exactly that path, here or when the trace was packed.
  std::optional<std::string> read_file(const std::string& path) const;

  // The content of a source file, where find_source() has it.
  std::optional<SourceText> read_source(std::string_view file) const;

  // A source file by its lines; null when it is not found. Read once, and kept.
  const SourceFile* source(std::string_view file);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cdr::symbols

#endif

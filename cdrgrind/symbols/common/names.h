// SPDX-License-Identifier: GPL-2.0-or-later
//
// The answers that the symbols folder gives: positions, frames, functions,
// variables. Plain values, no behaviour.
// Invariant: every string_view points into the Symbols object that returned it
// and stays valid for that object's whole life. Empty or 0 means "not known".
#ifndef CDRGRIND_SYMBOLS_COMMON_NAMES_H
#define CDRGRIND_SYMBOLS_COMMON_NAMES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cdr::symbols {

// The number under which a trace records one mapping of one file; 0 = none.
using ModuleSerial = std::uint32_t;

// A place in a source file. `file` is absolute, normalised and path-mapped.
struct SourcePos {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool known() const { return line != 0; }
  friend bool operator==(const SourcePos&, const SourcePos&) = default;
};

// One level of an inline chain. The first frame's `pos` is the line of the
// address itself; every other frame's is the line of the call that was inlined
// into it. Only the last frame of a chain is not `inlined`.
struct InlineFrame {
  std::string_view function;      // demangled, with parameters for C++
  std::string_view linkage_name;  // as the linker knows it
  SourcePos pos;
  bool inlined = false;
};

// The real (not inlined) function that owns an address.
struct FunctionInfo {
  std::string_view name;  // demangled, with parameters for C++; empty = unknown
  std::string_view linkage_name;
  std::uint64_t entry = 0;  // runtime address
  SourcePos decl;           // where it is declared; unknown without DWARF

  bool known() const { return !name.empty(); }
};

// What C and C++ let programs do with a type's variables.
struct TypeTraits {
  bool is_arithmetic = false;  // or an array of what is; in C enumerations, too
  bool lacks_default = false;  // none may be made without a value, as far as is known
  bool lacks_copy = false;     // none may be copied, or assigned
};

// What stands at a data address: a variable, and the way into it.
struct DataName {
  std::string name;                    // "grid[3].left"
  std::string pattern;                 // "grid[…].left"
  std::string_view variable;           // "grid", qualified: "ns::grid", "f::count"
  std::string_view variable_type;      // "cell [10]"
  std::string_view type;               // of the part that `name` names: "int"
  std::uint64_t variable_address = 0;  // runtime; 0 for thread-local ones
  std::uint64_t variable_size = 0;
  std::uint64_t offset = 0;       // of the address in the variable
  std::uint64_t part_offset = 0;  // of the address in the named part
  std::uint64_t element = 1;      // parts so many bytes apart have the same pattern, all through the variable
  SourcePos decl;
  bool is_atomic = false;  // the part lies in a std::atomic or an _Atomic
  TypeTraits traits = {};  // the variable's
  bool is_member = false;  // it is a class's: static data
};

// Runtime addresses [begin, end).
struct DataRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// A local variable, or a parameter, for a piece of code in which it has one place.
struct LocalName {
  static constexpr std::uint8_t kInFrame = 0xff;
  static constexpr std::uint8_t kBehindData = 0xfe;      // from where the argument of an outlined function points
  static constexpr std::uint8_t kByData = 0xfd;          // where a pointer points that lies there
  static constexpr std::uint8_t kByReference = 0xfc;     // where a pointer points that lies in the frame: Fortran's
  static constexpr std::uint8_t kDeclared = 0xfb;        // not told for all of its block, or nowhere; besides others
  static constexpr std::uint8_t kByStackPointer = 0xfa;  // so many bytes from it, in a frame that aligns it
  std::string_view name;
  std::string_view path;        // ".left": only this part of it is there, and size and type are the part's
  DataRange code;               // where this is its place
  std::uint8_t reg = kInFrame;  // as machine code numbers them; vector registers from 16 on
  std::int64_t offset = 0;      // in the frame: from the canonical frame address; kBehindData: from there
  std::uint64_t size = 0;       // bytes; 0 = not known
  std::uint32_t decl_line = 0;
  DataRange scope;               // the code of its block
  std::uint64_t scope_size = 0;  // bytes of it, if others' code lies between
  std::uint32_t type = 0;        // for Symbols::type_part(), of the same module; 0 = not known
};

// What stands for a parameter of the type memory_order: C++'s, of std::atomic and the like.
struct OrderArgument {
  enum class Place : std::uint8_t {
    kUnknown,
    kConstant,    // value: the enumeration's
    kInFrame,     // value: bytes from the canonical frame address
    kInRegister,  // value: the register when the function is entered, as machine code numbers it
  };
  Place place = Place::kUnknown;
  std::int64_t value = 0;
};

// A function with such parameters, or an inlined copy of one.
struct OrderedCopy {
  std::string_view linkage_name;
  std::uint32_t depth = 0;               // of inlined calls; 0: the real function
  std::vector<DataRange> code;           // runtime
  std::vector<OrderArgument> arguments;  // those of that type alone, in the order of the source
};

// A type as Symbols::type() tells of it.
struct TypeInfo {
  std::string_view name;
  std::uint64_t size = 0;       // bytes; 0 = not known
  std::uint32_t points_to = 0;  // of a pointer; 0 = it is none, or nobody says to what
  TypeTraits traits = {};
};

// The part of something of a type that stands at an offset in it.
struct TypePart {
  std::string path;          // ".left", "[3].left"; empty = the whole
  std::string pattern;       // the same with "[…]" for every index
  std::uint32_t type = 0;    // of the part; 0 = unknown
  std::uint64_t offset = 0;  // what remains inside the part
};

// One address where a debugger would set a breakpoint.
struct BreakpointAddress {
  ModuleSerial module = 0;
  std::uint64_t address = 0;  // runtime
  friend bool operator==(const BreakpointAddress&, const BreakpointAddress&) = default;
};

// What has become of the file that a module was mapped from.
enum class BinaryState : std::uint8_t {
  kRecorded,  // it is there, as far as the trace tells
  kNewer,     // the trace does not tell; a file is there, written after the recording
  kFound,     // it is no longer at its path, but elsewhere
  kChanged,   // another file is at its path
  kMissing,   // none is
};

// A file that is not simply where it was.
struct BinaryNote {
  BinaryState state = BinaryState::kMissing;
  std::string path;              // as recorded
  std::string build_id;          // as recorded, lower-case hex; empty = it had none
  std::string present_build_id;  // of the file at its path now
  std::uint64_t bytes = 0;       // as recorded; 0 = not known
  std::uint64_t present_bytes = 0;
  std::string file;  // kFound: where
};

// How much of the program could be named.
struct Coverage {
  struct Note {
    ModuleSerial module = 0;
    std::string path;
    std::string text;
  };
  std::size_t modules = 0;
  std::vector<std::string> without_debug_info;  // paths
  std::vector<Note> notes;                      // in the order of the modules

  // "12 modules, 3 without debug info"
  std::string summary() const;
};

}  // namespace cdr::symbols

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
// The object files that were mapped during a run. An entry is one mapping: a library that is closed and
// opened again has two. Entries are never removed; ids are serial numbers from 1 in order of mapping.
#ifndef CDRGRIND_BASE_MODULE_TABLE_H
#define CDRGRIND_BASE_MODULE_TABLE_H

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cdrgrind/base/arena.h"
#include "cdrgrind/base/range.h"

namespace cdr {

enum ModuleFlags : uint8_t {
  kModuleDynamicLinker = 1,  // ld.so
  kModulePreload = 2,        // our own code in the client: its blocks are shims, but for exact accesses
};

// How the file of a module is told from another one that stands at its path later.
enum class FileIdKind : uint8_t {
  kNone = 0,      // not known
  kBuildId = 1,   // the GNU build-id (elf_build_id.h)
  kChecksum = 2,  // of the whole file, 8 bytes, little endian: it has no build-id
};
constexpr size_t kFileIdKindCount = 3;
constexpr size_t kMaxFileIdBytes = 64;

struct Module {
  ModuleId id;
  std::string_view path;    // absolute, as mapped
  std::string_view soname;  // "NONE" or empty when it has none
  AddrRange text;           // runtime addresses
  uint64_t bias = 0;        // runtime address minus the file's virtual address
  AddrRange got;            // .got, runtime; empty if none
  AddrRange got_plt;
  AddrRange plt;
  uint8_t flags = 0;        // ModuleFlags
  uint64_t file_bytes = 0;  // the file's size, 0: not known
  FileIdKind file_id_kind = FileIdKind::kNone;
  std::string_view file_id;  // at most kMaxFileIdBytes
};

class ModuleTable {
 public:
  // Copies the strings. The id in `m` is ignored; returns the new one.
  ModuleId add(Module m) {
    m.id = ModuleId(static_cast<uint32_t>(modules_.size() + 1));
    m.path = arena_.copy(m.path);
    m.soname = arena_.copy(m.soname);
    m.file_id = arena_.copy(m.file_id);
    modules_.push_back(m);
    return m.id;
  }
  const Module& operator[](ModuleId id) const { return modules_[id.value - 1]; }
  bool has(ModuleId id) const { return id && id.value <= modules_.size(); }
  uint32_t size() const { return static_cast<uint32_t>(modules_.size()); }
  auto begin() const { return modules_.begin(); }
  auto end() const { return modules_.end(); }

 private:
  Arena arena_;
  std::vector<Module> modules_;
};

}  // namespace cdr

#endif

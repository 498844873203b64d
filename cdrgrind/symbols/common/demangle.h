// SPDX-License-Identifier: GPL-2.0-or-later
//
// Linkage names to what the programmer wrote. Names that are not mangled come
// back as they are. Demangling is done when a name is first asked for, since
// reports show a few of the many names of a module.
#ifndef CDRGRIND_SYMBOLS_COMMON_DEMANGLE_H
#define CDRGRIND_SYMBOLS_COMMON_DEMANGLE_H

#include <string>
#include <string_view>
#include <unordered_map>

#include "cdrgrind/symbols/common/string_pool.h"

namespace cdr::symbols {

// Whether a name has the form of a mangled C++ name.
bool is_mangled(std::string_view linkage_name);

// Whether it is a function that the compiler made of a coroutine: what resumes it, what destroys it.
bool is_part_of_coroutine(std::string_view linkage_name);

std::string demangle(std::string_view linkage_name);

// Demangled names, each computed once. Not thread-safe.
class Demangler {
 public:
  explicit Demangler(StringPool& pool) : pool_(&pool) {}
  std::string_view name(StringId linkage_name);

 private:
  StringPool* pool_;
  std::unordered_map<StringId, StringId> done_;
};

}  // namespace cdr::symbols

#endif

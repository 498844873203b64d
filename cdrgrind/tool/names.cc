// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/names.h"

#include "cdrgrind/tool/auxiliary_vector.h"
#include "cdrgrind/tool/options.h"

namespace cdr::tool {
namespace {

// Functions whose bookkeeping would order every two calls of them (Faxén and Albertsson 2006, 3.1): the
// allocator.
constexpr const HChar* kHidden[] = {
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "free",
    "cfree",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "malloc_usable_size",
    "malloc_trim",
    "__libc_malloc",
    "__libc_calloc",
    "__libc_realloc",
    "__libc_free",
    "__libc_memalign",
    "__libc_valloc",
    "__libc_pvalloc",
    "__libc_freeres",
    "operator new(*",
    "operator new[](*",
    "operator delete(*",
    "operator delete[](*",
};

constinit Addr program_entry = 0;

bool matches_any(const HChar* name, const std::vector<const HChar*>& patterns) {
  for (const HChar* p : patterns)
    if (VG_(string_match)(p, name)) return true;
  return false;
}

bool is_hidden(const HChar* name) {
  for (const HChar* p : kHidden)
    if (VG_(string_match)(p, name)) return true;
  return matches_any(name, options.hide);
}

// A jump to a function's cold part does not leave the function.
bool is_cold_part(const HChar* name) { return VG_(strstr)(name, ".cold") != nullptr; }

// Patterns are given without the parameters' types as a rule: `f` matches `f(int)` too.
bool matches_toggle(const HChar* name) {
  if (matches_any(name, options.toggles)) return true;
  const HChar* const paren = VG_(strchr)(name, '(');
  if (!paren || paren == name) return false;
  HChar plain[512];
  const SizeT n = paren - name;
  if (n >= sizeof plain) return false;
  VG_(memcpy)(plain, name, n);
  plain[n] = 0;
  return matches_any(plain, options.toggles);
}

}  // namespace

void note_program_entry(Addr sp) {
  for (const UWord* p = auxiliary_vector(sp); p[0] != kAtNull; p += 2)
    if (p[0] == kAtEntry) program_entry = p[1];
}

bool accesses_exactly(Addr addr) {
  const HChar* name = nullptr;
  return VG_(get_fnname)(VG_(current_DiEpoch)(), addr, &name) && VG_(string_match)("cdr_exact_*", name);
}

FunctionFacts function_facts(Addr addr) {
  FunctionFacts f;
  f.entry = addr == program_entry;
  const HChar* name = nullptr;
  if (!VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), addr, &name) || is_cold_part(name)) return f;
  f.entry = true;
  f.hidden = is_hidden(name);
  f.toggle = !options.toggles.empty() && matches_toggle(name);
  return f;
}

}  // namespace cdr::tool

// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tool's C++ and C runtime over Valgrind's functions.
//
// Allocation: VG_(malloc) for small blocks. Blocks of 1 MiB and more (tables
// that a std::vector doubles) are mappings of their own, given back at once
// when freed; in VG_(malloc)'s arena each outgrown one would stay a hole. A
// mapping begins at a page boundary, VG_(malloc)'s blocks seldom do, so the
// list of mappings is looked at for one free in 256.
//
// Not here on purpose: what belongs to libstdc++.so (iostreams, locale,
// std::unordered_map, threads), atexit, guards of local statics. Code that
// needs it does not link.

#include "cdrgrind/tool/runtime.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <stdexcept>

#include "cdrgrind/tool/vg.h"

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t mapping_min_bytes = std::size_t{1} << 20;
// VG_(malloc)'s guarantee, as x86-64's malloc.
constexpr std::size_t natural_alignment = 16;

struct Mapping {
  void* begin;
  std::size_t bytes;
};

// The live mappings in no order: tens of them in practice. The list is grown
// through VG_(malloc), never through a mapping.
constinit Mapping* mappings = nullptr;
constinit std::size_t mapping_count = 0;
constinit std::size_t mapping_capacity = 0;

[[noreturn]] void panic(const char* what) {
  VG_(tool_panic)(what);
  __builtin_unreachable();
}

// VG_(out_of_memory_NORETURN), with the error as its third argument in newer Valgrinds.
[[noreturn, maybe_unused]] void end_out_of_memory(void (*say)(const HChar*, SizeT), std::size_t bytes, UWord) {
  say("cdrgrind", bytes);
  __builtin_unreachable();
}

[[noreturn, maybe_unused]] void end_out_of_memory(void (*say)(const HChar*, SizeT, UWord), std::size_t bytes,
                                                  UWord error) {
  say("cdrgrind", bytes, error);
  __builtin_unreachable();
}

[[noreturn]] void end_out_of_memory(std::size_t bytes, UWord error = VKI_ENOMEM) {
  end_out_of_memory(VG_(out_of_memory_NORETURN), bytes, error);
}

bool is_page_aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % page_bytes == 0; }

Mapping* find_mapping(const void* p) {
  for (std::size_t i = 0; i < mapping_count; i++)
    if (mappings[i].begin == p) return &mappings[i];
  return nullptr;
}

void remember_mapping(Mapping mapping) {
  if (mapping_count == mapping_capacity) {
    mapping_capacity = mapping_capacity ? 2 * mapping_capacity : 64;
    mappings =
        static_cast<Mapping*>(VG_(realloc)("cdr.runtime.mappings", mappings, mapping_capacity * sizeof(Mapping)));
  }
  mappings[mapping_count++] = mapping;
}

void* allocate_mapping(std::size_t bytes) {
  if (bytes > SIZE_MAX - page_bytes) end_out_of_memory(bytes);
  bytes = (bytes + page_bytes - 1) / page_bytes * page_bytes;
  SysRes result = VG_(am_mmap_anon_float_valgrind)(bytes);
  if (sr_isError(result)) end_out_of_memory(bytes, sr_Err(result));
  void* begin = reinterpret_cast<void*>(sr_Res(result));
  remember_mapping({begin, bytes});
  return begin;
}

// Never null: Valgrind ends the run when memory is out.
void* allocate(std::size_t bytes) {
  if (bytes >= mapping_min_bytes) return allocate_mapping(bytes);
  return VG_(malloc)("cdr.runtime", bytes ? bytes : 1);
}

void release(void* p) {
  if (p == nullptr) return;
  if (Mapping* mapping = is_page_aligned(p) ? find_mapping(p) : nullptr) {
    SysRes result = VG_(am_munmap_valgrind)(reinterpret_cast<Addr>(p), mapping->bytes);
    if (sr_isError(result)) panic("cdrgrind: cannot unmap");
    *mapping = mappings[--mapping_count];
    return;
  }
  VG_(free)(p);
}

// The block's own address stands in the word before the aligned one.
void* allocate_aligned(std::size_t bytes, std::align_val_t align) {
  auto alignment = static_cast<std::size_t>(align);
  if (alignment < natural_alignment) alignment = natural_alignment;
  if (bytes > SIZE_MAX - 2 * alignment) end_out_of_memory(bytes);
  void* block = allocate(bytes + alignment);
  auto address = (reinterpret_cast<std::uintptr_t>(block) / alignment + 1) * alignment;
  auto* aligned = reinterpret_cast<void**>(address);
  aligned[-1] = block;
  return aligned;
}

void release_aligned(void* p) {
  if (p != nullptr) release(static_cast<void**>(p)[-1]);
}

}  // namespace

// clang-format off
void* operator new(std::size_t n) { return allocate(n); }
void* operator new[](std::size_t n) { return allocate(n); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate_aligned(n, a); }
void* operator new[](std::size_t n, std::align_val_t a) { return allocate_aligned(n, a); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return allocate_aligned(n, a); }
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return allocate_aligned(n, a); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release_aligned(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release_aligned(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release_aligned(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release_aligned(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { release_aligned(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { release_aligned(p); }
// clang-format on

namespace std {

constinit const nothrow_t nothrow{};

void __throw_bad_exception() { panic("std::bad_exception"); }
void __throw_bad_alloc() { panic("std::bad_alloc"); }
void __throw_bad_array_new_length() { panic("std::bad_array_new_length"); }
void __throw_bad_cast() { panic("std::bad_cast"); }
void __throw_logic_error(const char* what) { panic(what); }
void __throw_domain_error(const char* what) { panic(what); }
void __throw_invalid_argument(const char* what) { panic(what); }
void __throw_length_error(const char* what) { panic(what); }
void __throw_out_of_range(const char* what) { panic(what); }
void __throw_out_of_range_fmt(const char* what, ...) { panic(what); }
void __throw_runtime_error(const char* what) { panic(what); }
void __throw_range_error(const char* what) { panic(what); }
void __throw_overflow_error(const char* what) { panic(what); }
void __throw_underflow_error(const char* what) { panic(what); }
void __throw_bad_function_call() { panic("std::bad_function_call"); }

// Called where the headers were compiled with _GLIBCXX_ASSERTIONS.
void __glibcxx_assert_fail(const char* file, int line, const char* function, const char* condition) noexcept {
  VG_(umsg)("%s:%d: %s: %s\n", file, line, function, condition);
  panic("an assertion of the C++ library");
}

}  // namespace std

extern "C" {

// The loops below must not be compiled into calls of themselves.
#define NO_LOOP_IDIOM __attribute__((optimize("no-tree-loop-distribute-patterns")))

void* malloc(std::size_t bytes) { return allocate(bytes); }
void free(void* p) { release(p); }

void* calloc(std::size_t count, std::size_t each) {
  std::size_t bytes;
  if (__builtin_mul_overflow(count, each, &bytes)) return nullptr;
  void* p = allocate(bytes);
  // Fresh mappings are zero.
  if (bytes < mapping_min_bytes) VG_(memset)(p, 0, bytes);
  return p;
}

// By words: interning compares a lot. VG_(memcmp) goes byte by byte.
NO_LOOP_IDIOM int memcmp(const void* a, const void* b, std::size_t n) {
  auto* left = static_cast<const unsigned char*>(a);
  auto* right = static_cast<const unsigned char*>(b);
  for (; n >= sizeof(std::uint64_t); n -= sizeof(std::uint64_t)) {
    std::uint64_t x, y;
    __builtin_memcpy(&x, left, sizeof x);
    __builtin_memcpy(&y, right, sizeof y);
    if (x != y) return __builtin_bswap64(x) < __builtin_bswap64(y) ? -1 : 1;
    left += sizeof x;
    right += sizeof y;
  }
  for (std::size_t i = 0; i < n; i++)
    if (left[i] != right[i]) return left[i] - right[i];
  return 0;
}

// Of base/large_pages. The kernel may refuse it.
int madvise(void* begin, std::size_t bytes, int advice) {
  const SysRes result =
      VG_(do_syscall)(__NR_madvise, reinterpret_cast<UWord>(begin), bytes, static_cast<UWord>(advice), 0, 0, 0, 0, 0);
  return sr_isError(result) ? -1 : 0;
}

int bcmp(const void* a, const void* b, std::size_t n) { return memcmp(a, b, n); }
std::size_t strlen(const char* s) { return VG_(strlen)(s); }
int strcmp(const char* a, const char* b) { return VG_(strcmp)(a, b); }
int strncmp(const char* a, const char* b, std::size_t n) { return VG_(strncmp)(a, b, n); }

NO_LOOP_IDIOM void* memchr(const void* p, int value, std::size_t n) {
  auto* bytes = static_cast<const unsigned char*>(p);
  for (std::size_t i = 0; i < n; i++)
    if (bytes[i] == static_cast<unsigned char>(value)) return const_cast<unsigned char*>(bytes + i);
  return nullptr;
}

void __cxa_pure_virtual() { panic("a pure virtual function was called"); }
void __stack_chk_fail() { panic("stack smashed"); }

// For assert() in the code that is built for the host too.
void __assert_fail(const char* condition, const char* file, unsigned line, const char* function) {
  VG_(umsg)("%s:%u: %s: %s\n", file, line, function, condition);
  panic("assertion failed");
}

}  // extern "C"

namespace cdr {

// Valgrind leaves the FS base at 0 and libzstd.a's functions read their stack
// guard at %fs:0x28. Threads inherit the base through clone.
void start_runtime() {
  constexpr UInt arch_set_fs = 0x1002;
  alignas(64) static constinit unsigned char thread_block[256] = {};
  SysRes result =
      VG_(do_syscall)(__NR_arch_prctl, arch_set_fs, reinterpret_cast<RegWord>(thread_block), 0, 0, 0, 0, 0, 0);
  if (sr_isError(result)) panic("arch_prctl(ARCH_SET_FS) failed");
}

}  // namespace cdr

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/ring.h"

#include "cdrgrind/tool/processes.h"

namespace cdr::tool {
namespace {

constexpr uint64_t kControlBytes = 4096;
static_assert(sizeof(Ring::Control) <= kControlBytes);
static_assert(RecordBuffer::kBytes + RecordBuffer::kMargin + kControlBytes <= 2 * RecordBuffer::kBytes);
static_assert(RecordBuffer::kBytes + RecordBuffer::kMargin + sizeof(Outbox) <= 2 * RecordBuffer::kBytes);

}  // namespace

Int Ring::memory_for_another() { return shared_memory(kBytes); }

bool Ring::create(uint32_t helpers) {
  Int fd = memory_for_another();
  if (fd < 0) return false;
  const SysRes r = VG_(am_shared_mmap_file_float_valgrind)(kBytes, VKI_PROT_READ | VKI_PROT_WRITE, fd, 0);
  close_descriptor(fd);
  if (sr_isError(r)) return false;
  const uint64_t begin = sr_Res(r);
  const uint64_t first = (begin + kSlotStride - 1) & ~(kSlotStride - 1);
  helpers_ = helpers;
  mapping_ = reinterpret_cast<void*>(begin);
  first_ = reinterpret_cast<uint64_t*>(first);
  control_ = reinterpret_cast<Control*>(first + kSlotStride - kControlBytes);
  return true;
}

// Valgrind's list of mappings stays right: the recorder's own, at the same place.
void Ring::replace(Int shared) {
  const UWord flags = VKI_MAP_FIXED | (shared >= 0 ? VKI_MAP_SHARED : VKI_MAP_PRIVATE | VKI_MAP_ANONYMOUS);
  const SysRes r = VG_(do_syscall)(__NR_mmap, reinterpret_cast<UWord>(mapping_), kBytes, VKI_PROT_READ | VKI_PROT_WRITE,
                                   flags, static_cast<UWord>(shared), 0, 0, 0);
  // It was there already; what it held belongs to another process.
  if (sr_isError(r)) VG_(tool_panic)("cdrgrind: no memory for the records of a forked process");
}

}  // namespace cdr::tool

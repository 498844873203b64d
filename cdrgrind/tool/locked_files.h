// SPDX-License-Identifier: GPL-2.0-or-later
// Locks of files: who holds which bytes, and what a lock comes behind. A lock belongs to an open file description,
// which all copies of its descriptor have in common, or, by F_SETLK, to the process. flock's are of the whole file, and
// know nothing of fcntl's, which are of bytes, whoever they belong to.
//
// What is given back is told as *grants*: numbers, one for what one owner gave back of the same bytes, held alike. A
// lock comes behind those grants that it could not have been held beside: of the same bytes, one of the two exclusive,
// and of another owner. So threads that lock by one description are in no order. Of bytes that several owners gave back
// some of these have one grant together, and of a file of which very many parts were given back the parts are not asked
// any more: then a lock may come behind more than it had to.
#ifndef CDRGRIND_TOOL_LOCKED_FILES_H
#define CDRGRIND_TOOL_LOCKED_FILES_H

#include <cstdint>
#include <vector>

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

using Grants = std::vector<uint64_t>;

// Descriptors. `identity`: what file it is; 0: it is not asked.
void descriptor_opened(UWord fd, uint64_t identity);
void descriptor_copied(UWord from, UWord to);
// It is about to be closed. What that gives back is appended.
void descriptor_closed(UWord fd, uint64_t identity, Grants& given);
// Else it need not be asked what file a descriptor is that is closed.
bool any_file_locked();

// A call of flock or fcntl.
struct FileLock {
  enum class Of : uint8_t { kWhole, kBytes, kProcess };
  enum class Kind : uint8_t { kShared, kExclusive, kNone };
  Of of = Of::kWhole;
  Kind kind = Kind::kNone;  // none: it unlocks
  UWord fd = 0;
  uint64_t identity = 0;
  uint64_t begin = 0, end = UINT64_MAX;
};
// What it gives back before it has what it is for, or if it only unlocks. Appended.
void lock_begins(const FileLock& lock, Grants& given);
// It has what it is for. What it comes behind, besides first_grant(), is appended.
void lock_ends(const FileLock& lock, Grants& got);
// Of the whole file, held exclusively, given back by owners of which there are many.
uint64_t first_grant(const FileLock& lock);

}  // namespace cdr::tool

#endif

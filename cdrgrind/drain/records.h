// SPDX-License-Identifier: GPL-2.0-or-later
// The records of the recorder's buffer: 64-bit words, in true order. Generated code appends executed
// blocks; everything else appends special records. The buffer is the only carrier of order.
//
//     executed block   [words : 8 | rec id : 32 | 0] word...     kManyWords: as many as its exit has
//     special record   [0 : 8 | kind : 32 | payload words : 24] [thread] payload...
//
// The lowest bits stand first. Rec ids begin at kFirstBlock, so they differ from kinds. A rec id names (superblock,
// exit): first id of the superblock + number of the exit. A superblock's definition is a special record that precedes
// its first execution. No record holds a pointer.
#ifndef CDRGRIND_DRAIN_RECORDS_H
#define CDRGRIND_DRAIN_RECORDS_H

#include <cstdint>

namespace cdr::drain {

enum class RecordKind : uint32_t {
  kNone = 0,            // nothing written here yet
  kSuperblock = 1,      // first rec id, toggle, then the packed superblock (superblock_words.h)
  kTurn = 2,            // sp
  kPartial = 3,         // rec id, ip, words...
  kModule = 4,          // text b/e, bias, got b/e, got_plt b/e, plt b/e, flags, bytes, id kind; path, soname, id
  kModuleUnmapped = 5,  // serial
  kThreadCreate = 6,    // child
  kThreadStart = 7,     // range begin, end, sp, pthread_t, creator
  kThreadEnd = 8,
  kSignalEnter = 9,   // signal, ip, sp, alternate stack begin, end (0, 0: not on it)
  kSignalLeave = 10,  // sp, ip
  kSyscall = 11,      // number, result, then (addr, size, store) per span
  kMap = 12,          // begin, end, flags
  kUnmap = 13,        // begin, end
  kAlloc = 14,        // addr, size
  kFree = 15,         // addr, size
  kResize = 16,       // addr, old size, new size
  kSyncEnter = 17,    // op, object, object2, value
  kSyncLeave = 18,    // op, object, object2, value, result, flags
  kStackRange = 19,   // begin, end: registered by the program
  kCollect = 20,      // 0/1: the process's recording state
  kMark = 21,         // name bytes
  kHideBegin = 22,
  kHideEnd = 23,
  kForked = 24,    // serial of the thread in the parent, pthread_t, process (stream_start.h); the child's first
  kMpiEnter = 25,  // number of the function, address that it returns to
  kMpiWords = 26,  // arguments or results, words...
  kMpiLeave = 27,  // number of the function, result
  // For the session (session.h); the others know nothing of them.
  kStart = 32,       // a stream's first record: process, options, what the trace says of the run (stream_start.h)
  kFlush = 33,       // everything recorded so far is to be readable
  kExec = 34,        // path bytes: the program may end here
  kExecFailed = 35,  // errno
  kEnd = 36,         // why, as text
};
constexpr uint32_t kFirstBlock = 64;

constexpr bool is_for_session(RecordKind kind) { return kind >= RecordKind::kStart; }

// A block's words stand in its header, so that finding the next record waits for nothing else.
constexpr uint32_t kManyWords = 255;

constexpr uint64_t block_header(uint32_t rec_id, uint32_t words) {
  return uint64_t{rec_id} << 8 | (words < kManyWords ? words : kManyWords);
}
constexpr uint64_t special_header(RecordKind kind, uint32_t payload_words) {
  return static_cast<uint64_t>(kind) << 8 | uint64_t{payload_words} << 40;
}
// The rec id, or the kind.
constexpr uint32_t id_of(uint64_t header) { return static_cast<uint32_t>(header >> 8); }
constexpr uint32_t words_of_block(uint64_t header) { return header & 0xff; }
constexpr uint32_t words_of_special(uint64_t header) { return static_cast<uint32_t>(header >> 40); }

}  // namespace cdr::drain

#endif

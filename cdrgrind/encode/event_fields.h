// SPDX-License-Identifier: GPL-2.0-or-later
// Which members of Event mean something for each kind: the table beside EventKind in base/event.h, for code
// that treats all kinds alike. The codec writes them in the order of the bits.
#ifndef CDRGRIND_ENCODE_EVENT_FIELDS_H
#define CDRGRIND_ENCODE_EVENT_FIELDS_H

#include <array>
#include <cstdint>

#include "cdrgrind/base/event.h"

namespace cdr {

enum EventField : uint32_t {
  kFieldBlock = 1 << 0,
  kFieldIp = 1 << 1,
  kFieldWords = 1 << 2,
  kFieldSp = 1 << 3,
  kFieldCount = 1 << 4,
  kFieldStack = 1 << 5,
  kFieldRange = 1 << 6,
  kFieldChild = 1 << 7,
  kFieldAddr = 1 << 8,
  kFieldSize = 1 << 9,
  kFieldValue = 1 << 10,
  kFieldResult = 1 << 11,
  kFieldSync = 1 << 12,
  kFieldModule = 1 << 13,
  kFieldMemory = 1 << 14,
  kFieldText = 1 << 15,
};

constexpr std::array<uint32_t, kEventKindCount> kEventFields = {
    0,
    kFieldBlock | kFieldWords,                                         // Block
    kFieldBlock | kFieldWords | kFieldIp,                              // Partial
    kFieldSp | kFieldIp,                                               // Call
    kFieldSp,                                                          // Return
    kFieldCount,                                                       // Pop
    kFieldStack | kFieldRange | kFieldSp,                              // StackSwitch
    kFieldCount | kFieldIp | kFieldSp,                                 // SignalEnter
    kFieldSp | kFieldIp,                                               // SignalLeave
    kFieldSp,                                                          // StackPointer
    kFieldCount,                                                       // GapBegin
    kFieldCount | kFieldSp,                                            // GapEnd
    kFieldBlock,                                                       // Enter
    kFieldSync,                                                        // SyncEnter
    kFieldSync,                                                        // SyncLeave
    kFieldAddr | kFieldSize,                                           // Alloc
    kFieldAddr | kFieldSize,                                           // Free
    kFieldAddr | kFieldSize | kFieldValue,                             // Resize
    kFieldChild,                                                       // ThreadCreate
    kFieldStack | kFieldRange | kFieldSp | kFieldValue | kFieldChild,  // ThreadStart
    0,                                                                 // ThreadEnd
    0,                                                                 // Turn
    kFieldValue | kFieldIp | kFieldResult | kFieldMemory,              // Syscall
    kFieldRange | kFieldValue,                                         // Map
    kFieldRange,                                                       // Unmap
    kFieldModule,                                                      // ModuleMapped
    kFieldModule,                                                      // ModuleUnmapped
    kFieldText,                                                        // Mark
    0,                                                                 // HideBegin
    0,                                                                 // HideEnd
    kFieldCount | kFieldValue,                                         // MpiEnter
    kFieldCount | kFieldWords,                                         // MpiWords
    kFieldCount | kFieldResult,                                        // MpiLeave
};

// Not for kNone and values of no kind.
constexpr bool is_event(EventKind kind) {
  return kind != EventKind::kNone && static_cast<uint8_t>(kind) < kEventKindCount;
}
constexpr uint32_t fields_of(EventKind kind) { return kEventFields[static_cast<uint8_t>(kind)]; }

}  // namespace cdr

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
// What a cell of the memory table holds: a reference of 32 bits to a *context*, the pair (activation, site)
// that made an access (access_contexts.h), together with what has happened to the byte since:
//
//     31    30..28        27..26       25..0
//     0     stack state   heap state   context
//     1     raised (30)   29..0: reader set     (reader_sets.h; its members carry their own states)
//
// The heap state answers class r, the stack state the classes f and s, so that nothing needs a clock:
// whoever frees memory or raises SP changes the references (memory.h says when).
#ifndef CDRGRIND_DEPEND_REF_H
#define CDRGRIND_DEPEND_REF_H

#include <cstdint>

namespace cdr::depend {

using Ref = uint32_t;           // 0 = nothing
using ContextIndex = uint32_t;  // 26 bits

constexpr Ref kSetBit = Ref{1} << 31;
constexpr Ref kRaisedBit = Ref{1} << 30;  // of a set: SP has been above all members since
constexpr unsigned kStackShift = 28;
constexpr unsigned kHeapShift = 26;
constexpr Ref kContextMask = (Ref{1} << kHeapShift) - 1;
constexpr Ref kStackMask = Ref{7} << kStackShift;
constexpr Ref kHeapMask = Ref{3} << kHeapShift;

enum class StackState : uint8_t {
  kIn = 0,       // byte >= sp(access); also all memory that is no stack
  kRed = 1,      // byte < sp(access), in the 128 bytes below it
  kDeep = 2,     // further down
  kFalse = 3,    // SP has been above byte and sp(access) since
  kForeign = 4,  // the byte belonged to another stack, or to none, when it was accessed
};

enum class HeapState : uint8_t { kNone = 0, kFreed = 1, kRecycled = 2 };

constexpr bool is_set(Ref r) { return r & kSetBit; }
constexpr uint32_t set_index(Ref r) { return r & ~(kSetBit | kRaisedBit); }
constexpr ContextIndex context_of(Ref r) { return r & kContextMask; }
constexpr Ref state_of(Ref r) { return r & (kStackMask | kHeapMask); }
constexpr StackState stack_state(Ref r) { return static_cast<StackState>((r & kStackMask) >> kStackShift); }
constexpr HeapState heap_state(Ref r) { return static_cast<HeapState>((r & kHeapMask) >> kHeapShift); }
constexpr Ref with(Ref r, StackState s) { return (r & ~kStackMask) | static_cast<Ref>(s) << kStackShift; }
constexpr Ref with(Ref r, HeapState h) { return (r & ~kHeapMask) | static_cast<Ref>(h) << kHeapShift; }

// Below sp(access): whether SP rises above it has to be compared with the access's own SP.
constexpr bool is_below_sp(Ref r) { return stack_state(r) == StackState::kRed || stack_state(r) == StackState::kDeep; }
constexpr bool is_settled(Ref r) { return stack_state(r) >= StackState::kFalse; }

// SP has been above the byte and above sp(access).
constexpr Ref after_rise(Ref r) { return is_settled(r) ? r : with(r, StackState::kFalse); }

// Free and Alloc of the heap block around the byte.
constexpr Ref after_free(Ref r) { return heap_state(r) == HeapState::kNone ? with(r, HeapState::kFreed) : r; }
constexpr Ref after_alloc(Ref r) { return heap_state(r) == HeapState::kFreed ? with(r, HeapState::kRecycled) : r; }

}  // namespace cdr::depend

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
// How reports call the events, operations and flags of the stream, and the groups of events that
// `dump --events` selects.
#ifndef CDRGRIND_REPORT_COMMON_EVENT_NAMES_H
#define CDRGRIND_REPORT_COMMON_EVENT_NAMES_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::report {

std::string_view name_of(EventKind k);  // "stack-switch"
// As in C; of mpi_calls.h.
std::string_view mpi_function_name(uint32_t number);
std::string_view name_of(SyncOp op);       // "mutex-lock"
std::string_view name_of(ChannelKind k);   // "pipe"
std::string signal_name(uint64_t number);  // "SIGUSR1", "signal 34"
std::string_view name_of(ExitKind k);      // "indirect-call"
std::string_view name_of(ExitGuard g);     // "condition"

// A bit of a set and its name. The tables end with the words of docs/events.md only: no entry, no name.
struct FlagName {
  uint32_t bit;
  std::string_view name;
};
std::span<const FlagName> block_flag_names();
std::span<const FlagName> access_flag_names();  // without the store bit
std::span<const FlagName> map_flag_names();
std::span<const FlagName> module_flag_names();
std::span<const FlagName> sync_flag_names();

// A set of event kinds; `accesses` stands for "events that access memory".
struct EventSet {
  uint64_t kinds = 0;
  bool accesses = false;

  void add(EventKind k) { kinds |= uint64_t{1} << static_cast<unsigned>(k); }
  bool has(EventKind k) const { return kinds >> static_cast<unsigned>(k) & 1; }
};

EventSet all_events();

// Adds a group ("sync") or one event ("sync-enter"); false when there is no such name.
bool add_events(EventSet& set, std::string_view name);

// "block", "access", "call" …
std::vector<std::string> event_group_names();

}  // namespace cdr::report

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
// The bytes of a trace file by what they hold. The groups add up to the file.
#ifndef CDRGRIND_ANALYSIS_COMPARE_FILE_SIZES_H
#define CDRGRIND_ANALYSIS_COMPARE_FILE_SIZES_H

#include <array>
#include <cstdint>
#include <vector>

#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::compare {

enum class FrameGroup : uint8_t {
  kTables,      // META, MODULE, BLOCKS, DATAFLOW, DEPEND: not part of the kernel size
  kDictionary,  // STRETCHES
  kControl,     // CONTROL: grammars or runs
  kAddresses,   // ADDRESS
  kLog,         // LOG: S_synch and the other events between stretches
  kTurns,       // TURN
  kEvents,      // EVENTS, the plain form
  kIndex,       // INDEX
  kOther,       // the file's header, RUN, EXITS, EXEC, END …; bytes behind the last whole frame
};
constexpr size_t kFrameGroups = 9;
const char* name_of(FrameGroup group);  // "dictionary"
FrameGroup group_of(FrameType type);

struct FrameSize {
  FrameType type = FrameType::kNone;
  uint64_t frames = 0;
  uint64_t bytes = 0;  // with their headers
};

struct FileSizes {
  uint64_t whole = 0;                              // the file
  std::vector<FrameSize> types;                    // those that occur, in the order of types
  std::array<uint64_t, kFrameGroups> groups = {};  // bytes
  uint64_t epochs = 0;
  uint64_t sync_log = 0;          // of the log, columns of synchronisation events
  uint64_t grammar_symbols = 0;   // of grammars in CONTROL frames
  uint64_t run_epochs = 0;        // whose CONTROL frame is a list of runs
  uint64_t predicted_epochs = 0;  // with pieces that were predicted

  uint64_t operator[](FrameGroup g) const { return groups[static_cast<size_t>(g)]; }
  uint64_t kernel() const { return whole - (*this)[FrameGroup::kTables]; }
  // What stands for the paths alone.
  uint64_t paths() const { return (*this)[FrameGroup::kDictionary] + (*this)[FrameGroup::kControl]; }
};

FileSizes file_sizes(const trace::TraceFile& file);

}  // namespace cdr::compare

#endif

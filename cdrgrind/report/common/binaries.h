// SPDX-License-Identifier: GPL-2.0-or-later
// What a report says of binaries that are not what was recorded: nothing if all is well.
#ifndef CDRGRIND_REPORT_COMMON_BINARIES_H
#define CDRGRIND_REPORT_COMMON_BINARIES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cdrgrind/base/module_table.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/symbols/common/names.h"

namespace cdr::report {

// What identifies the file of a recorded module, if anything does: lower-case hex, or else the checksum.
std::string build_id_of(const Module& m);
std::optional<uint64_t> checksum_of(const Module& m);

using BinaryNotes = std::vector<symbols::BinaryNote>;

// A sentence for each kind of trouble. Binaries that were found elsewhere are none.
std::vector<std::string> sentences_of(const BinaryNotes& notes);

// A member of a JSON document: `"binaries":[{"path","state","build_id"}]`. Nothing without notes.
void put_binaries(const BinaryNotes& notes, JsonWriter& to);

}  // namespace cdr::report

#endif

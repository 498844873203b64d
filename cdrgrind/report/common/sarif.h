// SPDX-License-Identifier: GPL-2.0-or-later
// What every SARIF document (2.1.0, OASIS, 2020) of ours has: head, driver with its rules, texts and places.
#ifndef CDRGRIND_REPORT_COMMON_SARIF_H
#define CDRGRIND_REPORT_COMMON_SARIF_H

#include <span>
#include <string_view>

#include "cdrgrind/report/common/json_writer.h"

namespace cdr::report {

struct SarifRule {
  const char *id, *name, *text, *level;
  const char* help = nullptr;  // may be null
};

// Leaves the document's only run open; end_sarif() closes both.
void begin_sarif(std::span<const SarifRule> rules, JsonWriter& to);
void end_sarif(JsonWriter& to);

// `"NAME":{"text":TEXT}`; the text without escapes of SARIF's own (sarif_text()).
void put_sarif_text(std::string_view name, std::string_view text, JsonWriter& to);
void put_sarif_message(std::string_view text, JsonWriter& to);
// The file as the file system names it, not below any base.
void put_sarif_uri(std::string_view file, JsonWriter& to);
// Nothing without a name.
void put_sarif_function(std::string_view function, JsonWriter& to);

}  // namespace cdr::report

#endif

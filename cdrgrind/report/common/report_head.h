// SPDX-License-Identifier: GPL-2.0-or-later
// What every report has before its findings: what ran, and how it is to look.
#ifndef CDRGRIND_REPORT_COMMON_REPORT_HEAD_H
#define CDRGRIND_REPORT_COMMON_REPORT_HEAD_H

#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/report/common/binaries.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/style.h"

namespace cdr::report {

struct ReportHead {
  std::string program;
  BinaryNotes binaries;
  std::vector<std::pair<std::string, std::string>> header;  // "Command", "./prog 1"
  Style style;
};

// The first section of a text report: its title, and a line for each entry of the header.
void put_head(std::string_view title, const ReportHead& head, Output& out);

}  // namespace cdr::report

#endif

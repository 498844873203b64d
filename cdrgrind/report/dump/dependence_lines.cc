// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/dump/dependence_lines.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cdrgrind/analysis/dependence/rows.h"

namespace cdr::report {

namespace {

std::string end_text(const depend::Endpoint& end) {
  const bool own = end.code == depend::EndpointCode::kOwn;
  return fmt::format("{}\t{:#x}\t{}", end.at.module.value, end.at.addr, own ? '-' : letter(end.code));
}

std::string line_of(const depend::Row& row, std::optional<uint64_t> first) {
  const depend::Key& k = row.key;
  return fmt::format("{}\t{}\t{}\t{:#x}\t{:d}\t{}\t{}\t{}\t{}\t{}\t{}\n", analysis::name_of(k.kind), letter(k.location),
                     k.ancestor.module.value, k.ancestor.addr, k.ancestor_hidden, end_text(k.source),
                     end_text(k.target), k.source_thread.value, k.target_thread.value, row.count,
                     first ? std::to_string(*first) : "-");
}

}  // namespace

void write_dependence_lines(std::span<const depend::Row> table, std::span<const std::optional<uint64_t>> first,
                            Output& out) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < table.size(); ++i) lines.push_back(line_of(table[i], first[i]));
  std::sort(lines.begin(), lines.end());
  for (const std::string& line : lines) out.put(line);
}

}  // namespace cdr::report

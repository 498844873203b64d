// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/export/table_writer.h"

#include <fmt/format.h>

#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/report/common/json_writer.h"

namespace cdr::report {

TableWriter::TableWriter(std::span<const Column> columns, cdr::Output& to) : to_(to) {
  for (const Column& c : columns) cells(c.name);
  text_ += '\n';
  first_ = true;
}

TableWriter& TableWriter::rounded(double v) {
  begin();
  text_ += fmt::format("{:.6g}", v);
  return *this;
}

void TableWriter::flush() {
  to_.write({reinterpret_cast<const uint8_t*>(text_.data()), text_.size()});
  text_.clear();
}

std::string TableWriter::csv_text(std::string_view v) {
  const std::string text = utf8_text(v);
  if (!text.empty() && text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

void write_table_info(const TableInfo& info, std::span<const Column> columns, Output& out) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.table/1", "table", info.table, "program", info.program);
  to.members("trace", info.trace, "file", info.file, "rows", info.rows).key("columns").rows();
  for (const Column& c : columns) to.object().members("name", c.name, "type", c.type, "meaning", c.meaning).end();
  to.end().end();
  out.put('\n');
}

}  // namespace cdr::report

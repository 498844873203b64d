// SPDX-License-Identifier: GPL-2.0-or-later
// `annotate --format=json`, schema cdrgrind.dependences/1: one document, one row a line.
#include "cdrgrind/report/annotate/annotate.h"
#include "cdrgrind/report/common/json_writer.h"

namespace cdr::report {

namespace {

void put_end(std::string_view name, const analysis::RowEnd& end, JsonWriter& to) {
  const char code = letter(end.code);
  to.key(name).object().members("file", end.at.file, "line", end.at.line);
  to.members("code", std::string_view(&code, code != ' ')).end();
}

void put_row(const analysis::DependenceRow& row, JsonWriter& to) {
  to.object().members("kind", analysis::name_of(row.kind), "class", std::string_view(&row.location, 1));
  to.members("ancestor", row.ancestor);
  put_end("source", row.source, to);
  put_end("target", row.target, to);
  to.members("count", row.count);
  if (row.source_thread) to.key("threads").array().value(row.source_thread.value).value(row.target_thread.value).end();
  to.end();
}

}  // namespace

void write_dependences_json(const std::vector<analysis::DependenceRow>& rows, std::string_view program, Output& out,
                            const BinaryNotes& binaries) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.dependences/1", "program", program);
  put_binaries(binaries, to);
  to.key("dependences").rows();
  for (const analysis::DependenceRow& row : rows) put_row(row, to);
  to.end().end();
  out.put('\n');
}

}  // namespace cdr::report

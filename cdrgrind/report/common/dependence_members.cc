// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/dependence_members.h"

namespace cdr::report {

namespace {

void put_end(std::string_view name, const analysis::RowEnd& end, JsonWriter& to) {
  const char code = letter(end.code);
  to.key(name).object().members("file", end.at.file, "line", end.at.line);
  to.members("code", std::string_view(&code, code != ' ')).end();
}

}  // namespace

void put_dependence(const analysis::DependenceRow& row, JsonWriter& to) {
  to.members("kind", analysis::name_of(row.kind), "class", std::string_view(&row.location, 1));
  to.members("ancestor", row.ancestor);
  put_end("source", row.source, to);
  put_end("target", row.target, to);
  to.members("count", row.count);
  if (row.source_thread) to.key("threads").array().value(row.source_thread.value).value(row.target_thread.value).end();
}

}  // namespace cdr::report

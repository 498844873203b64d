// SPDX-License-Identifier: GPL-2.0-or-later
// `annotate --format=json`, schema cdrgrind.dependences/1: one document, one row a line.
#include "cdrgrind/report/annotate/annotate.h"
#include "cdrgrind/report/common/dependence_members.h"
#include "cdrgrind/report/common/json_writer.h"

namespace cdr::report {

namespace {

void put_objects(const std::vector<ObjectName>& objects, JsonWriter& to) {
  to.key("objects").array();
  for (const ObjectName& o : objects) {
    to.object().key("name");
    o.name.empty() ? to.null() : to.value(o.name);
    to.members("kind", o.kind).end();
  }
  to.end();
}

void put_row(const analysis::DependenceRow& row, ObjectNames* objects, JsonWriter& to) {
  to.object();
  put_dependence(row, to);
  if (objects) put_objects(objects->of(row), to);
  to.end();
}

}  // namespace

void write_dependences_json(const std::vector<analysis::DependenceRow>& rows, std::string_view program, Output& out,
                            const BinaryNotes& binaries, const ScopeNote& scope, ObjectNames* objects) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.dependences/1", "program", program);
  put_binaries(binaries, to);
  put_scope(scope, to);
  to.key("dependences").rows();
  for (const analysis::DependenceRow& row : rows) put_row(row, objects, to);
  to.end().end();
  out.put('\n');
}

}  // namespace cdr::report

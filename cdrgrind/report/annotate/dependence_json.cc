// SPDX-License-Identifier: GPL-2.0-or-later
// `annotate --format=json`, schema cdrgrind.dependences/1: one document, one row a line.
#include "cdrgrind/report/annotate/annotate.h"
#include "cdrgrind/report/annotate/moved_ends.h"
#include "cdrgrind/report/annotate/object_shares.h"
#include "cdrgrind/report/common/dependence_members.h"
#include "cdrgrind/report/common/json_writer.h"

namespace cdr::report {

namespace {

// An object that is left open.
void begin_object(const ObjectName& o, JsonWriter& to) {
  to.object().key("name");
  o.name.empty() ? to.null() : to.value(o.name);
  to.members("kind", o.kind);
}

void put_objects(const std::vector<ObjectName>& objects, JsonWriter& to) {
  to.key("objects").array();
  for (const ObjectName& o : objects) {
    begin_object(o, to);
    to.end();
  }
  to.end();
}

void put_shares(const analysis::DependenceRow& row, const ObjectShares& shares, JsonWriter& to) {
  to.key("objects").array();
  for (const ObjectShare& s : shares.of(row)) {
    begin_object(s.name, to);
    to.members("count", s.count);
    if (s.name.kind == "stack") {
      to.key("frame").object().members("function", s.object->function, "offset", s.object->frame_offset).end();
    } else if (s.name.kind == "heap") {
      to.key("allocated").array();
      for (const AllocatingCall& c : s.object->allocated)
        to.object().members("function", c.place.function, "file", c.place.file, "line", c.place.line).end();
      to.end();
    }
    to.end();
  }
  to.end().members("others", shares.others(row));
}

void put_first(const FirstOccurrence& first, analysis::CodeNames& names, JsonWriter& to) {
  const analysis::FirstPlace& p = first.place;
  to.key("first").object().members("event", p.event, "thread", p.thread.value, "block", p.block);
  to.members("instructions", p.instructions, "address", first.addr, "bytes", p.width);
  const analysis::LineRef line = names.line_of(p.by);
  to.key("at").object().members("ip", p.by.addr, "file", line.file, "line", line.line);
  to.members("function", names.function_of(p.by)).end().end();
}

void put_carried(const std::vector<CarriedBy>& carried, JsonWriter& to) {
  to.key("carried").array();
  for (const CarriedBy& by : carried) {
    to.object().key("loop").object().members("file", by.file, "line", by.line).end();
    to.members("least", by.least, "greatest", by.greatest);
    if (by.shared) to.members("shared", true);
    to.end();
  }
  to.end();
}

void put_moved(const analysis::DependenceRow& row, const MovedEnds& moved, JsonWriter& to) {
  to.key("moved").array();
  if (moved.has(row, Side::kSource)) to.value("source");
  if (moved.has(row, Side::kTarget)) to.value("target");
  to.end();
}

void put_parallel(const ParallelLines& lines, JsonWriter& to) {
  to.key("parallel_lines").rows();
  for (const auto& [line, mark] : lines.all())
    to.object()
        .members("file", line.first, "line", line.second, "shared_loop", mark == ParallelLines::Mark::kSharedLoop)
        .end();
  to.end();
}

void put_row(const analysis::DependenceRow& row, ObjectNames* objects, analysis::CodeNames* names,
             const CarriedMarks* carried, const MovedEnds* moved, const ObjectShares* shares, JsonWriter& to) {
  to.object();
  put_dependence(row, to);
  if (carried) put_carried(carried->of(row), to);
  if (moved) put_moved(row, *moved, to);
  if (shares)
    put_shares(row, *shares, to);
  else if (objects)
    put_objects(objects->of(row), to);
  if (const auto first = objects && names ? objects->first(row) : std::nullopt) put_first(*first, *names, to);
  to.end();
}

}  // namespace

void write_dependences_json(const analysis::DependenceRows& rows, std::string_view program, Output& out,
                            const BinaryNotes& binaries, const ScopeNote& scope, ObjectNames* objects,
                            analysis::CodeNames* names, const CarriedMarks* carried, const MovedEnds* moved,
                            const ObjectShares* shares) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.dependences/1", "program", program);
  put_binaries(binaries, to);
  put_scope(scope, to);
  to.key("dependences").rows();
  for (const analysis::DependenceRow& row : rows.rows) put_row(row, objects, names, carried, moved, shares, to);
  to.end();
  if (const uint64_t left_out = rows.left_out.beyond_most.rows) to.members("rows_left_out", left_out);
  if (carried && !carried->parallel.empty()) put_parallel(carried->parallel, to);
  to.end();
  out.put('\n');
}

}  // namespace cdr::report

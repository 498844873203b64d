// SPDX-License-Identifier: GPL-2.0-or-later
// `annotate --format=json`, schema cdrgrind.dependences/1: one document, one row a line.
#include "cdrgrind/report/annotate.h"

namespace cdr::report {

namespace {

void put_end(const analysis::RowEnd& end, Output& out) {
  const char code = letter(end.code);
  out.put(R"({"file":)").put(json_string(end.at.file)).put(R"(,"line":)").dec(uint64_t{end.at.line});
  out.put(R"(,"code":")");
  if (code != ' ') out.put(code);
  out.put("\"}");
}

void put_row(const analysis::DependenceRow& row, Output& out) {
  out.put(R"({"kind":")").put(analysis::name_of(row.kind)).put(R"(","class":")").put(row.location);
  out.put(R"(","ancestor":)").put(json_string(row.ancestor)).put(R"(,"source":)");
  put_end(row.source, out);
  out.put(R"(,"target":)");
  put_end(row.target, out);
  out.put(R"(,"count":)").dec(row.count);
  if (row.source_thread)
    out.put(R"(,"threads":[)")
        .dec(uint64_t{row.source_thread.value})
        .put(',')
        .dec(uint64_t{row.target_thread.value})
        .put(']');
  out.put('}');
}

}  // namespace

void write_dependences_json(const std::vector<analysis::DependenceRow>& rows, std::string_view program, Output& out,
                            const BinaryNotes& binaries) {
  out.put(R"({"schema":"cdrgrind.dependences/1","program":)").put(json_string(program)).put(',');
  put_binaries(binaries, out);
  out.put(R"("dependences":[)");
  const char* before = "\n";
  for (const analysis::DependenceRow& row : rows) {
    out.put(before);
    put_row(row, out);
    before = ",\n";
  }
  out.put("\n]}\n");
}

}  // namespace cdr::report

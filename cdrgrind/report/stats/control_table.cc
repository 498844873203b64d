// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/stats/control_table.h"

#include "cdrgrind/report/common/json_writer.h"

namespace cdr::report {

namespace {

double raw_bytes(const ControlTable& table) { return 4.0 * static_cast<double>(table.blocks); }

void write_row(const ControlTable& table, const ControlRow& row, Output& out) {
  if (!row.done) {
    out.print("{:<22}{:>16}\n", row.form, "failed");
    return;
  }
  const double part = table.blocks == 0 ? 0 : 100 * static_cast<double>(row.bytes) / raw_bytes(table);
  out.print("{:<22}{:>16}{:>11.4f} %{:>10.2f}{:>9.1f}\n", row.form, with_separators(row.bytes), part, row.seconds,
            static_cast<double>(row.memory_bytes) / (1 << 20));
}

}  // namespace

void write_control_table(const ControlTable& table, const Style& style, Output& out) {
  out.put(section("Control flow in other forms", style));
  out.print("Trace:   {}\nBlocks:  {} by {} thread{}\n\n", visible(table.trace), with_separators(table.blocks),
            table.threads, table.threads == 1 ? "" : "s");
  out.print("{:<22}{:>16}{:>13}{:>10}{:>9}\n", "form", "bytes", "of raw", "seconds", "MB");
  out.print("{:<22}{:>16}\n", "raw, 4 bytes a block", with_separators(4 * table.blocks));
  for (const ControlRow& row : table.rows) write_row(table, row, out);
}

void write_control_json(const ControlTable& table, Output& out) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.stats/1", "program", table.program, "blocks", table.blocks);
  to.members("threads", table.threads, "raw_bytes", 4 * table.blocks).line_break().key("control").array();
  for (const ControlRow& row : table.rows) {
    if (&row != &table.rows.front()) to.line_break();
    to.object().members("form", row.form);
    if (row.done) to.members("bytes", row.bytes).key("seconds").rounded(row.seconds, 4);
    if (row.done) to.members("memory_bytes", row.memory_bytes);
    to.end();
  }
  to.end().end();
  out.put('\n');
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
// Tables with rows for events, made while the events are read: one for each block, one for each access that happened.
#ifndef CDRGRIND_REPORT_EXPORT_EVENT_TABLES_H
#define CDRGRIND_REPORT_EXPORT_EVENT_TABLES_H

#include <span>

#include "cdrgrind/base/event.h"
#include "cdrgrind/report/export/code_cells.h"
#include "cdrgrind/report/export/table_writer.h"

namespace cdr::report {

std::span<const Column> block_columns();
std::span<const Column> access_columns();

class EventTableExport {
 public:
  EventTableExport(const BlockTable& blocks, SymbolNames& names, TableWriter& to)
      : blocks_(blocks), cells_(blocks, names), to_(to) {}

 protected:
  const BlockTable& blocks_;
  CodeCells cells_;
  TableWriter& to_;
};

class BlockTableExport : public EventTableExport {
 public:
  using EventTableExport::EventTableExport;
  void load_names();
  void see(const Event& e, uint64_t index);
};

class AccessTableExport : public EventTableExport {
 public:
  using EventTableExport::EventTableExport;
  void load_names();
  void see(const Event& e, uint64_t index);
};

}  // namespace cdr::report

#endif

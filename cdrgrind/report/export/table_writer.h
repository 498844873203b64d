// SPDX-License-Identifier: GPL-2.0-or-later
// A table as text for other engines: CSV as RFC 4180 has it, but with lines that end in one newline, in UTF-8
// (escape.h), with a line of names first. A cell that is not known is empty; an empty text is `""`. What it holds is
// told by a JSON document (schema cdrgrind.table/1). Rows are passed on as they come: memory does not grow with them.
#ifndef CDRGRIND_REPORT_EXPORT_TABLE_WRITER_H
#define CDRGRIND_REPORT_EXPORT_TABLE_WRITER_H

#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cdrgrind/format/frame_writer.h"
#include "cdrgrind/report/common/output.h"

namespace cdr::report {

struct Column {
  std::string_view name;
  std::string_view type;  // uint64, int64, bool (0 or 1), double, string
  std::string_view meaning;
};

// Cells must come in the order of the columns, all of them.
class TableWriter {
 public:
  // Writes the names. Of a failure `to` must make an exception.
  TableWriter(std::span<const Column> columns, cdr::Output& to);

  TableWriter& number(uint64_t v) { return begin(), put_number(v), *this; }
  TableWriter& number(int64_t v) { return begin(), put_number(v), *this; }
  TableWriter& flag(bool v) { return number(uint64_t{v}); }
  TableWriter& rounded(double v);
  TableWriter& text(std::string_view v) { return begin(), text_ += csv_text(v), *this; }
  TableWriter& null() { return begin(), *this; }
  // Some cells, as they are in the file.
  TableWriter& cells(std::string_view ready) { return begin(), text_ += ready, *this; }
  void end_row() {
    text_ += '\n';
    first_ = true;
    ++rows_;
    if (text_.size() >= kFull) flush();
  }
  // What has come so far. At the end it is the caller's.
  void flush();
  uint64_t rows() const { return rows_; }

  static std::string csv_text(std::string_view v);

 private:
  static constexpr size_t kFull = 128 * 1024;
  void begin() {
    if (!first_) text_ += ',';
    first_ = false;
  }
  template <class T>
  void put_number(T v) {
    char digits[24];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, v).ptr);
  }

  cdr::Output& to_;
  std::string text_;
  bool first_ = true;
  uint64_t rows_ = 0;
};

struct TableInfo {
  std::string_view table, program, trace, file;
  uint64_t rows = 0;
};
void write_table_info(const TableInfo& info, std::span<const Column> columns, Output& out);

}  // namespace cdr::report

#endif

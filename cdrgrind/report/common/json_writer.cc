// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/json_writer.h"

#include <algorithm>
#include <cmath>

namespace cdr::report {

void JsonWriter::end_line(bool rows, bool any) {
  if (rows)
    out_.put('\n');
  else if (any)
    indent();
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  put_text(name);
  out_.put(layout_ == Layout::kIndented ? ": " : ":");
  has_key_ = true;
  return *this;
}

// As short as it can be read back; a number without a fraction has one all the same.
JsonWriter& JsonWriter::value(double v) {
  if (!std::isfinite(v)) return null();
  std::string text = fmt::format("{}", v);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return word(text);
}

JsonWriter& JsonWriter::rounded(double v, int digits) { return word(fmt::format("{:.{}g}", v, digits)); }

// Most texts need no care, which is slow.
void JsonWriter::put_text(std::string_view text) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::all_of(text.begin(), text.end(), is_plain))
    out_.put('"').put(text).put('"');
  else
    out_.put(json_string(text));
}

void JsonWriter::begin_line() {
  const bool rows = levels_.back().rows;
  if (rows || breaks_) out_.put('\n');
  breaks_ = false;
  if (!rows) indent();
}

void JsonWriter::indent() {
  if (layout_ != Layout::kIndented) return;
  out_.put('\n');
  for (size_t i = 0; i < levels_.size(); ++i) out_.put(' ');
}

}  // namespace cdr::report

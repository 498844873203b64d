// SPDX-License-Identifier: GPL-2.0-or-later
// JSON, written as it comes. Texts may be any bytes (escape.h). What is begun is ended; in objects a key stands before
// each value.
#ifndef CDRGRIND_REPORT_COMMON_JSON_WRITER_H
#define CDRGRIND_REPORT_COMMON_JSON_WRITER_H

#include <concepts>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "cdrgrind/report/common/output.h"

namespace cdr::report {

class JsonWriter {
 public:
  // On one line, or a line each, indented by one blank a level.
  enum class Layout : uint8_t { kLine, kIndented };

  explicit JsonWriter(Output& out, Layout layout = Layout::kLine) : out_(out), layout_(layout) {}

  JsonWriter& object() { return begin('{', '}', false); }
  JsonWriter& array() { return begin('[', ']', false); }
  // An array whose entries stand on a line each.
  JsonWriter& rows() { return begin('[', ']', true); }
  JsonWriter& end() {
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.rows || layout_ == Layout::kIndented) end_line(level.rows, level.any);
    out_.put(level.end);
    return *this;
  }

  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text) { return before(), put_text(text), *this; }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  template <class T>
  requires std::integral<T> JsonWriter& value(T v) {
    if constexpr (std::same_as<T, bool>)
      return word(v ? "true" : "false");
    else
      return before(), std::signed_integral<T> ? out_.dec(static_cast<int64_t>(v)) : out_.dec(static_cast<uint64_t>(v)),
             *this;
  }
  JsonWriter& value(double v);
  // A number of so many digits.
  JsonWriter& rounded(double v, int digits = 6);
  JsonWriter& null() { return word("null"); }

  // Keys and values by turns.
  template <class T, class... Rest>
  JsonWriter& members(std::string_view name, const T& v, const Rest&... rest) {
    key(name).value(v);
    if constexpr (sizeof...(rest) > 0) members(rest...);
    return *this;
  }
  // The same for names of characters that stand for themselves: faster.
  template <class T, class... Rest>
  [[gnu::always_inline]] JsonWriter& plain_members(std::string_view name, const T& v, const Rest&... rest) {
    plain_key(name).value(v);
    if constexpr (sizeof...(rest) > 0) plain_members(rest...);
    return *this;
  }
  [[gnu::always_inline]] JsonWriter& plain_key(std::string_view name) {
    separate();
    out_.put('"').put(name).put(layout_ == Layout::kIndented ? "\": " : "\":");
    has_key_ = true;
    return *this;
  }
  // A member that is an array.
  template <class Range, class Projection = std::identity>
  JsonWriter& list(std::string_view name, const Range& values, Projection of = {}) {
    key(name).array();
    for (const auto& v : values) value(std::invoke(of, v));
    return end();
  }
  // The next member, in an object on one line, begins a line.
  JsonWriter& line_break() { return breaks_ = true, *this; }

 private:
  struct Level {
    char end;
    bool rows;
    bool any = false;
  };

  JsonWriter& begin(char first, char last, bool rows) {
    before();
    out_.put(first);
    levels_.push_back({last, rows});
    return *this;
  }
  JsonWriter& word(std::string_view text) { return before(), out_.put(text), *this; }
  void put_text(std::string_view text);
  void before() {
    if (!has_key_ && !levels_.empty()) separate();
    has_key_ = false;
  }
  void separate() {
    Level& level = levels_.back();
    if (level.any) out_.put(',');
    level.any = true;
    if (level.rows || breaks_ || layout_ == Layout::kIndented) begin_line();
  }
  void begin_line();
  void end_line(bool rows, bool any);
  void indent();

  Output& out_;
  Layout layout_;
  std::vector<Level> levels_;
  bool has_key_ = false;
  bool breaks_ = false;
};

}  // namespace cdr::report

#endif

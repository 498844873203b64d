// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/html/source_texts.h"

#include "cdrgrind/report/common/json_writer.h"

namespace cdr::report {

namespace {

std::string text_of(const symbols::SourceFile& source) {
  std::string text;
  for (size_t i = 1; i <= source.line_count(); ++i) text.append(source.line(i)) += '\n';
  return text;
}

}  // namespace

void write_sources_json(const std::set<std::string_view>& files, bool texts, symbols::Symbols& symbols, Output& out) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.sources/1", "texts", texts).key("files").rows();
  uint64_t left = kMostSourceBytes;
  for (const std::string_view file : files) {
    to.object().members("file", file).key("text");
    const symbols::SourceFile* source = texts ? symbols.source(file) : nullptr;
    const std::string text = source ? text_of(*source) : std::string();
    const bool fits = text.size() <= left;
    source&& fits ? to.value(text) : to.null();
    if (source && fits) left -= text.size();
    if (source && source->path() != file) to.members("read_from", source->path());
    to.members("newer", source && source->newer_than_program(), "too_large", !fits).end();
  }
  to.end().end();
  out.put('\n');
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/dependence_source.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/depend/engine.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::cli {

namespace {

// As it was set when recording.
uint32_t granularity_of(const trace::TraceFile& file) {
  const std::string_view text = file.meta().find("granularity").value_or("1");
  uint32_t bytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  const bool fine =
      error == std::errc() && end == text.data() + text.size() && bytes <= 64 && std::has_single_bit(bytes);
  if (!fine) throw Failure(kBadInput, fmt::format("{}: META: granularity '{}'", file.name(), text));
  return bytes;
}

}  // namespace

depend::ResultTable recorded_dependences(const trace::TraceFile& file) {
  const auto payload = file.depend();
  if (!payload)
    throw Failure(kBadInput, fmt::format("{}: no dependences were recorded; try --from-trace", file.name()));
  depend::ResultTable table;
  ByteReader reader(*payload);
  if (!depend::read(reader, table))
    throw Failure(kBadInput, fmt::format("{}: the DEPEND frame is damaged; try --from-trace", file.name()));
  return table;
}

depend::ResultTable computed_dependences(const trace::TraceFile& file) {
  require_data(file, "addresses, so no dependences");
  if (file.meta().find("data") == "nonstack")
    warn("recorded with --cdr-data=nonstack: dependences of a thread on its own stack cannot be computed");
  depend::Options options;
  options.granularity = granularity_of(file);
  depend::Engine engine(file.modules(), file.blocks(), options);
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) dispatch(e, engine);
  return engine.results();
}

depend::ResultTable any_dependences(const trace::TraceFile& file) {
  return file.find(FrameType::kDepend) ? recorded_dependences(file) : computed_dependences(file);
}

}  // namespace cdr::cli

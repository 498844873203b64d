// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/patterns/patterns_report.h"
#include "cdrgrind/report/common/json_writer.h"

#include <algorithm>
#include <map>
namespace cdr::report {

using patterns::AccessPattern;

namespace {

constexpr uint64_t kLineBytes = 64;
constexpr uint64_t kFewAccesses = 1000;      // fewer are not worth a change
constexpr uint64_t kSmallLines = 512;        // 32 KiB: they stay in the first cache
constexpr uint64_t kPrefetcherReach = 2048;  // hardware follows steps up to here

std::string percent_text(uint64_t part, uint64_t whole) {
  return fmt::format("{:.1f} %", whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0);
}

uint64_t size_of_step(int64_t stride) { return static_cast<uint64_t>(stride < 0 ? -stride : stride); }

// How often the elements that it touches are touched.
std::string reuse_text(const AccessPattern& p) {
  const uint64_t bytes = p.footprint.bytes();
  return bytes ? fmt::format("{:.1f}", static_cast<double>(p.accesses) * p.width / static_cast<double>(bytes)) : "0";
}

std::string strides_text(const AccessPattern& p) {
  std::string text;
  uint64_t shown = 0;
  for (size_t i = 0; i < p.most.size() && i < 4; ++i) {
    text += fmt::format("{}{}: {}", i ? ", " : "", p.most[i].stride, percent_text(p.most[i].count, p.steps));
    shown += p.most[i].count;
  }
  if (shown < p.steps)
    text += fmt::format(", {} others: {}",
                        with_separators(p.strides - std::min<uint64_t>(p.strides, std::min<size_t>(p.most.size(), 4))),
                        percent_text(p.steps - shown, p.steps));
  return text;
}

void put_pattern(const AccessPattern& p, Output& out) {
  out.print("    {:<5} {:#x}  {} of {} bytes", p.store ? "store" : "load", p.ip.addr, with_separators(p.accesses),
            p.width);
  if (p.accesses)
    out.print("; {} bytes in {} lines, each {} times", with_separators(p.footprint.bytes()),
              with_separators(p.footprint.lines()), reuse_text(p));
  if (p.stack) out.print("; {} in the frame", with_separators(p.stack));
  out.put('\n');
  if (p.steps) out.print("        steps {}\n", strides_text(p));
  for (const PatternAdvice& a : advice_of(p)) out.print("        {}: {}\n", a.kind, a.text);
}

void put_pattern(const AccessPattern& p, JsonWriter& to) {
  to.object().members("ip", p.ip.addr, "store", p.store, "width", p.width, "accesses", p.accesses);
  to.members("frame_accesses", p.stack, "steps", p.steps, "different_strides", p.strides, "uncounted", p.uncounted);
  to.key("strides").array();
  for (const patterns::StrideCount& s : p.most) to.object().members("stride", s.stride, "count", s.count).end();
  to.end().members("footprint_bytes", p.footprint.bytes(), "footprint_lines", p.footprint.lines());
  to.key("advice").array();
  for (const PatternAdvice& a : advice_of(p)) to.object().members("kind", a.kind, "text", a.text).end();
  to.end().end();
}

void put_line(const PatternLine& l, JsonWriter& to) {
  to.object().members("file", l.place.file, "line", l.place.line, "function", l.place.function);
  to.members("accesses", l.accesses, "frame_accesses", l.stack, "footprint_bytes", l.bytes);
  to.members("footprint_lines", l.lines).key("instructions").array();
  for (const AccessPattern* p : l.patterns) put_pattern(*p, to);
  to.end().end();
}

}  // namespace

std::vector<PatternAdvice> advice_of(const AccessPattern& p) {
  std::vector<PatternAdvice> advice;
  const uint64_t lines = p.footprint.lines();
  if (p.accesses < kFewAccesses || lines < kSmallLines || p.steps == 0) return advice;
  // A step of 0 touches nothing new: what matters is how it goes on.
  const auto moving = std::find_if(p.most.begin(), p.most.end(), [](const auto& s) { return s.stride != 0; });
  uint64_t still = 0;
  for (const auto& s : p.most) still += s.stride == 0 ? s.count : 0;
  const uint64_t moves = p.steps - still;
  if (moving == p.most.end() || moves == 0) return advice;
  const uint64_t step = size_of_step(moving->stride);
  if (2 * moving->count >= moves && step >= kLineBytes) {
    const uint64_t used = p.footprint.bytes() / lines;
    if (used < kLineBytes / 2)
      advice.push_back(
          {"layout", fmt::format("every step of {} bytes is in another line, and {} of its {} bytes are used: put what "
                                 "is used together (an array for each member)",
                                 moving->stride, used, kLineBytes)});
    else
      advice.push_back(
          {"layout", fmt::format("every step of {} bytes is in another line, though all bytes are used in the end: "
                                 "exchange the loops, or work in blocks",
                                 moving->stride)});
  }
  if (!p.store && 4 * moving->count >= 3 * moves && step > kPrefetcherReach)
    advice.push_back(
        {"prefetch", fmt::format("the next addresses are known, {} bytes further each, too far for hardware: prefetch "
                                 "some steps ahead",
                                 moving->stride)});
  if (4 * moving->count < moves)
    advice.push_back(
        {"irregular", p.store ? "no step is frequent: sort the work by address, or make the data smaller"
                              : "no step is frequent: load early what gives the addresses and prefetch, or make the "
                                "data smaller"});
  return advice;
}

void group_patterns(PatternsReport& report, const ModuleTable& modules, symbols::Symbols& symbols) {
  std::map<SourcePlace, PatternLine> lines;
  for (const AccessPattern& p : report.patterns) {
    const SourcePlace place = source_place_of(std::span(&p.ip, 1), modules, symbols);
    PatternLine& l = lines[place];
    l.place = place;
    l.accesses += p.accesses;
    l.stack += p.stack;
    l.patterns.push_back(&p);
  }
  for (auto& [place, l] : lines) {
    std::stable_sort(l.patterns.begin(), l.patterns.end(), [](auto* a, auto* b) { return a->accesses > b->accesses; });
    patterns::Footprint all;
    for (const AccessPattern* p : l.patterns) all.add(p->footprint);
    l.bytes = all.bytes();
    l.lines = all.lines();
    report.lines.push_back(std::move(l));
  }
  std::stable_sort(report.lines.begin(), report.lines.end(),
                   [](const PatternLine& a, const PatternLine& b) { return a.accesses > b.accesses; });
}

void write_patterns(const PatternsReport& report, Output& out) {
  out.put(section("Access patterns", report.style));
  for (const auto& [name, value] : report.header) out.print("{:<14} {}\n", name + ":", visible(value));
  uint64_t accesses = 0, stack = 0;
  for (const PatternLine& l : report.lines) {
    accesses += l.accesses;
    stack += l.stack;
  }
  out.print("{:<14} {}, and {} in frames of the stack\n\n", "Accesses:", with_separators(accesses),
            with_separators(stack));
  const size_t shown = std::min<size_t>(report.lines.size(), report.most);
  for (size_t i = 0; i < shown; ++i) {
    const PatternLine& l = report.lines[i];
    const std::string place = visible(short_place(l.place));
    const std::string title =
        fmt::format("{}  {}  {} accesses, {} bytes in {} lines", place.empty() ? "?" : place, visible(l.place.function),
                    with_separators(l.accesses), with_separators(l.bytes), with_separators(l.lines));
    out.print("{}\n", painted(title, Paint::kTitle, report.style));
    for (const AccessPattern* p : l.patterns) put_pattern(*p, out);
  }
  if (shown < report.lines.size())
    out.print("{} more source lines (-n, --format=json)\n", with_separators(report.lines.size() - shown));
}

void write_patterns_json(const PatternsReport& report, Output& out) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.patterns/1", "program", report.program);
  put_binaries(report.binaries, to);
  to.key("lines").rows();
  for (size_t i = 0; i < report.lines.size() && i < report.most; ++i) put_line(report.lines[i], to);
  to.end().end();
  out.put('\n');
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/patterns/patterns_report.h"
#include "cdrgrind/report/common/json_writer.h"

#include <algorithm>
#include <map>
#include <set>

namespace cdr::report {

using patterns::AccessPattern;

namespace {

constexpr uint64_t kLineBytes = AccessPattern::kLineBytes;
constexpr uint64_t kPrefetcherReach = 2048;  // hardware follows steps up to here

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
    text += fmt::format(", {}: {}",
                        plural(p.strides - std::min<uint64_t>(p.strides, std::min<size_t>(p.most.size(), 4)), "other"),
                        percent_text(p.steps - shown, p.steps));
  return text;
}

void put_pattern(const AccessPattern& p, const NamedWalk* walk, Output& out) {
  out.print("    {:<5} {:#x}  {} of {} bytes", p.store ? "store" : "load", p.ip.addr, with_separators(p.accesses),
            p.width);
  if (p.accesses)
    out.print("; {} in {}, each {} times", plural(p.footprint.bytes(), "byte"), plural(p.footprint.lines(), "line"),
              reuse_text(p));
  if (p.stack) out.print("; {} in the frame", with_separators(p.stack));
  out.put('\n');
  if (const std::string over = walk ? walk_text(*walk) : std::string(); !over.empty())
    out.print("        over {}\n", over);
  if (p.steps) out.print("        steps {}\n", strides_text(p));
  for (const PatternAdvice& a : advice_of(p)) out.print("        {}: {}\n", a.kind, a.text);
}

void put_walk(const NamedWalk& walk, JsonWriter& to) {
  constexpr size_t kMost = 8;
  uint64_t others = walk.others;
  to.key("objects").array();
  for (size_t i = 0; i < walk.objects.size(); ++i) {
    const WalkedName& o = walk.objects[i];
    if (i >= kMost) {
      others += o.accesses;
      continue;
    }
    to.object().key("name");
    o.object.name.empty() ? to.null() : to.value(o.object.name);
    to.members("kind", o.object.kind, "count", o.accesses).end();
  }
  to.end().members("other_objects", others);
}

void put_pattern(const AccessPattern& p, const NamedWalk* walk, JsonWriter& to) {
  to.object().members("ip", p.ip.addr, "store", p.store, "width", p.width, "accesses", p.accesses);
  to.members("frame_accesses", p.stack, "steps", p.steps, "different_strides", p.strides, "uncounted", p.uncounted);
  to.key("strides").array();
  for (const patterns::StrideCount& s : p.most) to.object().members("stride", s.stride, "count", s.count).end();
  to.end().members("footprint_bytes", p.footprint.bytes(), "footprint_lines", p.footprint.lines());
  if (walk) put_walk(*walk, to);
  to.key("advice").array();
  for (const PatternAdvice& a : advice_of(p)) to.object().members("kind", a.kind, "text", a.text).end();
  to.end().end();
}

// Instructions of the program's, but for what the C compiler links to every program.
class ProgramInsns {
 public:
  ProgramInsns(const BlockTable& blocks, const ProgramPatterns* program) {
    for (uint32_t i = 1; program && i <= blocks.superblock_count(); ++i) {
      if (program->owners.superblocks[i] != analysis::CodeOwner::kProgram) continue;
      const Superblock& sb = blocks.superblock(SuperblockId(i));
      for (const Access& a : sb.accesses) own_.insert({sb.module, sb.insn_addr(a.insn)});
    }
  }
  bool has(CodeAddr ip) const { return own_.contains(ip); }

 private:
  std::set<CodeAddr> own_;
};

class LineGroups {
 public:
  LineGroups(const trace::TraceFile& file, SymbolNames& names) : file_(file), names_(names) {}

  void add(const AccessPattern& p) {
    PatternLine& l = line(p.ip);
    l.accesses += p.accesses;
    l.stack += p.stack;
    l.patterns.push_back(&p);
  }
  void add(const patterns::ChargedAccesses& charged) {
    std::map<PatternLine*, std::map<std::string_view, uint64_t>> called;
    for (const auto& [key, accesses] : charged.charged) {
      PatternLine& l = line(key.first);
      const Superblock& sb = file_.blocks().superblock(key.second);
      l.libraries += accesses;
      called[&l][names_.function_of({sb.module, sb.addr})] += accesses;
    }
    for (auto& [l, functions] : called) {
      for (const auto& [name, accesses] : functions) l->called.emplace_back(accesses, name);
      std::stable_sort(l->called.begin(), l->called.end(), [](auto& a, auto& b) { return a.first > b.first; });
    }
  }
  std::vector<PatternLine> take() {
    std::vector<PatternLine> lines;
    for (auto& [place, l] : lines_) {
      std::stable_sort(l.patterns.begin(), l.patterns.end(),
                       [](auto* a, auto* b) { return a->accesses > b->accesses; });
      patterns::Footprint all;
      for (const AccessPattern* p : l.patterns) all.add(p->footprint);
      l.bytes = all.bytes();
      l.lines = all.lines();
      lines.push_back(std::move(l));
    }
    return lines;
  }

 private:
  PatternLine& line(CodeAddr at) {
    const SourcePlace place = source_place_of(std::span(&at, 1), file_.modules(), names_.symbols());
    PatternLine& l = lines_[place];
    l.place = place;
    return l;
  }

  const trace::TraceFile& file_;
  SymbolNames& names_;
  std::map<SourcePlace, PatternLine> lines_;
};

// "memcpy 1,200, strlen 30, 2 others"
std::string called_text(const PatternLine& l) {
  constexpr size_t kMost = 3;
  std::string text;
  for (size_t i = 0; i < l.called.size() && i < kMost; ++i)
    text += fmt::format("{}{} {}", i ? ", " : "", visible(l.called[i].second), with_separators(l.called[i].first));
  if (l.called.size() > kMost) text += fmt::format(", {} others", l.called.size() - kMost);
  return text;
}

void put_line(const PatternLine& l, const Walks& walks, JsonWriter& to) {
  to.object().members("file", l.place.file, "line", l.place.line, "function", l.place.function);
  to.members("accesses", l.accesses, "frame_accesses", l.stack, "footprint_bytes", l.bytes);
  to.members("footprint_lines", l.lines, "library_accesses", l.libraries).key("instructions").array();
  for (const AccessPattern* p : l.patterns) put_pattern(*p, walks.of(p), to);
  to.end().end();
}

}  // namespace

std::vector<PatternAdvice> advice_of(const AccessPattern& p) {
  std::vector<PatternAdvice> advice;
  const uint64_t lines = p.footprint.lines();
  if (!p.is_large() || p.steps == 0) return advice;
  // A step of 0 touches nothing new: what matters is how it goes on.
  const auto moving = std::find_if(p.most.begin(), p.most.end(), [](const auto& s) { return s.stride != 0; });
  uint64_t still = 0;
  for (const auto& s : p.most) still += s.stride == 0 ? s.count : 0;
  const uint64_t moves = p.steps - still;
  if (moving == p.most.end() || moves == 0) return advice;
  const uint64_t step = size_of_step(moving->stride);
  if (2 * moving->count >= moves && step >= kLineBytes) {
    const bool uses_lines = p.uses_its_lines();
    if (const uint64_t near = p.near_bytes / lines; !uses_lines && near < kLineBytes / 2)
      advice.push_back(
          {"layout", fmt::format("every step of {} bytes is in another line, and {} of its {} bytes are used: put what "
                                 "is used together (an array for each member)",
                                 moving->stride, near, kLineBytes)});
    else if (uses_lines)
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

void group_patterns(PatternsReport& report, const ScopeOptions& scope, const ProgramPatterns* program,
                    const trace::TraceFile& file, SymbolNames& names) {
  LineGroups groups(file, names);
  const ProgramInsns own(file.blocks(), program);
  for (const AccessPattern& p : report.patterns)
    if (!program || own.has(p.ip)) groups.add(p);
  if (program) groups.add(program->charged);
  for (PatternLine& l : groups.take()) {
    if (scope.has(l.place.file, l.place.function))
      report.lines.push_back(std::move(l));
    else
      report.scope.left_out += l.all();
  }
  if (program) report.scope.left_out += program->charged.left_out;
  // The program's own before what headers of the system have put into it.
  const auto key = [&](const PatternLine& l) { return std::pair(program && of_the_system(l.place.file), ~l.all()); };
  std::stable_sort(report.lines.begin(), report.lines.end(),
                   [&](const PatternLine& a, const PatternLine& b) { return key(a) < key(b); });
}

void name_objects(PatternsReport& report, const trace::TraceFile& file, const ProgramScope& scope, bool frames,
                  symbols::Symbols& symbols, analysis::WatchedPart& part) {
  std::vector<const AccessPattern*> wanted;
  for (size_t i = 0; i < report.lines.size() && i < report.most; ++i)
    for (const AccessPattern* p : report.lines[i].patterns)
      if (frames || p->accesses) wanted.push_back(p);
  NumberedObjects names(file.modules(), symbols, SameObject::kByName);
  const auto walks = patterns::find_objects(file, wanted, scope.libraries(), names, part);
  for (size_t i = 0; i < wanted.size(); ++i) report.walks.add(wanted[i], named(walks[i], names));
}

void write_patterns(const PatternsReport& report, Output& out) {
  put_head("Access patterns", report, out);
  uint64_t accesses = 0, stack = 0, libraries = 0;
  for (const PatternLine& l : report.lines) {
    accesses += l.accesses;
    stack += l.stack;
    libraries += l.libraries;
  }
  out.print("{:<14} {}, and {} in frames of the stack", "Accesses:", with_separators(accesses), with_separators(stack));
  if (libraries) out.print("; {} of libraries, for the program", with_separators(libraries));
  out.put('\n');
  if (const std::string left_out = left_out_text(report.scope, "access", "accesses"); !left_out.empty())
    out.print("{:<14} {}\n", "Left out:", left_out);
  put_missing(report.scope.missing, out);
  out.put('\n');
  const size_t shown = std::min<size_t>(report.lines.size(), report.most);
  for (size_t i = 0; i < shown; ++i) {
    const PatternLine& l = report.lines[i];
    const std::string place = visible(short_place(l.place));
    const std::string title =
        fmt::format("{}  {}  {} accesses, {} bytes in {} lines", place.empty() ? "?" : place, visible(l.place.function),
                    with_separators(l.accesses), with_separators(l.bytes), with_separators(l.lines));
    out.print("{}\n", painted(title, Paint::kTitle, report.style));
    if (l.libraries) out.print("    {} accesses of libraries: {}\n", with_separators(l.libraries), called_text(l));
    size_t in_frame = 0;
    for (const AccessPattern* p : l.patterns) {
      in_frame += p->accesses == 0;
      if (p->accesses) put_pattern(*p, report.walks.of(p), out);
    }
    if (in_frame)
      out.print("    {} in the frame: {} accesses\n",
                in_frame == 1 ? "an instruction that stays" : fmt::format("{} instructions that stay", in_frame),
                with_separators(l.stack));
  }
  if (shown < report.lines.size())
    out.print("{} more source lines (-n, --format=json)\n", with_separators(report.lines.size() - shown));
}

void write_patterns_json(const PatternsReport& report, Output& out) {
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.patterns/1", "program", report.program);
  put_binaries(report.binaries, to);
  put_scope(report.scope, to);
  to.key("lines").rows();
  for (size_t i = 0; i < report.lines.size() && i < report.most; ++i) put_line(report.lines[i], report.walks, to);
  to.end();
  if (report.lines.size() > report.most) to.members("lines_left_out", report.lines.size() - report.most);
  to.end();
  out.put('\n');
}

}  // namespace cdr::report

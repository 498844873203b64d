// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/html/timeline_json.h"

#include <algorithm>
#include <bit>

#include "cdrgrind/report/common/event_names.h"
#include "cdrgrind/report/html/packed_numbers.h"

namespace cdr::report {
namespace {

using sync::SyncKey;
using timeline::Box;
using timeline::HandOver;
using timeline::Lane;
using timeline::Timeline;
using timeline::Turn;

constexpr const char* kBoxNames[] = {"wait", "hold", "task", "region"};
static_assert(std::size(kBoxNames) == timeline::kBoxKinds);

// Each level has a quarter of the bins of the one below.
constexpr uint64_t kCoarser = 4;
constexpr size_t kFewestBins = 64;

// Texts by number, in the order of their first use.
template <class Key>
class Numbering {
 public:
  uint32_t of(const Key& key) {
    const auto [found, is_new] = numbers_.try_emplace(key, static_cast<uint32_t>(all_.size()));
    if (is_new) all_.push_back(key);
    return found->second;
  }
  const std::vector<Key>& all() const { return all_; }

 private:
  std::map<Key, uint32_t> numbers_;
  std::vector<Key> all_;
};

class Writer {
 public:
  Writer(const TimelineReport& report, Output& out) : report_(report), timeline_(report.timeline), to_(out) {
    for (const auto& [thread, lane] : timeline_.lanes) numbers_.emplace(thread, static_cast<uint32_t>(numbers_.size()));
  }

  void write() {
    to_.object().members("schema", "cdrgrind.timeline/1", "program", report_.program, "unit", "instructions");
    to_.members("instructions", timeline_.instructions);
    lanes();
    levels();
    turns();
    boxes();
    hand_overs();
    idle();
    operations();
    objects();
    heat();
    to_.members("left_out", timeline_.turns_left_out + report_.chart.left_out).end();
  }

 private:
  void lanes() {
    to_.key("lanes").rows();
    for (const auto& [thread, lane] : timeline_.lanes) {
      to_.object().members("thread", thread.value, "begin", lane.begin, "end", lane.end);
      to_.members("instructions", lane.instructions, "operations", lane.operations);
      to_.members("clock", lane.clock, "idle", lane.idle);
      for (size_t kind = 0; kind < timeline::kBoxKinds; ++kind) to_.members(kBoxNames[kind], lane.boxes[kind]);
      to_.end();
    }
    to_.end();
  }

  // How much of each bin: none 0, all 255.
  static std::string shares(const timeline::Bins& bins, uint64_t width) {
    std::string bytes;
    for (const uint64_t sum : bins.in(width)) {
      const uint64_t share = sum >= width ? 255 : sum * 255 / width;
      bytes += static_cast<char>(sum == 0 ? 0 : std::max<uint64_t>(1, share));
    }
    return base64(bytes);
  }
  // How many in each bin: their number of bits.
  static std::string magnitudes(const timeline::Bins& bins, uint64_t width) {
    std::string bytes;
    for (const uint64_t sum : bins.in(width)) bytes += static_cast<char>(std::bit_width(sum));
    return base64(bytes);
  }
  void levels() {
    uint64_t width = 1;
    for (const auto& [thread, lane] : timeline_.lanes)
      for (const timeline::Bins* b : {&lane.runs, &lane.waits, &lane.holds, &lane.does})
        width = std::max(width, b->width());
    to_.key("levels").rows();
    for (;; width *= kCoarser) {
      to_.object().members("width", width).key("lanes").array();
      for (const auto& [thread, lane] : timeline_.lanes) {
        to_.object().members("run", shares(lane.runs, width), "wait", shares(lane.waits, width));
        to_.members("hold", shares(lane.holds, width), "operations", magnitudes(lane.does, width)).end();
      }
      to_.end().end();
      if (timeline_.instructions / width <= kFewestBins) break;
    }
    to_.end();
  }

  void turns() {
    PackedNumbers lane, length;
    uint64_t begin = 0;
    for (const Turn& t : timeline_.turns) {
      lane.add(numbers_.at(t.thread));
      length.add(t.end - begin);
      begin = t.end;
    }
    to_.key("turns").object().members("count", timeline_.turns.size(), "lane", lane.text(), "length", length.text());
    to_.end();
  }

  // By where they begin; each column but the lengths as differences from the row before where it grows.
  void boxes() {
    std::vector<const Box*> all;
    for (const Box& b : timeline_.boxes) all.push_back(&b);
    std::stable_sort(all.begin(), all.end(), [](const Box* a, const Box* b) { return a->begin < b->begin; });
    PackedNumbers kind, lane, begin, length, object, op, place;
    uint64_t before = 0;
    for (const Box* b : all) {
      kind.add(static_cast<uint64_t>(b->kind));
      lane.add(numbers_.at(b->thread));
      begin.add(b->begin - before);
      length.add(b->end - b->begin);
      object.add(objects_.of(b->object));
      op.add(ops_.of(b->op));
      place.add(places_.of(report_.names.place(b->event)));
      before = b->begin;
    }
    to_.key("boxes").object().members("count", all.size());
    to_.list("kinds", kBoxNames);
    to_.members("kind", kind.text(), "lane", lane.text(), "begin", begin.text(), "length", length.text());
    to_.members("object", object.text(), "op", op.text(), "place", place.text()).end();
  }

  // By where they arrive.
  void hand_overs() {
    PackedNumbers from, to, got, length, object;
    uint64_t before = 0;
    for (const HandOver& h : timeline_.hand_overs) {
      from.add(numbers_.at(h.from));
      to.add(numbers_.at(h.to));
      got.add(h.got - before);
      length.add(h.got - h.left);
      object.add(objects_.of(h.object));
      before = h.got;
    }
    to_.key("hand_overs").object().members("count", timeline_.hand_overs.size(), "from", from.text(), "to", to.text());
    to_.members("got", got.text(), "length", length.text(), "object", object.text()).end();
  }

  void idle() {
    to_.key("idle").rows();
    for (const auto& [key, instructions] : timeline_.idle)
      to_.object().members("object", objects_.of(key), "instructions", instructions).end();
    to_.end();
  }

  // Where the rows of the chart stand, so that others can find theirs: event by event.
  void operations() {
    PackedNumbers at, event;
    uint64_t last_at = 0, last_event = 0;
    const size_t count = std::min(timeline_.rows_at.size(), report_.chart.rows.size());
    for (size_t i = 0; i < count; ++i) {
      at.add(timeline_.rows_at[i] - last_at);
      event.add(report_.chart.rows[i].index - last_event);
      last_at = timeline_.rows_at[i];
      last_event = report_.chart.rows[i].index;
    }
    to_.key("rows").object().members("count", count, "at", at.text(), "event", event.text()).end();
  }

  void objects() {
    to_.key("objects").rows();
    for (const SyncKey& key : objects_.all()) {
      to_.object().members("kind", name_of(key.kind));
      to_.members("name", key.kind == sync::SyncKind::kThread ? std::string_view() : report_.names.object(key)).end();
    }
    to_.end();
    to_.key("operations").array();
    for (const SyncOp op : ops_.all()) to_.value(op == SyncOp::kNone ? std::string_view() : name_of(op));
    to_.end().key("places").rows();
    for (const SourcePlace& p : places_.all())
      to_.object().members("file", p.file, "line", p.line, "function", p.function).end();
    to_.end();
  }

  // `bins`: of each bin in which there are any, how many are between it and the one before, and how many instructions.
  void heat() {
    to_.key("heat").object().members("width", timeline_.blocks.width()).key("lines").rows();
    for (const LineHeat& h : report_.heat) {
      PackedNumbers bins;
      uint32_t next = 0;
      for (const auto& [bin, instructions] : h.bins) {
        bins.add(bin - next).add(instructions);
        next = bin + 1;
      }
      to_.object().members("file", h.at.file, "line", h.at.line, "function", h.function);
      to_.members("instructions", h.instructions, "bins", bins.text()).end();
    }
    to_.end().end();
  }

  const TimelineReport& report_;
  const Timeline& timeline_;
  JsonWriter to_;
  std::map<ThreadId, uint32_t> numbers_;
  Numbering<SyncKey> objects_;
  Numbering<SyncOp> ops_;
  Numbering<SourcePlace> places_;
};

}  // namespace

std::vector<LineHeat> line_heat(const Timeline& timeline, const BlockTable& blocks, const ProgramScope& scope, bool all,
                                SymbolNames& names) {
  struct Part {
    uint32_t line, insns;
  };
  std::map<std::pair<analysis::LineRef, std::string_view>, uint32_t> numbers;
  std::vector<std::pair<analysis::LineRef, std::string_view>> lines;
  std::vector<std::vector<Part>> parts(blocks.block_count() + 1);
  std::vector<bool> known(parts.size());
  const auto parts_of = [&](uint32_t block) -> const std::vector<Part>& {
    std::vector<Part>& of = parts[block];
    if (known[block]) return of;
    known[block] = true;
    const Superblock& sb = blocks.superblock_of(BlockId(block));
    if (sb.flags & kBlockShim || (!all && !scope.has(sb.module))) return of;
    std::map<uint32_t, uint32_t> insns;
    for (uint32_t k = 0; k < blocks.exit_of(BlockId(block)).insns_executed(); ++k) {
      const CodeAddr at = {sb.module, sb.insn_addr(k)};
      const analysis::LineRef line = names.line_of(at);
      if (line.line == 0) continue;
      const std::pair key(line, names.function_of(at));
      const auto [found, is_new] = numbers.try_emplace(key, static_cast<uint32_t>(lines.size()));
      if (is_new) lines.push_back(key);
      ++insns[found->second];
    }
    for (const auto& [line, count] : insns) of.push_back({line, count});
    return of;
  };
  std::vector<LineHeat> heat;
  uint32_t bin = 0;
  for (const auto& executed : timeline.blocks.bins()) {
    for (const auto& [block, times] : executed)
      for (const Part& p : parts_of(block)) {
        if (p.line >= heat.size()) heat.resize(p.line + 1);
        LineHeat& h = heat[p.line];
        h.instructions += times * p.insns;
        if (h.bins.empty() || h.bins.back().first != bin) h.bins.emplace_back(bin, 0);
        h.bins.back().second += times * p.insns;
      }
    ++bin;
  }
  for (size_t i = 0; i < heat.size(); ++i) {
    heat[i].at = lines[i].first;
    heat[i].function = lines[i].second;
  }
  std::sort(heat.begin(), heat.end(), [](const LineHeat& a, const LineHeat& b) {
    return std::tie(a.at, a.function) < std::tie(b.at, b.function);
  });
  return heat;
}

void write_timeline_json(const TimelineReport& report, Output& out) {
  Writer(report, out).write();
  out.put('\n');
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/compare_traces.h"

#include <algorithm>

#include "cdrgrind/format/dataflow_codec.h"
#include "cdrgrind/format/tables.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/dataflow_reader.h"
#include "cdrgrind/trace/read/reencode.h"

namespace cdr::trace {
namespace {

template <class T>
bool equal(std::span<const T> a, std::span<const T> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool same_event(const Event& a, const Event& b) {
  if (a.kind == EventKind::kBlock && b.kind == EventKind::kBlock)
    return a.thread == b.thread && a.block == b.block && equal(a.words, b.words);
  return a.kind == b.kind && a.thread == b.thread && a.block == b.block && equal(a.words, b.words) && a.ip == b.ip &&
         a.sp == b.sp && a.count == b.count && a.stack == b.stack && a.range == b.range && a.child == b.child &&
         a.addr == b.addr && a.size == b.size && a.value == b.value && a.result == b.result && a.sync == b.sync &&
         a.module == b.module && equal(a.memory, b.memory) && a.text == b.text;
}

template <class F>
bool same_bytes(F encode) {
  ByteWriter a, b;
  encode(0, a);
  encode(1, b);
  return equal(a.bytes(), b.bytes());
}

// Entries that no event of `b` needs may be missing there: `a` may end between its tables and their events.
std::string tables_difference(const TraceFile& a, const TraceFile& b) {
  const TraceFile* files[] = {&a, &b};
  const auto those_of_b = [](uint32_t in_a, uint32_t in_b) { return TableRange{0, std::min(in_a, in_b)}; };
  if (!same_bytes([&](int i, ByteWriter& to) { encode_run(files[i]->run(), to); })) return "RUN";
  if (a.meta().entries() != b.meta().entries()) return "META";
  const TableRange modules = those_of_b(a.modules().size(), b.modules().size());
  if (!same_bytes([&](int i, ByteWriter& to) { encode_modules(files[i]->modules(), modules, to); })) return "modules";
  const TableRange superblocks = those_of_b(a.blocks().superblock_count(), b.blocks().superblock_count());
  if (!same_bytes([&](int i, ByteWriter& to) { encode_superblocks(files[i]->blocks(), superblocks, to); }))
    return "superblocks";
  const TableRange blocks = those_of_b(a.blocks().block_count(), b.blocks().block_count());
  if (!same_bytes([&](int i, ByteWriter& to) { encode_blocks(files[i]->blocks(), blocks, to); })) return "blocks";
  const DataflowTable flows[] = {read_dataflow(a), read_dataflow(b)};
  const TableRange summaries = those_of_b(flows[0].size(), flows[1].size());
  if (!same_bytes([&](int i, ByteWriter& to) { encode_dataflow(flows[i], files[i]->blocks(), summaries, to); }))
    return "data-flow summaries";
  return "";
}

// What is still being written is cut in a copy.
Status ending_of(const TraceFile& file) { return file.status() == Status::kWriting ? Status::kCut : file.status(); }

std::string end_difference(const TraceFile& a, const TraceFile& b) {
  if (ending_of(a) != ending_of(b)) return "how the recording ended";
  if (!a.end()) return b.end() ? "END" : "";
  const bool same =
      b.end() && a.end()->counters == b.end()->counters && a.end()->texts.entries() == b.end()->texts.entries();
  return same ? "" : "END";
}

std::string events_difference(const TraceFile& a, const TraceFile& b, const std::function<void(uint64_t)>& progress) {
  constexpr uint64_t kBetween = 1 << 16;
  if (a.event_count() != b.event_count()) return "the number of events";
  Cursor from(a, EventDecoder::Words::kAny), to(b, EventDecoder::Words::kAny);
  Event e, f;
  for (uint64_t i = 0; from.next(e); ++i) {
    if (!to.next(f) || !same_event(e, f)) return "event " + std::to_string(i);
    if (progress && i % kBetween == 0) progress(i);
    if (e.kind != EventKind::kBlock) continue;
    const uint64_t times = std::min(from.repeats(Cursor::Repeats::kSame), to.repeats(Cursor::Repeats::kSame));
    from.pass(times);
    to.pass(times);
    i += times;
  }
  return "";
}

// Frames that hold neither events nor tables, one behind the other.
class OtherFrames {
 public:
  explicit OtherFrames(const TraceFile& file) : file_(file) {}
  const Frame* next() {
    while (at_ < file_.frames().size()) {
      const Frame& f = file_.frames()[at_++];
      if (!has_events(f.header.type) && !made_by_recording(f.header.type)) return &f;
    }
    return nullptr;
  }

 private:
  const TraceFile& file_;
  size_t at_ = 0;
};

std::string frames_difference(const TraceFile& a, const TraceFile& b) {
  OtherFrames left(a), right(b);
  for (;;) {
    const Frame *f = left.next(), *g = right.next();
    if (!f && !g) return "";
    if (!f || !g || f->header.type != g->header.type || a.payload(*f) != b.payload(*g))
      return std::string("a frame ") + frame_type_name((f ? f : g)->header.type);
  }
}

}  // namespace

std::string first_difference(const TraceFile& a, const TraceFile& b, const std::function<void(uint64_t)>& progress) {
  std::string d = tables_difference(a, b);
  if (d.empty()) d = frames_difference(a, b);
  if (d.empty()) d = end_difference(a, b);
  if (d.empty()) d = events_difference(a, b, progress);
  return d;
}

}  // namespace cdr::trace

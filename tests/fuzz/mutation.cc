// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/mutation.h"

#include <zstd.h>

#include <algorithm>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/format/frame_writer.h"
#include "cdrgrind/format/info.h"
#include "cdrgrind/trace/read/columns.h"

namespace cdr::fuzz {
namespace {

using Random = std::mt19937_64;
using Text = std::vector<uint8_t>;

// Larger ones are not taken apart, nor made.
constexpr uint64_t kMaxText = 64 << 20;
// A file may tell so many times as many events as before: more are no damage but a long recording.
constexpr uint64_t kMaxGrowth = 4;

uint64_t below(Random& random, uint64_t n) { return n == 0 ? 0 : random() % n; }

struct Bytestring final : Output {
  Text bytes;
  bool write(std::span<const uint8_t> more) override {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return true;
  }
};

// Numbers where something ends.
uint64_t edge(Random& random) {
  constexpr uint64_t kEdges[] = {0,          1,          2,          3,          63,         64,          127,
                                 128,        255,        256,        0xffff,     0x10000,    0x10001,     0xffffff,
                                 0x1000000,  0x1000001,  0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 1ull << 36,
                                 1ull << 40, 1ull << 48, ~0ull >> 1, 1ull << 63, ~0ull - 1,  ~0ull};
  return kEdges[below(random, std::size(kEdges))];
}

// A varint that begins at `at`, if one does; the place where it ends.
size_t end_of_varint(const Text& text, size_t at) {
  while (at < text.size() && (text[at] & 0x80)) ++at;
  return std::min(at + 1, text.size());
}
size_t begin_of_varint(const Text& text, size_t at) {
  while (at > 0 && (text[at - 1] & 0x80)) --at;
  return at;
}

void replace(Text& text, size_t begin, size_t end, Bytes by) {
  text.erase(text.begin() + static_cast<ptrdiff_t>(begin), text.begin() + static_cast<ptrdiff_t>(end));
  text.insert(text.begin() + static_cast<ptrdiff_t>(begin), by.begin(), by.end());
}

void change_number(Text& text, Random& random) {
  const size_t begin = begin_of_varint(text, below(random, text.size()));
  const size_t end = end_of_varint(text, begin);
  const uint64_t old = ByteReader({text.data() + begin, end - begin}).varint();
  uint64_t now = edge(random);
  switch (below(random, 4)) {
    case 0:
      now = old + 1 + below(random, 4);
      break;
    case 1:
      now = old - 1 - below(random, 4);
      break;
    case 2:
      now = old * 2 + below(random, 2);
      break;
    default:
      break;
  }
  ByteWriter to;
  to.varint(now);
  replace(text, begin, end, to.bytes());
}

// A piece of it, up to some length.
std::pair<size_t, size_t> some_piece(const Text& text, Random& random) {
  const size_t begin = below(random, text.size() + 1);
  const size_t most = below(random, 4) == 0 ? text.size() : 8;
  return {begin, begin + below(random, std::min(text.size() - begin, most) + 1)};
}

const char* change_bytes(Text& text, Random& random) {
  if (text.empty()) {
    text.assign(1 + below(random, 4), static_cast<uint8_t>(random()));
    return "bytes in an empty text";
  }
  const auto [begin, end] = some_piece(text, random);
  const Text piece(text.begin() + static_cast<ptrdiff_t>(begin), text.begin() + static_cast<ptrdiff_t>(end));
  switch (below(random, 9)) {
    case 0:
      text[below(random, text.size())] ^= static_cast<uint8_t>(1u << below(random, 8));
      return "a bit";
    case 1:
      text[below(random, text.size())] = static_cast<uint8_t>(random());
      return "a byte";
    case 2:
      replace(text, begin, end, {});
      return "a piece is gone";
    case 3: {
      const uint64_t times = below(random, 8) == 0 ? below(random, 100'000) : 1 + below(random, 4);
      if (piece.size() * times > kMaxText / 4) return "nothing";
      Text all;
      for (uint64_t i = 0; i < times; ++i) all.insert(all.end(), piece.begin(), piece.end());
      replace(text, begin, begin, all);
      return "a piece more than once";
    }
    case 4: {
      const size_t to = below(random, text.size() - piece.size() + 1);
      replace(text, begin, end, {});
      replace(text, to, to, piece);
      return "a piece elsewhere";
    }
    case 5: {
      const uint64_t n = below(random, 16) == 0 ? below(random, kMaxText / 4) : below(random, 64);
      replace(text, begin, begin, Text(n, below(random, 2) ? 0 : static_cast<uint8_t>(random())));
      return "equal bytes";
    }
    default:
      change_number(text, random);
      return "a number";
  }
}

bool is_epochs(FrameType type) {
  return type == FrameType::kStretches || type == FrameType::kControl || type == FrameType::kAddress ||
         type == FrameType::kTurn || type == FrameType::kThread || type == FrameType::kLog;
}

bool expand(const FrameHeader& h, Bytes stored, Text& to) {
  if (!h.compressed()) {
    to.assign(stored.begin(), stored.end());
    return true;
  }
  if (h.raw_bytes > kMaxText) return false;
  to.resize(h.raw_bytes);
  return ZSTD_decompress(to.data(), to.size(), stored.data(), stored.size()) == to.size();
}

// The totals, but with so many events.
void put_end(const Text& text, uint64_t events, ByteWriter& to) {
  EndPayload end;
  if (!decode_end(text, end)) return to.raw(text.data(), text.size());
  for (Counter& c : end.counters)
    if (c.key == "events") c.value = events;
  encode_end(end.counters, end.texts, to);
}

}  // namespace

LooseTrace::LooseTrace(Bytes file) {
  if (file.size() < kFileHeaderBytes) return;
  decode_file_header(file, version_);
  for (size_t at = kFileHeaderBytes; file.size() - at >= kFrameHeaderBytes;) {
    FrameHeader h;
    if (!decode_frame_header(file.subspan(at), h)) return;
    at += kFrameHeaderBytes;
    if (h.payload_bytes > file.size() - at || !read_frame(h, file.subspan(at, h.payload_bytes))) return;
    at += h.payload_bytes;
  }
}

bool LooseTrace::read_frame(const FrameHeader& h, Bytes stored) {
  Frame frame{h, false, {}};
  Text payload;
  if (!expand(h, stored, payload)) return false;
  trace::Columns columns;
  if ((is_epochs(h.type) || (h.type == FrameType::kBlocks && version_ >= kFormatVersion4)) &&
      columns.read(payload, kMaxText)) {
    frame.in_columns = true;
    for (size_t i = 0; i < columns.size(); ++i) frame.texts.emplace_back(columns[i].begin(), columns[i].end());
  } else {
    frame.texts.push_back(std::move(payload));
  }
  frames_.push_back(std::move(frame));
  return true;
}

// Frames of epochs more often than others: most of the reader is theirs.
size_t LooseTrace::some_frame(Random& random) const {
  size_t chosen = below(random, frames_.size());
  for (int i = 0; i < 2 && !is_epochs(frames_[chosen].header.type); ++i) chosen = below(random, frames_.size());
  return chosen;
}

std::string LooseTrace::change(Random& random) {
  if (empty()) return "nothing";
  const uint64_t kind = below(random, 16);
  if (kind == 0) return change_frames(random);
  if (kind == 1) return change_header(random);
  if (kind == 2) return change_columns(random);
  return change_text(random);
}

std::string LooseTrace::change_text(Random& random) {
  Frame& frame = frames_[some_frame(random)];
  const size_t n = frame.texts.size();
  if (n == 0) return "nothing";
  size_t column = below(random, n);
  for (int i = 0; i < 4 && frame.texts[column].empty(); ++i) column = below(random, n);
  const char* what = change_bytes(frame.texts[column], random);
  return std::string(frame_type_name(frame.header.type)) + " column " + std::to_string(column) + ": " + what;
}

std::string LooseTrace::change_columns(Random& random) {
  Frame& frame = frames_[some_frame(random)];
  if (!frame.in_columns || frame.texts.empty()) return "nothing";
  Text& text = frame.texts[below(random, frame.texts.size())];
  Text& other = frame.texts[below(random, frame.texts.size())];
  const uint64_t kind = below(random, 4);
  if (kind == 0) text.clear();
  if (kind == 1) std::swap(text, other);
  if (kind == 2) text = Text(other);
  if (kind == 3) frame.texts.resize(below(random, frame.texts.size() + 4));
  return std::string(frame_type_name(frame.header.type)) + " columns, " + std::to_string(kind);
}

std::string LooseTrace::change_frames(Random& random) {
  const size_t at = below(random, frames_.size()), other = below(random, frames_.size());
  const std::string name = frame_type_name(frames_[at].header.type);
  const auto place = frames_.begin() + static_cast<ptrdiff_t>(at);
  switch (below(random, 4)) {
    case 0:
      frames_.erase(place);
      return name + " is gone";
    case 1:
      frames_.insert(place, Frame(frames_[other]));
      return name + " has a copy of another frame before it";
    case 2:
      std::swap(frames_[at], frames_[other]);
      return name + " changes places";
    default:
      frames_[at].texts = std::vector<Text>(frames_[other].texts);
      frames_[at].in_columns = frames_[other].in_columns;
      return name + " has another frame's content";
  }
}

std::string LooseTrace::change_header(Random& random) {
  Frame& frame = frames_[below(random, frames_.size())];
  FrameHeader& h = frame.header;
  switch (below(random, 4)) {
    case 0:
      h.thread = static_cast<uint32_t>(edge(random));
      break;
    case 1:
      h.flags ^= kFrameRequired;
      break;
    case 2:
      h.type = frames_[below(random, frames_.size())].header.type;
      break;
    default:
      h.event_count += below(random, 3) - 1;
      break;
  }
  return std::string(frame_type_name(h.type)) + " header";
}

std::vector<uint8_t>* LooseTrace::column(FrameType type, size_t number) {
  for (Frame& f : frames_)
    if (f.header.type == type && number < f.texts.size()) return &f.texts[number];
  return nullptr;
}

// Of the epoch that ends with the frame.
uint64_t LooseTrace::events_of(size_t control) const {
  const Frame& frame = frames_[control];
  size_t turn = control;
  while (turn > 0 && frames_[turn].header.type != FrameType::kTurn) --turn;
  const auto& texts = frames_[turn].texts;
  if (frames_[turn].header.type != FrameType::kTurn || texts.size() <= kTurnEvents) return frame.header.event_count;
  uint64_t told = 0;
  for (ByteReader in(texts[kTurnEvents]); !in.at_end();) told += in.bounded(uint64_t{1} << 40);
  for (const uint8_t flags : texts[kTurnFlags]) told += flags & 1;
  return told <= kMaxGrowth * frame.header.event_count ? told : frame.header.event_count;
}

std::vector<uint8_t> LooseTrace::file() const {
  Bytestring out;
  FrameWriter writer(out, 1, version_);
  uint64_t events = 0;
  for (size_t i = 0; i < frames_.size(); ++i) {
    const Frame& frame = frames_[i];
    const FrameHeader& h = frame.header;
    ByteWriter payload;
    if (frame.in_columns) {
      const std::vector<std::span<const uint8_t>> columns(frame.texts.begin(), frame.texts.end());
      write_columns(columns, writer.compressor(), payload);
    } else if (h.type == FrameType::kIndex) {
      encode_index(writer.rows(), payload);
    } else if (h.type == FrameType::kEnd && !frame.texts.empty()) {
      put_end(frame.texts[0], events, payload);
    } else {
      for (const Text& t : frame.texts) payload.raw(t.data(), t.size());
    }
    const uint64_t count = h.type == FrameType::kControl ? events_of(i) : h.event_count;
    writer.write({.type = h.type,
                  .thread = h.thread,
                  .first_event = events,
                  .event_count = count,
                  .flags = static_cast<uint16_t>(h.flags & ~kFrameCompressed)},
                 payload.bytes());
    events += count;
  }
  return out.bytes;
}

std::vector<uint8_t> mutated(Bytes file, uint64_t seed, unsigned changes, std::string* told) {
  Random random(seed);
  LooseTrace trace(file);
  for (unsigned i = 0; i < changes; ++i) {
    const std::string what = trace.change(random);
    if (told) *told += (told->empty() ? "" : "; ") + what;
  }
  return trace.file();
}

std::vector<uint8_t> with_changed_column(Bytes file, FrameType type, size_t column,
                                         const std::function<void(std::vector<uint8_t>&)>& change) {
  LooseTrace trace(file);
  if (auto* text = trace.column(type, column)) change(*text);
  return trace.file();
}

}  // namespace cdr::fuzz

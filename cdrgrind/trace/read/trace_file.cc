// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/trace_file.h"

#include <zstd.h>

#include <algorithm>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/encode/event_codec.h"
#include "cdrgrind/format/superblock_columns.h"
#include "cdrgrind/format/tables.h"
#include "cdrgrind/trace/read/columns.h"
#include "cdrgrind/trace/read/expansion.h"
#include "cdrgrind/trace/read/file_bytes.h"

namespace cdr::trace {
namespace {

constexpr const char* kVerifyHint = "try 'cdrgrind verify'";

bool is_known(FrameType type) {
  switch (type) {
    case FrameType::kRun:
    case FrameType::kMeta:
    case FrameType::kModule:
    case FrameType::kBlocks:
    case FrameType::kExits:
    case FrameType::kDataflow:
    case FrameType::kEvents:
    case FrameType::kStretches:
    case FrameType::kControl:
    case FrameType::kAddress:
    case FrameType::kTurn:
    case FrameType::kThread:
    case FrameType::kLog:
    case FrameType::kDepend:
    case FrameType::kExec:
    case FrameType::kPack:
    case FrameType::kIndex:
    case FrameType::kEnd:
      return true;
    default:
      return false;
  }
}

// Read when their events are.
bool is_read_later(FrameType type) {
  return has_events(type) || type == FrameType::kThread || type == FrameType::kAddress || type == FrameType::kLog ||
         type == FrameType::kTurn || type == FrameType::kDepend || type == FrameType::kDataflow ||
         type == FrameType::kPack;
}

std::string describe(const FrameHeader& h) {
  return "frame " + std::to_string(h.sequence) + " (" + frame_type_name(h.type) + ")";
}

}  // namespace

std::optional<std::string_view> Meta::find(std::string_view key) const {
  for (const auto& [k, v] : entries_)
    if (k == key) return v;
  return std::nullopt;
}

std::vector<std::string_view> Meta::all(std::string_view key) const {
  std::vector<std::string_view> values;
  for (const auto& [k, v] : entries_)
    if (k == key) values.push_back(v);
  return values;
}

std::optional<uint64_t> End::counter(std::string_view key) const {
  for (const auto& [k, v] : counters)
    if (k == key) return v;
  return std::nullopt;
}

TraceFile::TraceFile(std::unique_ptr<FileBytes> bytes, std::string name)
    : file_(std::move(bytes)), name_(std::move(name)) {}
TraceFile::TraceFile(TraceFile&&) noexcept = default;
TraceFile::~TraceFile() = default;

TraceFile TraceFile::open(const std::string& path) {
  TraceFile file(FileBytes::open(path), path);
  file.read();
  return file;
}

TraceFile TraceFile::from_bytes(std::vector<uint8_t> bytes, std::string name) {
  TraceFile file(std::make_unique<FileBytes>(std::move(bytes)), std::move(name));
  file.read();
  return file;
}

uint64_t TraceFile::bytes() const { return file_->bytes().size(); }

std::span<const uint8_t> TraceFile::content() const { return file_->bytes(); }

void TraceFile::fail(Problem problem, uint64_t offset, const std::string& what) const {
  throw TraceError(problem, name_ + ": offset " + hex(offset) + ": " + what);
}

void TraceFile::fail_damaged(const Frame& frame, const std::string& what) const {
  fail(Problem::kDamaged, frame.offset, describe(frame.header) + ": " + what + " (damaged? " + kVerifyHint + ")");
}

void TraceFile::fail_empty(const char* what) const {
  throw TraceError(Problem::kEmpty, name_ + (file_->being_written()
                                                 ? ": is still being written, and holds nothing yet (try again later)"
                                                 : std::string(": ") + what + ": nothing was recorded (record again)"));
}

void TraceFile::fail_memory(const Frame& frame) const {
  throw TraceError(Problem::kNoMemory, name_ + ": out of memory while reading " + describe(frame.header) +
                                           " at offset " + hex(frame.offset));
}

uint64_t TraceFile::room_for(const Frame& frame) const {
  return most_expanded(frame.offset + kFrameHeaderBytes + frame.header.payload_bytes);
}

uint32_t TraceFile::serial_limit() const { return max_serial(std::min(event_count_, bytes())); }

void TraceFile::read() {
  read_file_header();
  walk_frames();
  if (frames_.empty()) fail_empty("the file ends before its first frame");
  for (const Frame& f : frames_) reading(f, [&] { read_frame(f); });
  stretches_.finish();
  file_->give_back(file_->bytes());
  const bool goes_on = file_->being_written() && !end_ && (lost_bytes_ > 0 || !exec_last_);
  if (marked_cut_ || (lost_bytes_ > 0 && !goes_on))
    status_ = Status::kCut;
  else if (goes_on)
    status_ = Status::kWriting;
  else if (end_)
    status_ = Status::kComplete;
  else if (exec_last_)
    status_ = Status::kExec;
}

void TraceFile::read_file_header() {
  const auto bytes = file_->bytes();
  if (bytes.empty()) fail_empty("the file is empty");
  switch (decode_file_header(bytes, version_)) {
    case FileHeaderState::kOk:
      break;
    case FileHeaderState::kCut:
      marked_cut_ = true;
      break;
    case FileHeaderState::kTooShort:
      fail_empty("the file ends inside its header");
    case FileHeaderState::kNotATrace:
      throw TraceError(Problem::kNotATrace, name_ + ": not a cdrgrind trace (make one with 'cdrgrind record')");
    case FileHeaderState::kDamaged:
      fail(Problem::kDamaged, 0, "the file header is damaged (copy the file again)");
  }
  if (version_ > kFormatVersion || version_ == 0)
    throw TraceError(Problem::kNewerVersion, name_ + ": trace format version " + std::to_string(version_) +
                                                 "; this cdrgrind reads up to version " +
                                                 std::to_string(kFormatVersion) + " (use a newer cdrgrind)");
}

void TraceFile::walk_frames() {
  const auto bytes = file_->bytes();
  uint64_t offset = kFileHeaderBytes;
  while (offset < bytes.size()) {
    const auto rest = bytes.subspan(offset);
    FrameHeader h;
    if (rest.size() < kFrameHeaderBytes) break;
    if (!decode_frame_header(rest, h))
      fail(Problem::kDamaged, offset,
           "header of frame " + std::to_string(frames_.size()) + " is damaged (" + kVerifyHint + ")");
    if (rest.size() - kFrameHeaderBytes < h.payload_bytes) break;
    check_place(h, offset);
    note_epoch_frame(h.type);
    if (has_events(h.type)) {
      event_frames_.push_back(frames_.size());
      event_count_ += h.event_count;
    }
    frames_.push_back({h, offset});
    offset += kFrameHeaderBytes + h.payload_bytes;
  }
  lost_bytes_ = bytes.size() - offset;
}

// A frame of an epoch; it is about to be frame number frames_.size().
void TraceFile::note_epoch_frame(FrameType type) {
  switch (type) {
    case FrameType::kThread:
      open_epoch_.threads = frames_.size();
      break;
    case FrameType::kAddress:
      open_epoch_.address = frames_.size();
      break;
    case FrameType::kLog:
      open_epoch_.log = frames_.size();
      break;
    case FrameType::kTurn:
      open_epoch_.turn = frames_.size();
      break;
    case FrameType::kControl:
      open_epoch_.control = frames_.size();
      epochs_.push_back(open_epoch_);
      open_epoch_ = Epoch();
      break;
    default:
      break;
  }
}

void TraceFile::check_place(const FrameHeader& h, uint64_t offset) const {
  const Frame frame{h, offset};
  if (h.sequence != frames_.size()) fail_damaged(frame, "frame " + std::to_string(frames_.size()) + " was expected");
  if ((h.flags & ~kFrameKnownFlags) || (!is_known(h.type) && (h.flags & kFrameRequired)))
    fail(Problem::kUnknownFrame, offset,
         "frame type " + std::to_string(static_cast<unsigned>(h.type)) + " with flags " + hex(h.flags) +
             " is unknown to this cdrgrind (trace format version " + std::to_string(version_) +
             "; use a newer cdrgrind)");
  if ((h.type == FrameType::kRun) != frames_.empty()) fail_damaged(frame, "RUN must be the first frame, and only it");
  if (!frames_.empty() && frames_.back().header.type == FrameType::kEnd) fail_damaged(frame, "it stands behind END");
  if (h.first_event != event_count_) fail_damaged(frame, "events before it are missing or counted twice");
  const bool plain = h.type == FrameType::kEvents;
  if (has_events(h.type) && !event_frames_.empty() && plain != epochs_.empty())
    fail_damaged(frame, "a trace has either EVENTS or epochs");
  const uint64_t most = plain ? h.raw_bytes : has_events(h.type) ? kMaxEpochEvents : 0;
  if (h.event_count > most || (h.event_count == 0) == has_events(h.type) || (plain && h.raw_bytes > kMaxEventsBytes))
    fail_damaged(frame, "it cannot hold as many events as it says");
  if (h.type == FrameType::kControl &&
      (!open_epoch_.threads || !open_epoch_.address || !open_epoch_.log || !open_epoch_.turn))
    fail_damaged(frame, "its epoch is not whole");
  if (h.thread > kMaxSerial) fail_damaged(frame, "thread out of range");
}

void TraceFile::read_frame(const Frame& frame) {
  const FrameType type = frame.header.type;
  if (type == FrameType::kEvents) exec_last_ = false;
  if (is_read_later(type) || !is_known(type)) return;
  const auto bytes = payload(frame);
  const char* wrong = nullptr;
  exec_last_ = false;
  switch (type) {
    case FrameType::kRun:
      if (!decode_run(bytes, run_)) wrong = "not the fields of RUN";
      break;
    case FrameType::kMeta: {
      std::vector<MetaEntry> entries;
      if (!decode_meta(bytes, entries)) wrong = "not a list of texts";
      for (const MetaEntry& e : entries) meta_.add(e.key, e.value);
      break;
    }
    case FrameType::kModule:
      wrong = decode_modules(bytes, modules_, version_);
      break;
    case FrameType::kBlocks:
      wrong = read_superblocks(bytes, room_for(frame));
      break;
    case FrameType::kExits:
      wrong = decode_blocks(bytes, blocks_);
      break;
    case FrameType::kExec:
      read_exec(frame);
      break;
    case FrameType::kStretches:
      read_stretches(frame);
      break;
    case FrameType::kIndex:
      compare_index(frame);
      break;
    case FrameType::kEnd:
      read_end(frame);
      break;
    default:
      break;
  }
  if (wrong) fail_damaged(frame, wrong);
}

// Null, or what is wrong.
const char* TraceFile::read_superblocks(std::span<const uint8_t> payload, uint64_t room) {
  if (version_ < kFormatVersion4) return decode_superblocks(payload, modules_, blocks_);
  Columns columns;
  if (!columns.read(payload, room)) return "its columns are damaged";
  return read_superblock_columns(columns.part<kSbColumns>(0), modules_, blocks_);
}

void TraceFile::read_stretches(const Frame& frame) {
  Columns columns;
  if (!read_columns(frame, columns) || !stretches_.add(columns, blocks_))
    fail_damaged(frame, "not a list of stretches");
  for (Epoch& e : epochs_)
    if (e.control > frame.header.sequence) e.stretches = stretches_.count();
}

void TraceFile::read_end(const Frame& frame) {
  const auto bytes = payload(frame);
  EndPayload from;
  if (!decode_end(bytes, from)) fail_damaged(frame, "not a list of counters and texts");
  End& end = end_.emplace();
  for (const Counter& c : from.counters) end.counters.emplace_back(c.key, c.value);
  for (const MetaEntry& e : from.texts) end.texts.add(e.key, e.value);
  if (end.counter("events").value_or(event_count_) != event_count_)
    fail_damaged(frame, "it counts other events than the frames before it hold");
}

void TraceFile::read_exec(const Frame& frame) {
  const auto bytes = payload(frame);
  ExecInfo exec;
  if (!decode_exec(bytes, exec)) fail_damaged(frame, "not an error number and a path");
  exec_last_ = exec.error == 0;
  exec_path_ = exec_last_ ? std::string(exec.path) : std::string();
}

// INDEX is for readers that do not walk; this one has walked and knows better.
void TraceFile::compare_index(const Frame& frame) const {
  const auto bytes = payload(frame);
  std::vector<FrameRow> rows;
  bool equal = decode_index(bytes, rows) && rows.size() == frame.header.sequence;
  for (size_t i = 0; equal && i < rows.size(); ++i) {
    const Frame& f = frames_[i];
    equal = rows[i] == FrameRow{f.offset, f.header.type, f.header.first_event, f.header.event_count};
  }
  if (!equal) fail_damaged(frame, "it does not describe the frames before it");
}

std::string TraceFile::status_text() const {
  const std::string readable = ": " + std::to_string(event_count_) + " events can be read, what followed is missing";
  if (status_ == Status::kComplete || status_ == Status::kExec) return "";
  if (status_ == Status::kWriting)
    return "the trace is still being written by process " + std::to_string(run_.pid) +
           " (recording goes on): " + std::to_string(event_count_) + " events can be read so far";
  if (status_ == Status::kKilled)
    return "the recording ended without closing the trace (was the program killed?)" + readable;
  if (lost_bytes_ == 0) return "the trace was cut while it was written (no room?)" + readable;
  return "the trace is cut: its last " + std::to_string(lost_bytes_) + " bytes are not a whole frame" + readable;
}

const Frame* TraceFile::find(FrameType type) const {
  const auto f = std::find_if(frames_.begin(), frames_.end(), [&](const Frame& x) { return x.header.type == type; });
  return f == frames_.end() ? nullptr : &*f;
}

std::span<const uint8_t> TraceFile::stored(const Frame& frame) const {
  const FrameHeader& h = frame.header;
  const auto bytes = file_->bytes().subspan(frame.offset + kFrameHeaderBytes, h.payload_bytes);
  if (checksum64(bytes) != h.payload_checksum) fail_damaged(frame, "the checksum of its content is wrong");
  return bytes;
}

Columns TraceFile::control(size_t epoch) const {
  const Frame& frame = frames_[epochs_[epoch].control];
  return reading(frame, [&] {
    Columns columns;
    if (!read_columns(frame, columns))
      fail(Problem::kDamaged, frame.offset, "its columns are damaged (try 'cdrgrind verify')");
    return columns;
  });
}

bool TraceFile::read_columns(const Frame& frame, Columns& to) const {
  if (frame.header.compressed()) return to.read(payload(frame), room_for(frame));
  const auto bytes = stored(frame);
  const bool good = to.read(bytes, room_for(frame));
  file_->give_back(bytes);
  return good;
}

std::vector<uint8_t> TraceFile::payload(const Frame& frame) const {
  const FrameHeader& h = frame.header;
  const auto stored = this->stored(frame);
  if (!h.compressed()) {
    std::vector<uint8_t> content(stored.begin(), stored.end());
    file_->give_back(stored);
    return content;
  }
  if (ZSTD_getFrameContentSize(stored.data(), stored.size()) != h.raw_bytes)
    fail_damaged(frame, "its length is not the one it says");
  if (h.raw_bytes > room_for(frame)) fail_damaged(frame, "it would be larger than a file of this size can hold");
  return reading(frame, [&] {
    std::vector<uint8_t> raw;
    if (!expand(stored, h.raw_bytes, raw)) fail_damaged(frame, "it cannot be decompressed");
    file_->give_back(stored);
    return raw;
  });
}

std::optional<std::vector<uint8_t>> TraceFile::depend() const {
  const Frame* frame = find(FrameType::kDepend);
  if (!frame) return std::nullopt;
  return payload(*frame);
}

bool TraceFile::left_dependences() const {
  const std::string_view deps = meta_.find("deps").value_or("");
  return (deps == "auto" || deps == "later") && !find(FrameType::kDepend);
}

}  // namespace cdr::trace

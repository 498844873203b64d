// SPDX-License-Identifier: GPL-2.0-or-later
// The trace file as a sequence of frames. A file is a FileHeader (24 bytes) and frames, each a FrameHeader
// (64 bytes) followed by its payload. All numbers are little endian. See docs/trace-format.md.
//
// Invariants: what a frame needs stands before it; a header can be checked without its payload; values of
// the enumerations below are never reused. Knows nothing of what is inside a payload.
#ifndef CDRGRIND_FORMAT_FRAME_H
#define CDRGRIND_FORMAT_FRAME_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cdr {

// A version per incompatible change; say here what changed.
constexpr uint32_t kFormatVersion1 = 1;  // the first: plain event stream
constexpr uint32_t kFormatVersion2 = 2;  // more synchronisation operations, hide regions
constexpr uint32_t kFormatVersion3 = 3;  // epochs in place of EVENTS: STRETCHES, ADDRESS, LOG, TURN, CONTROL
constexpr uint32_t kFormatVersion4 = 4;  // superblocks as columns
constexpr uint32_t kFormatVersion5 = 5;  // MODULE tells each file's size and its build-id or checksum
constexpr uint32_t kFormatVersion6 = 6;  // control paths that are predicted
constexpr uint32_t kFormatVersion7 = 7;  // operations of parallel runtimes, calls of MPI
constexpr uint32_t kFormatVersion8 = 8;  // modelled columns
constexpr uint32_t kFormatVersion = kFormatVersion8;

enum class FrameType : uint16_t {
  kNone = 0,
  kRun = 1,         // the first frame; the only one that may differ between repeated runs
  kMeta = 2,        // pairs of texts
  kModule = 3,      // object files mapped
  kBlocks = 4,      // superblocks
  kExits = 5,       // blocks: (superblock, exit)
  kDataflow = 6,    // data-flow summaries of blocks
  kEvents = 7,      // the plain event stream
  kStretches = 16,  // the dictionary of stretches, as far as it is new
  kControl = 17,    // the control paths of an epoch, whose last frame it is
  kAddress = 18,    // the words of its blocks
  kSync = 19,       // 19, 22..27 reserved
  kTurn = 20,       // its true order
  kThread = 21,     // what its threads were like at its start
  kAlloc = 22,
  kMap = 23,
  kSignal = 24,
  kGap = 25,
  kMark = 26,
  kSyscall = 27,
  kLog = 28,     // its events between stretches
  kDepend = 32,  // dependences
  kExec = 33,    // the process may be another program from here on
  kPack = 34,    // object files and sources that travel with the trace
  kIndex = 40,   // where the frames stand
  kEnd = 41,     // the last frame: totals
};

// Upper case, as in the documentation; "unknown" for other values.
const char* frame_type_name(FrameType type);

enum FrameFlags : uint16_t {
  kFrameRequired = 1,    // a reader that does not know the type must refuse the file
  kFrameCompressed = 2,  // the payload is one zstd frame
};
constexpr uint16_t kFrameKnownFlags = kFrameRequired | kFrameCompressed;

// Whether the frame is required; optional types are skipped by readers that do not know them.
constexpr bool is_required(FrameType type) {
  return type != FrameType::kDataflow && type != FrameType::kDepend && type != FrameType::kExec &&
         type != FrameType::kPack && type != FrameType::kIndex;
}

// Whether frames of this type count events.
constexpr bool has_events(FrameType type) { return type == FrameType::kEvents || type == FrameType::kControl; }

struct FrameHeader {
  FrameType type = FrameType::kNone;
  uint16_t flags = 0;             // FrameFlags
  uint32_t thread = 0;            // EVENTS: the thread of the event before the first, 0 none
  uint32_t sequence = 0;          // 0, 1, 2 … in the file
  uint64_t first_event = 0;       // events before this frame
  uint64_t event_count = 0;       // events in it
  uint64_t payload_bytes = 0;     // as stored
  uint64_t raw_bytes = 0;         // decompressed
  uint64_t payload_checksum = 0;  // of the payload as stored

  bool compressed() const { return flags & kFrameCompressed; }
  bool operator==(const FrameHeader&) const = default;
};

constexpr size_t kFileHeaderBytes = 24;
constexpr size_t kFrameHeaderBytes = 64;
constexpr std::array<uint8_t, 8> kFileMagic = {0x89, 'C', 'D', 'R', '\r', '\n', 0x1a, '\n'};
constexpr std::array<uint8_t, 4> kFrameMagic = {'C', 'D', 'R', 'f'};

// A file that could not be written to its end carries this mark: four bytes that the writer's Output puts
// over zeros which are there already, so no room is needed for it.
constexpr uint64_t kCutMarkOffset = 12;
constexpr std::array<uint8_t, 4> kCutMark = {'C', 'U', 'T', '!'};

// No payload is larger than this when decompressed.
constexpr uint64_t kMaxRawBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxEventsBytes = uint64_t{1} << 26;  // EVENTS
// The columns of a frame of an epoch, decompressed; and the events of an epoch.
constexpr uint64_t kMaxColumnBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxEpochEvents = uint64_t{1} << 36;
// zstd cannot reach a higher ratio: a block of 128 KiB takes at least 4 bytes.
constexpr uint64_t kMaxRatio = 128 * 1024 / 4;

using FileHeaderBytes = std::array<uint8_t, kFileHeaderBytes>;
using FrameHeaderBytes = std::array<uint8_t, kFrameHeaderBytes>;

FileHeaderBytes encode_file_header(uint32_t version);
FrameHeaderBytes encode_frame_header(const FrameHeader& h);

enum class FileHeaderState : uint8_t { kOk, kCut, kTooShort, kNotATrace, kDamaged };
// `version` is set for kOk, kCut and whenever the magic and its checksum are right.
FileHeaderState decode_file_header(std::span<const uint8_t> bytes, uint32_t& version);
// False if magic, checksum or a limit is wrong. `bytes` has at least kFrameHeaderBytes.
bool decode_frame_header(std::span<const uint8_t> bytes, FrameHeader& h);

}  // namespace cdr

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/file_sizes.h"

#include <map>

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/trace/read/columns.h"

namespace cdr::compare {
namespace {

// What the columns [begin, end) take as they are stored in the payload.
uint64_t stored_bytes(std::span<const uint8_t> payload, uint64_t begin, uint64_t end) {
  ByteReader in(payload);
  uint64_t n = 0;
  const uint64_t count = in.bounded(payload.size());
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t raw = in.varint(), stored = in.varint();
    if (i >= begin && i < end) n += stored == 0 ? raw : stored;
  }
  return n;
}

uint64_t sync_columns(std::span<const uint8_t> payload) {
  constexpr auto kEnter = static_cast<uint64_t>(EventKind::kSyncEnter),
                 kLeave = static_cast<uint64_t>(EventKind::kSyncLeave);
  static_assert(kLeave == kEnter + 1);
  return stored_bytes(payload, kEnter * kLogColumns, (kLeave + 1) * kLogColumns);
}

void look_into_control(std::span<const uint8_t> payload, uint64_t room, FileSizes& sizes) {
  trace::Columns columns;
  if (!columns.read(payload, room) || columns[kPathForm].empty()) return;
  sizes.run_epochs += columns[kPathForm][0] == static_cast<uint8_t>(ControlForm::kRuns);
  sizes.predicted_epochs += columns[kPathForm][0] == static_cast<uint8_t>(ControlForm::kPredicted);
  sizes.grammar_symbols += columns.part<kGrammarColumns>(kPathGrammar)[kGrammarKinds].size();  // a byte each
}

}  // namespace

const char* name_of(FrameGroup group) {
  constexpr const char* kNames[kFrameGroups] = {"tables", "dictionary", "control", "addresses", "log",
                                                "turns",  "events",     "index",   "other"};
  return kNames[static_cast<size_t>(group)];
}

FrameGroup group_of(FrameType type) {
  switch (type) {
    case FrameType::kMeta:
    case FrameType::kModule:
    case FrameType::kBlocks:
    case FrameType::kDataflow:
    case FrameType::kDepend:
    case FrameType::kPack:
      return FrameGroup::kTables;
    case FrameType::kStretches:
      return FrameGroup::kDictionary;
    case FrameType::kControl:
      return FrameGroup::kControl;
    case FrameType::kAddress:
      return FrameGroup::kAddresses;
    case FrameType::kLog:
      return FrameGroup::kLog;
    case FrameType::kTurn:
    case FrameType::kThread:
      return FrameGroup::kTurns;
    case FrameType::kEvents:
      return FrameGroup::kEvents;
    case FrameType::kIndex:
      return FrameGroup::kIndex;
    default:
      return FrameGroup::kOther;
  }
}

FileSizes file_sizes(const trace::TraceFile& file) {
  FileSizes sizes;
  std::map<FrameType, FrameSize> types;
  uint64_t framed = 0;
  for (const trace::Frame& f : file.frames()) {
    FrameSize& t = types[f.header.type];
    const uint64_t bytes = kFrameHeaderBytes + f.header.payload_bytes;
    t.type = f.header.type;
    ++t.frames;
    t.bytes += bytes;
    framed += bytes;
    sizes.groups[static_cast<size_t>(group_of(f.header.type))] += bytes;
    if (f.header.type == FrameType::kLog) sizes.sync_log += sync_columns(file.payload(f));
    if (f.header.type == FrameType::kControl) look_into_control(file.payload(f), file.room_for(f), sizes);
  }
  for (const auto& [type, size] : types) sizes.types.push_back(size);
  sizes.whole = file.bytes();
  sizes.groups[static_cast<size_t>(FrameGroup::kOther)] += sizes.whole - framed;
  sizes.epochs = file.epochs().size();
  return sizes;
}

}  // namespace cdr::compare

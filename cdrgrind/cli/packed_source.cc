// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/packed_source.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "cdrgrind/cli/failure.h"
#include "cdrgrind/trace/read/pack.h"

namespace cdr::cli {

namespace {

using symbols::PackedFiles;

[[noreturn]] void fail(const trace::TraceFile& file, const char* what) {
  throw Failure(kBadInput, fmt::format("{}: a PACK frame is damaged: {}", file.name(), what));
}

PackedFiles::File file_of(const trace::PackedFileRef& f) { return {f.content, f.modified_at}; }

PackedFiles::Binary binary_of(const trace::PackedBinaryRow& row) {
  PackedFiles::Binary b;
  b.note.state = static_cast<symbols::BinaryState>(row.state);
  b.note.path = row.path;
  b.note.build_id = row.build_id;
  b.note.present_build_id = row.present_build_id;
  b.note.bytes = row.bytes;
  b.note.present_bytes = row.present_bytes;
  b.note.file = row.file;
  b.image = file_of(row.image);
  b.debug = file_of(row.debug);
  return b;
}

}  // namespace

std::shared_ptr<PackedFiles> packed_files_of(const trace::TraceFile& file) {
  std::vector<const trace::Frame*> frames;
  for (const trace::Frame& f : file.frames())
    if (f.header.type == FrameType::kPack) frames.push_back(&f);
  if (frames.empty()) return nullptr;
  const trace::Frame* const last = frames.back();
  frames.pop_back();
  trace::PackList list;
  if (!trace::decode_pack_list(file.payload(*last), static_cast<uint32_t>(frames.size()), list))
    fail(file, "not a list of files");
  auto packed = std::make_shared<PackedFiles>([&file, frames = std::move(frames)](uint32_t number) {
    const std::vector<uint8_t> payload = file.payload(*frames[number - 1]);
    const auto content = trace::decode_pack_content(payload);
    if (!content) fail(file, "not the content of a file");
    return PackedFiles::Bytes(content->begin(), content->end());
  });
  for (const trace::PackedBinaryRow& b : list.binaries)
    packed->add_binary(symbols::binary_key(b.path, b.build_id, b.checksum), binary_of(b));
  if (list.has_sources) packed->set_has_sources();
  for (trace::PackedSourceRow& s : list.sources) packed->add_source(std::move(s.name), {s.path, file_of(s.file)});
  return packed;
}

}  // namespace cdr::cli

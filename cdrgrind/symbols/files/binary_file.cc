// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/files/binary_file.h"

#include <unistd.h>

#include <fstream>
#include <span>
#include <utility>
#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/symbols/common/packed_files.h"
#include "cdrgrind/symbols/common/paths.h"
#include "cdrgrind/symbols/files/debug_file.h"

namespace cdr::symbols {

namespace {

std::optional<std::uint64_t> checksum_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  cdr::Checksum sum;
  std::vector<std::uint8_t> buffer(1 << 18);
  while (in.read(reinterpret_cast<char*>(buffer.data()), static_cast<std::streamsize>(buffer.size())), in.gcount() > 0)
    sum.add(std::span(buffer).first(static_cast<std::size_t>(in.gcount())));
  return sum.value();
}

// A stripped file keeps its build-id, so sizes count only where there is none.
bool is_recorded(const ElfImage& image, const Module& module) {
  if (!module.build_id.empty()) return image.build_id == module.build_id;
  if (module.file_bytes != 0 && image.bytes != module.file_bytes) return false;
  return !module.checksum || checksum_of(image.path) == module.checksum;
}

// Under its mapped path, or where it was recorded.
std::vector<std::string> usual_places(const Module& module, const SymbolOptions& options) {
  std::vector<std::string> paths = {map_path(module.path, options.path_maps)};
  if (paths.front() != module.path) paths.push_back(module.path);
  return paths;
}

std::vector<std::string> other_places(const Module& module, const SymbolOptions& options) {
  std::vector<std::string> paths;
  for (const std::string& folder : debug_folders(options)) {
    std::vector<std::string> names = {folder + "/" + module.path, join_path(folder, base_name(module.path))};
    if (module.build_id.size() > 2) names.insert(names.begin(), build_id_path(folder, module.build_id));
    for (std::string& name : names) {
      paths.push_back(name + ".debug");
      paths.push_back(std::move(name));
    }
  }
  return paths;
}

// A whole file is better than a debug file, wherever it stands.
void find_elsewhere(const Module& module, const SymbolOptions& options, BinaryFile& found) {
  for (const std::string& path : other_places(module, options)) {
    std::optional<ElfImage> image = ElfImage::read(path);
    if (!image || !is_recorded(*image, module)) continue;
    found.state = BinaryState::kFound;
    std::optional<ElfImage>& place = image->is_only_debug ? found.debug : found.image;
    if (!place) place = std::move(image);
    if (found.image) break;
  }
  if (found.image && found.image->has_debug_info) found.debug.reset();
}

void note_present(const std::string& path, BinaryFile& found) {
  if (found.state == BinaryState::kChanged || ::access(path.c_str(), F_OK) != 0) return;
  found.state = BinaryState::kChanged;
  if (const std::optional<ElfImage> image = ElfImage::read(path)) {
    found.present_build_id = image->build_id;
    found.present_bytes = image->bytes;
  }
}

}  // namespace

namespace {

BinaryFile packed_binary(const Module& module, PackedFiles& packed) {
  BinaryFile found;
  found.state = BinaryState::kMissing;
  const PackedFiles::Binary* const binary = packed.binary(binary_key(module.path, module.build_id, module.checksum));
  if (!binary) return found;
  found.state = binary->note.state;
  found.present_build_id = binary->note.present_build_id;
  found.present_bytes = binary->note.present_bytes;
  found.place = binary->note.file;
  if (binary->image.content) found.image = ElfImage::read(packed.open(binary->image));
  if (binary->debug.content) found.debug = ElfImage::read(packed.open(binary->debug));
  return found;
}

}  // namespace

BinaryFile find_binary(const Module& module, const SymbolOptions& options) {
  if (options.packed) return packed_binary(module, *options.packed);
  BinaryFile found;
  for (const std::string& path : usual_places(module, options)) {
    std::optional<ElfImage> image = ElfImage::read(path);
    if (!image || !is_recorded(*image, module)) continue;
    const bool is_newer = module.recorded_at != 0 && image->modified_at > module.recorded_at;
    found.state = is_newer && !module.is_identified() ? BinaryState::kNewer : BinaryState::kRecorded;
    found.image = std::move(image);
    return found;
  }
  found.state = BinaryState::kMissing;
  for (const std::string& path : usual_places(module, options)) note_present(path, found);
  if (module.is_identified()) find_elsewhere(module, options, found);
  if (found.state == BinaryState::kFound) found.place = (found.image ? found.image : found.debug)->path;
  return found;
}

}  // namespace cdr::symbols

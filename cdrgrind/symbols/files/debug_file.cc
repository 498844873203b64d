// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/files/debug_file.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "cdrgrind/symbols/common/paths.h"

namespace cdr::symbols {

namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? 0xedb88320U : 0);
    table[i] = value;
  }
  return table;
}

// The CRC-32 of the whole file that .gnu_debuglink stores.
std::optional<std::uint32_t> file_crc(const std::string& path) {
  static constexpr auto table = make_crc_table();
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::uint32_t crc = ~0U;
  std::vector<char> buffer(1 << 16);
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), in.gcount() > 0) {
    for (std::streamsize i = 0; i < in.gcount(); ++i) {
      crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(buffer[i])) & 0xff];
    }
  }
  return ~crc;
}

std::vector<std::string> linked_paths(const ElfImage& module, const std::string& name,
                                      const std::vector<std::string>& folders) {
  std::error_code error;
  std::filesystem::path real = std::filesystem::canonical(module.path, error);
  const std::string own_folder = error ? std::string(folder_of(module.path)) : real.parent_path().string();
  std::vector<std::string> paths = {join_path(own_folder, name), join_path(own_folder, ".debug/" + name)};
  for (const std::string& folder : folders) {
    paths.push_back(folder + "/" + own_folder + "/" + name);
    paths.push_back(join_path(folder, name));
  }
  return paths;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return std::filesystem::equivalent(a, b, error) && !error;
}

bool belongs_to(const ElfImage& debug, const ElfImage& module) {
  if (!module.build_id.empty() && !debug.build_id.empty()) {
    return module.build_id == debug.build_id;
  }
  return module.debug_link && file_crc(debug.path) == module.debug_link->crc;
}

std::optional<ElfImage> try_file(const std::string& path, const ElfImage& module) {
  if (same_file(path, module.path)) return std::nullopt;
  std::optional<ElfImage> debug = ElfImage::read(path);
  if (!debug || !debug->has_debug_info || !belongs_to(*debug, module)) return std::nullopt;
  return debug;
}

}  // namespace

std::vector<std::string> debug_folders(const SymbolOptions& options) {
  std::vector<std::string> folders = options.debug_dirs;
  folders.insert(folders.end(), options.source_dirs.begin(), options.source_dirs.end());
  if (!options.system_debug_dir.empty()) folders.push_back(options.system_debug_dir);
  return folders;
}

std::string build_id_path(const std::string& folder, const std::string& id) {
  return join_path(folder, ".build-id/" + id.substr(0, 2) + "/" + id.substr(2));
}

std::optional<ElfImage> find_debug_file(const ElfImage& module, const SymbolOptions& options) {
  const std::vector<std::string> folders = debug_folders(options);
  std::vector<std::string> paths;
  if (module.build_id.size() > 2) {
    for (const std::string& folder : folders) {
      paths.push_back(build_id_path(folder, module.build_id) + ".debug");
    }
  }
  if (module.debug_link) {
    for (std::string& path : linked_paths(module, module.debug_link->name, folders)) {
      paths.push_back(std::move(path));
    }
  }
  for (const std::string& path : paths) {
    if (auto debug = try_file(path, module)) return debug;
  }
  return std::nullopt;
}

}  // namespace cdr::symbols

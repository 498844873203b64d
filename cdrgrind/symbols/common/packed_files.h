// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files that came with a trace: the object files that it names, as they were found when it was packed, and sources.
// They stand in for those of this machine. Everything that reads object files opens them by path, so their content is
// put into memory that has one (memfd_create), when it is first asked for; it is there as long as this is.
#ifndef CDRGRIND_SYMBOLS_COMMON_PACKED_FILES_H
#define CDRGRIND_SYMBOLS_COMMON_PACKED_FILES_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/symbols/common/names.h"

namespace cdr::symbols {

// Not thread-safe.
class PackedFiles {
 public:
  using Bytes = std::vector<std::uint8_t>;
  struct File {
    std::uint32_t content = 0;  // its number, 0 = there is no such file
    std::int64_t modified_at = 0;
  };
  struct Binary {
    BinaryNote note;  // what was said of it then
    File image;       // with the code
    File debug;       // a separate debug file
  };
  struct Source {
    std::string path;  // where it was found
    File file;
  };

  // `content(number)` is read when it is needed; its errors pass through.
  explicit PackedFiles(std::function<Bytes(std::uint32_t)> content) : content_(std::move(content)) {}
  ~PackedFiles();
  PackedFiles(const PackedFiles&) = delete;
  PackedFiles& operator=(const PackedFiles&) = delete;

  // `key`: binary_key() of the module. `name`: as debug information has it.
  void add_binary(std::string key, Binary binary) { binaries_.insert_or_assign(std::move(key), std::move(binary)); }
  void add_source(std::string name, Source source) { sources_.insert_or_assign(std::move(name), std::move(source)); }
  // Sources that are not here are nowhere.
  void set_has_sources() { has_sources_ = true; }
  bool has_sources() const { return has_sources_; }

  const Binary* binary(const std::string& key) const;
  const std::map<std::string, Source>& sources() const { return sources_; }
  Bytes content(std::uint32_t number) const { return content_(number); }
  // A path by which the file can be opened. Throws std::system_error.
  std::string open(const File& file);

 private:
  std::function<Bytes(std::uint32_t)> content_;
  std::map<std::string, Binary> binaries_;
  std::map<std::string, Source> sources_;
  std::map<std::pair<std::uint32_t, std::int64_t>, int> open_;  // descriptors
  bool has_sources_ = false;
};

// What tells the recorded file from others: its path, and its checksum or build-id.
std::string binary_key(const std::string& path, const std::string& build_id,
                       const std::optional<std::uint64_t>& checksum);

}  // namespace cdr::symbols

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
// Files through Valgrind's functions: whole reads and writes.
#ifndef CDRGRIND_TOOL_FILES_H
#define CDRGRIND_TOOL_FILES_H

#include <cstdint>
#include <span>
#include <string_view>

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// Nothing of a null pointer.
inline std::string_view view(const HChar* text) {
  return text ? std::string_view(text, VG_(strlen)(text)) : std::string_view();
}

// A pipe that nobody reads any more is a failure like others: its signal does not reach the client.
bool write_all(Int fd, std::span<const uint8_t> bytes);
// Bytes read; fewer at the end of the file.
uint64_t read_all(Int fd, std::span<uint8_t> room);
// The text of a file, or its beginning if that is longer; empty if there is none. A terminating 0 stands behind it.
std::string_view read_text(const HChar* path, std::span<HChar> room);
// Whether a file of this process may be so large: going beyond would be a signal.
bool within_size_limit(uint64_t bytes);

template <class T>
std::span<const uint8_t> bytes_of(std::span<const T> s) {
  return {reinterpret_cast<const uint8_t*>(s.data()), s.size_bytes()};
}

}  // namespace cdr::tool

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/base/elf_build_id.h"
#include "tests/unit/catch.h"

#include <string>
#include <vector>

using namespace cdr;

namespace {

using Bytes = std::vector<uint8_t>;

template <class T>
void put(Bytes& to, size_t at, T v) {
  if (to.size() < at + sizeof v) to.resize(at + sizeof v);
  std::memcpy(to.data() + at, &v, sizeof v);
}

void pad(Bytes& to, size_t align) { to.resize((to.size() + align - 1) / align * align); }

void add_note(Bytes& to, const std::string& name, uint32_t type, const std::string& content, size_t align) {
  put(to, to.size(), static_cast<uint32_t>(name.size() + 1));
  put(to, to.size(), static_cast<uint32_t>(content.size()));
  put(to, to.size(), type);
  to.insert(to.end(), name.begin(), name.end());
  to.push_back(0);
  pad(to, align);
  to.insert(to.end(), content.begin(), content.end());
  pad(to, align);
}

struct Segment {
  uint32_t type = 4;
  uint64_t align = 4;
  Bytes content;
};

// A header, the segments' headers and then what they hold.
Bytes file_of(const std::vector<Segment>& segments) {
  Bytes file = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  file.resize(64);
  put<uint64_t>(file, 32, 64);
  put<uint16_t>(file, 54, 56);
  put(file, 56, static_cast<uint16_t>(segments.size()));
  file.resize(64 + 56 * segments.size());
  for (size_t i = 0; i < segments.size(); ++i) {
    const size_t at = 64 + 56 * i;
    put(file, at, segments[i].type);
    put<uint64_t>(file, at + 8, file.size());
    put<uint64_t>(file, at + 32, segments[i].content.size());
    put(file, at + 48, segments[i].align);
    file.insert(file.end(), segments[i].content.begin(), segments[i].content.end());
  }
  return file;
}

std::string id_in(const Bytes& file) {
  const BuildId id = find_build_id([&](uint64_t offset, std::span<uint8_t> to) {
    if (offset > file.size() || to.size() > file.size() - offset) return false;
    std::copy_n(file.begin() + static_cast<ptrdiff_t>(offset), to.size(), to.begin());
    return true;
  });
  return std::string(id.bytes());
}

Bytes notes(size_t align) {
  Bytes content;
  add_note(content, "GNU", 1, std::string(16, 'a'), align);  // the system's version
  add_note(content, "Go", 4, "not this one", align);
  add_note(content, "stapsdt", 3, "nor this one", align);
  add_note(content, "GNU", 3, "the build-id of it all", align);
  add_note(content, "GNU", 3, "a second one", align);
  return content;
}

}  // namespace

TEST_CASE("the build-id is the first GNU note of type 3, however notes are aligned") {
  for (const size_t align : {4, 8}) {
    INFO(align);
    CHECK(id_in(file_of({{1, 4096, Bytes(40)}, {4, align, notes(align)}})) == "the build-id of it all");
  }
  Bytes property;
  add_note(property, "GNU", 5, std::string(16, 'p'), 8);
  CHECK(id_in(file_of({{4, 8, property}, {4, 4, notes(4)}})) == "the build-id of it all");
}

TEST_CASE("a file without build-id has none") {
  Bytes other;
  add_note(other, "GNU", 1, std::string(16, 'a'), 4);
  CHECK(id_in(file_of({{4, 4, other}})).empty());
  CHECK(id_in(file_of({{1, 4, notes(4)}})).empty());  // not a segment of notes
  CHECK(id_in(file_of({})).empty());
  CHECK(id_in({}).empty());
  Bytes script = file_of({{4, 4, notes(4)}});
  script[1] = 'e';
  CHECK(id_in(script).empty());
  Bytes of_32_bits = file_of({{4, 4, notes(4)}});
  of_32_bits[4] = 1;
  CHECK(id_in(of_32_bits).empty());
}

TEST_CASE("a build-id that is too long for us is none, one that just fits is one") {
  for (const size_t size : {1, 64, 65}) {
    Bytes content;
    add_note(content, "GNU", 3, std::string(size, 'x'), 4);
    CHECK(id_in(file_of({{4, 4, content}})) == (size > kMaxFileIdBytes ? "" : std::string(size, 'x')));
  }
}

TEST_CASE("damaged headers and notes end the search") {
  const Bytes whole = file_of({{4, 4, notes(4)}});
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::string id = id_in({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
    CHECK((id.empty() || id == "the build-id of it all"));
  }
  Bytes wild = whole;
  put<uint64_t>(wild, 64 + 32, ~uint64_t{0});  // a segment without end
  CHECK(id_in(wild) == "the build-id of it all");
  put<uint32_t>(wild, 64 + 56, ~uint32_t{0});  // a name of 4 GB
  CHECK(id_in(wild).empty());
  put<uint64_t>(wild, 32, ~uint64_t{0} - 8);  // segments behind the end of all files
  CHECK(id_in(wild).empty());
}

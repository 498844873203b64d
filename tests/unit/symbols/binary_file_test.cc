// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/files/binary_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/symbols/symbols.h"
#include "tests/unit/catch.h"
#include "tests/unit/symbols/compiled_program.h"

namespace fs = std::filesystem;
using namespace cdr::symbols;
using namespace cdr::symbols::testing;

namespace {

const std::string kOldId = "1234567890abcdef", kNewId = "1234567890abcd00";

const std::string& program_with(const std::string& flags) { return sample_program(cxx() + " -O2 -g " + flags); }
const std::string& old_program() { return program_with("-Wl,--build-id=0x" + kOldId); }
const std::string& new_program() { return program_with("-Wl,--build-id=0x" + kNewId); }

std::uint64_t checksum_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return cdr::checksum64({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

// A folder with a program in bin/, which was `recorded` and is now what is there.
struct Place {
  std::string dir = fresh_dir();
  Module module;
  SymbolOptions options;

  explicit Place(const std::string& recorded) {
    fs::create_directories(dir + "/bin");
    module.serial = 1;
    module.path = dir + "/bin/prog";
    module.build_id = kOldId;
    module.file_bytes = fs::file_size(recorded);
    options.system_debug_dir = dir + "/usr-lib-debug";
  }
  // At its path.
  Place& has(const std::string& file) { return has(file, "bin/prog"); }
  Place& has(const std::string& file, const std::string& at) {
    const fs::path to = dir + "/" + at;
    fs::create_directories(to.parent_path());
    fs::copy_file(file, to, fs::copy_options::overwrite_existing);
    return *this;
  }
  // Its build-id is not recorded: it has none.
  Place& by_checksum(const std::string& recorded) {
    module.build_id.clear();
    module.checksum = checksum_of(recorded);
    return *this;
  }

  BinaryFile find() const { return find_binary(module, options); }
  BinaryState state() const { return find().state; }
  Symbols symbols() const {
    Symbols s(options);
    s.add_module(module);
    return s;
  }
};

// What is asked of a module's file, and whether it answers.
struct Answers {
  bool function, line, variable, code;
  bool operator==(const Answers&) const = default;
};
constexpr Answers kAll = {true, true, true, true}, kNone = {}, kNoCode = {true, true, true, false};

Answers answers_of(Symbols symbols) {
  const std::uint64_t entry = address_of(old_program(), "main"), grid = address_of(old_program(), "grid");
  return {symbols.function_of(1, entry).name == "main", symbols.line_of(1, entry).known(),
          symbols.variable_at(1, grid + 32).has_value(), !symbols.code_at(1, entry, 4).empty()};
}

}  // namespace

TEST_CASE("the file at a module's path is used if it has the recorded build-id, and not if it has another one") {
  CHECK(Place(old_program()).has(old_program()).state() == BinaryState::kRecorded);
  const Place changed = Place(old_program()).has(new_program());
  const BinaryFile found = changed.find();
  CHECK(found.state == BinaryState::kChanged);
  CHECK_FALSE(found.image);
  CHECK(found.present_build_id == kNewId);
  CHECK(answers_of(changed.symbols()) == kNone);
  CHECK(changed.symbols().breakpoint_addresses("sample.cc", sample_line("inner")).empty());
  CHECK(changed.symbols().data_ranges(1).empty());
  CHECK(changed.symbols().thread_local_bytes(1) == 0);
  CHECK(Place(old_program()).state() == BinaryState::kMissing);
}

TEST_CASE("stripping a file and touching it does not change what was recorded") {
  const Place place = Place(old_program()).has(old_program());
  run("strip " + place.module.path);
  CHECK(fs::file_size(place.module.path) != place.module.file_bytes);
  fs::last_write_time(place.module.path, fs::file_time_type::clock::now());
  CHECK(place.state() == BinaryState::kRecorded);
}

TEST_CASE("files without build-id are told apart by all of their bytes, also if they are of the same size") {
  const std::string plain = program_with("-Wl,--build-id=none");
  Place place = Place(plain).has(plain).by_checksum(plain);
  CHECK(place.state() == BinaryState::kRecorded);
  const auto damage = [&](std::streamoff at) {
    std::fstream file(place.module.path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    const char old = static_cast<char>(file.get());
    file.seekp(at);
    file.put(static_cast<char>(old ^ 1));
  };
  for (const std::uint64_t at : {std::uint64_t{9}, place.module.file_bytes / 2, place.module.file_bytes - 1}) {
    damage(static_cast<std::streamoff>(at));
    CHECK(place.state() == BinaryState::kChanged);
    damage(static_cast<std::streamoff>(at));
    CHECK(place.state() == BinaryState::kRecorded);
  }
  std::ofstream(place.module.path, std::ios::app) << 'x';
  CHECK(place.state() == BinaryState::kChanged);
  CHECK(Place(plain).has(new_program()).by_checksum(plain).state() == BinaryState::kChanged);
}

TEST_CASE("the recorded file is found in the debug folders by name and by build-id") {
  for (const std::string at : {"kept/prog", "kept/.build-id/12/34567890abcdef", "below"}) {
    INFO(at);
    Place place = Place(old_program()).has(new_program());
    place.options.debug_dirs = {place.dir + "/empty", place.dir + "/kept"};
    const std::string where = at == "below" ? "kept/" + place.module.path : at;
    place.has(new_program(), where);
    CHECK(place.state() == BinaryState::kChanged);
    place.has(old_program(), where);
    const BinaryFile found = place.find();
    CHECK(found.state == BinaryState::kFound);
    REQUIRE(found.image);
    CHECK(fs::equivalent(found.image->path, place.dir + "/" + where));
    CHECK(answers_of(place.symbols()) == kAll);
    place.options.debug_dirs.clear();
    CHECK(place.state() == BinaryState::kChanged);
  }
  Place gone = Place(old_program()).has(old_program(), "usr-lib-debug/.build-id/12/34567890abcdef");
  CHECK(gone.state() == BinaryState::kFound);
}

TEST_CASE("a debug file of the recorded build-id gives names and lines, and no code") {
  Place place = Place(old_program()).has(new_program());
  run("objcopy --only-keep-debug " + old_program() + " " + place.dir + "/old.debug");
  run("objcopy --only-keep-debug " + new_program() + " " + place.dir + "/new.debug");
  const std::string at = "usr-lib-debug/.build-id/12/34567890abcdef.debug";
  place.has(place.dir + "/new.debug", at);
  CHECK(place.state() == BinaryState::kChanged);
  CHECK(answers_of(place.symbols()) == kNone);
  place.has(place.dir + "/old.debug", at);
  CHECK(place.state() == BinaryState::kFound);
  CHECK(answers_of(place.symbols()) == kNoCode);
  Symbols whole = Place(old_program()).has(old_program()).symbols();
  CHECK(place.symbols().data_ranges(1).size() == whole.data_ranges(1).size());
  CHECK(place.symbols().thread_local_bytes(1) == whole.thread_local_bytes(1));

  // The stripped program beside it brings the code.
  run("strip -o " + place.dir + "/stripped " + old_program());
  place.has(place.dir + "/stripped", "usr-lib-debug/prog");
  CHECK(answers_of(place.symbols()) == kAll);
}

TEST_CASE("a trace that does not tell files apart uses what is there, and says if it is newer") {
  Place place = Place(old_program()).has(new_program());
  place.module.build_id.clear();
  place.module.file_bytes = 0;
  CHECK(place.state() == BinaryState::kRecorded);
  const auto modified = ElfImage::read(place.module.path)->modified_at;
  place.module.recorded_at = modified;
  CHECK(place.state() == BinaryState::kRecorded);
  CHECK(place.symbols().binaries().empty());
  place.module.recorded_at = modified - 1;
  CHECK(place.state() == BinaryState::kNewer);
  CHECK(answers_of(place.symbols()).function);
  REQUIRE(place.symbols().binaries().size() == 1);
  // The recorded one is not known, so none is looked for.
  fs::remove(place.module.path);
  place.has(old_program(), "usr-lib-debug/prog");
  CHECK(place.state() == BinaryState::kMissing);
  CHECK(place.symbols().binaries().empty());
}

TEST_CASE("a path map that leads to another file does not hide the recorded one") {
  Place place = Place(old_program()).has(old_program()).has(new_program(), "copy/prog");
  place.options.path_maps = {{place.dir + "/bin", place.dir + "/copy"}};
  CHECK(place.state() == BinaryState::kRecorded);
  place.has(new_program());
  CHECK(place.state() == BinaryState::kChanged);
  place.has(old_program(), "copy/prog");
  CHECK(place.state() == BinaryState::kRecorded);
}

TEST_CASE("each file is told once, the recorder's own not at all") {
  const Place place = Place(old_program()).has(new_program());
  Symbols symbols;
  Module module = place.module;
  symbols.add_module(module);
  module.serial = 2;
  symbols.add_module(module);
  module.serial = 3;
  module.path = place.dir + "/gone";
  symbols.add_module(module);
  module.serial = 4;
  module.path = place.dir + "/ours";
  module.is_recorders = true;
  symbols.add_module(module);
  const auto notes = symbols.binaries();
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].state == BinaryState::kChanged);
  CHECK(notes[0].build_id == kOldId);
  CHECK(notes[0].present_build_id == kNewId);
  CHECK(notes[1].state == BinaryState::kMissing);
  CHECK(notes[1].path == place.dir + "/gone");
}

// SPDX-License-Identifier: GPL-2.0-or-later
// make_corpus FOLDER: writes the seeds that are built in code: traces of the small program of the unit tests,
// its parts, line programs, command lines. make_corpus FOLDER NAME TRACE…: recorded traces become seeds NAME-1,
// NAME-2… too. Always the same bytes. make_corpus.sh makes the whole corpus.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "cdrgrind/depend/engine.h"
#include "cdrgrind/encode/address_streams.h"
#include "cdrgrind/encode/epoch.h"
#include "tests/fuzz/frames_input.h"
#include "tests/fuzz/mutation.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;

namespace {

class Corpus {
 public:
  explicit Corpus(std::string folder) : folder_(std::move(folder)) {}

  void add(const std::string& target, const std::string& name, std::span<const uint8_t> bytes) const {
    const std::string dir = folder_ + "/" + target;
    std::filesystem::create_directories(dir);
    std::ofstream to(dir + "/" + name, std::ios::binary);
    to.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  void add(const std::string& target, const std::string& name, std::string_view text) const {
    add(target, name, {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }

 private:
  std::string folder_;
};

depend::ResultTable dependences_of(const trace::TraceFile& file) {
  depend::Engine engine(file.modules(), file.blocks(), {});
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) dispatch(e, engine);
  return engine.results();
}

// A trace as a file, as frames, its first events and its dependences.
void add_trace(const Corpus& to, const std::string& name, const trace::TraceFile& file,
               std::span<const uint8_t> bytes) {
  to.add("trace_file", name, bytes);
  to.add("trace_frames", name, fuzz::frames_of(file));
  ByteWriter table;
  depend::write(dependences_of(file), table);
  to.add("dependences", name, table.bytes());
}

void add_small_program(const Corpus& to) {
  const test::SmallProgram program = test::small_program();
  for (const uint32_t frame_bytes : {100, 4096}) {
    const auto bytes = program.bytes({.zstd_level = 1, .raw_frame_bytes = frame_bytes});
    add_trace(to, "small-" + std::to_string(frame_bytes), test::open_bytes(bytes), bytes);
  }
  test::SmallProgram identified = program;
  identified.module.file_bytes = 4096;
  constexpr std::pair<ControlForm, const char*> kForms[] = {{ControlForm::kGrammar, "small-grammars"},
                                                            {ControlForm::kRuns, "small-runs"},
                                                            {ControlForm::kPredicted, "small-predicted"},
                                                            {ControlForm::kAuto, "small-pieces"}};
  for (const auto& [control, name] : kForms) {
    const bool by_checksum = control == ControlForm::kRuns;
    identified.module.file_id_kind = by_checksum ? FileIdKind::kChecksum : FileIdKind::kBuildId;
    identified.module.file_id = by_checksum ? "checksum" : "a build-id of 20 byt";
    const auto bytes = identified.bytes(
        {.zstd_level = 1, .form = RecordingForm::kCompact, .epoch_blocks = 8, .control = control, .control_window = 1});
    add_trace(to, name, test::open_bytes(bytes), bytes);
  }
  const auto file = test::open_bytes(program.bytes());
  to.add("events", "small", file.payload(file.frames()[file.event_frames()[0]]));
}

// Small files that used to take gigabytes: a thread with the highest number that does nothing, and a column of 256 MiB.
void add_greedy(const Corpus& to) {
  const auto bytes = test::small_program().bytes({.zstd_level = 1, .form = RecordingForm::kCompact});
  const auto before = [](std::vector<uint8_t> text) {
    return [=](std::vector<uint8_t>& column) { column.insert(column.begin(), text.begin(), text.end()); };
  };
  auto named = fuzz::with_changed_column(bytes, FrameType::kTurn, kTurnThreads, before({0xff, 0xff, 0xff, 0x07}));
  for (const size_t column : {size_t{kTurnFlags}, size_t{kTurnEvents}})
    named = fuzz::with_changed_column(named, FrameType::kTurn, column, before({0}));
  to.add("trace_file", "greedy-thread", named);
  to.add("trace_file", "greedy-column",
         fuzz::with_changed_column(bytes, FrameType::kAddress, kAddrDiffs,
                                   [](std::vector<uint8_t>& column) { column.assign(256 << 20, 0); }));
}

// A version 4 program of two sequences with every standard opcode, and headers of list tables.
void add_line_programs(const Corpus& to) {
  ByteWriter body;
  for (const int v : {1, 1, 1, 251, 14, 13}) body.u8(static_cast<uint8_t>(v));  // …line base, range, opcode base
  for (const int v : {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1}) body.u8(static_cast<uint8_t>(v));  // operands
  body.raw("dir\0\0file.c\0\0\0\0\0", 16);
  const auto header = body.bytes().size();
  for (int sequence = 0; sequence < 2; ++sequence) {
    body.raw("\0\x09\x02\x00\x10\x40\0\0\0\0\0", 11);  // set_address
    for (const int v : {1, 2, 4, 3, 10, 4, 1, 5, 7, 6, 7, 8, 9, 16, 0, 10, 11, 12, 1, 30, 200, 2, 3, 0, 1, 1})
      body.u8(static_cast<uint8_t>(v));
  }
  ByteWriter unit;
  unit.u32(static_cast<uint32_t>(6 + body.size()));
  unit.u8(4);
  unit.u8(0);
  unit.u32(static_cast<uint32_t>(header));
  unit.raw(body.bytes().data(), body.size());
  to.add("line_program", "version-4", unit.bytes());
  const uint8_t lists[] = {16, 0, 0, 0, 5, 0, 8, 0, 1, 0, 0, 0, 4, 0, 0, 0, 7, 1, 2, 0};
  to.add("line_program", "list-headers", lists);
}

void add_options(const Corpus& to) {
  using namespace std::string_view_literals;
  to.add("options", "annotate",
         "--path-map=/a/b=/c/\0--kind=raw,WAR\0--class=s,all\0--function=f*[a-z]\0--context=3\0t"sv);
  to.add("options", "dump", "--events=block,sync,thread-start\0--from=7\0--count\09\0--thread=2\0--at-sync=1\0t"sv);
  to.add("options", "record", "--cdr-data=none\0--trace-children=yes\0-q\0--\0prog\0it's $HOME\n"sv);
  to.add("options", "paths", "/usr/../a/./b//c/\0../../x\0_ZN5outer5ArrayIlLi4EE2atEi@plt"sv);
}

std::vector<uint8_t> bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: make_corpus FOLDER [NAME TRACE...]\n");
    return 2;
  }
  const Corpus corpus(argv[1]);
  if (argc == 2) {
    add_small_program(corpus);
    add_greedy(corpus);
    add_line_programs(corpus);
    add_options(corpus);
  }
  for (int i = 3; i < argc; ++i) {
    const auto bytes = bytes_of(argv[i]);
    add_trace(corpus, std::string(argv[2]) + "-" + std::to_string(i - 2), test::open_bytes(bytes), bytes);
  }
  return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/trace_file.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

#include "cdrgrind/trace/read/reencode.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;

namespace {

// Everything in frames of a few events, so that damage hits each kind of frame.
std::vector<uint8_t> small_bytes(RecordingForm form = RecordingForm::kPlain) {
  return small_program().bytes({.form = form, .raw_frame_bytes = 170, .epoch_blocks = 4});
}

Problem problem_of(const std::vector<uint8_t>& bytes) {
  try {
    const TraceFile file = open_bytes(bytes);
    all_events(file);
  } catch (const TraceError& e) {
    return e.problem();
  }
  FAIL("no error");
  return {};
}

std::string message_of(const std::vector<uint8_t>& bytes) {
  try {
    all_events(open_bytes(bytes));
  } catch (const TraceError& e) {
    return e.what();
  }
  return "";
}

// A file with our header and one frame more behind RUN.
std::vector<uint8_t> with_frame(FrameType type, uint16_t flags, std::vector<uint8_t> payload = {}) {
  MemoryOutput out;
  FrameWriter writer(out, 1);
  ByteWriter run;
  encode_run({}, run);
  writer.write({.type = FrameType::kRun}, run.bytes());
  writer.write({.type = type, .flags = flags}, payload);
  return out.bytes;
}

}  // namespace

TEST_CASE("a trace says what was recorded") {
  const TraceFile file = open_bytes(small_bytes());
  CHECK(file.status() == Status::kComplete);
  CHECK(file.status_text().empty());
  CHECK(file.version() == kFormatVersion2);
  CHECK(file.run().pid == 71);
  CHECK(file.meta().find("program") == "/bin/true");
  CHECK(file.meta().all("arg") == std::vector<std::string_view>{"a", ""});
  CHECK_FALSE(file.meta().find("absent"));
  CHECK(file.modules().size() == 1);
  CHECK(file.modules()[ModuleId(1)].path == "/bin/small");
  CHECK(file.blocks().block_count() == 10);
  CHECK(file.event_frames().size() > 2);
  CHECK_FALSE(file.depend());
  CHECK(file.frames().front().header.type == FrameType::kRun);
  CHECK_FALSE(file.frames().front().header.compressed());
}

TEST_CASE("END counts events, blocks, instructions, accesses and threads") {
  const TraceFile file = open_bytes(small_bytes());
  const End& end = *file.end();
  CHECK(end.counter("events") == small_program().events.size());
  CHECK(end.counter("blocks") == 12);
  // call_f, f 3, lock, syscall, loop 2+2, handler, loop 2, body, call_g 2, g, call_f 2; then the partials 1 + 2.
  CHECK(end.counter("instructions") == 2 + 3 + 1 + 1 + 4 + 1 + 2 + 1 + 2 + 1 + 2 + 3);
  // The guarded store of f happened only in the second partial.
  CHECK(end.counter("accesses") == 1 + 2 + 0 + 0 + 4 + 0 + 2 + 0 + 1 + 0 + 1 + 1 + 2);
  CHECK(end.counter("threads") == 2);
  CHECK(end.texts.find("exit") == "exit 0");
}

TEST_CASE("every truncation opens with a prefix of the events, or says why not") {
  const auto whole = small_bytes();
  const auto events = all_events(open_bytes(whole));
  size_t opened = 0;
  for (size_t n = 0; n < whole.size(); ++n) {
    const std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(n));
    try {
      const TraceFile file = open_bytes(cut);
      const auto prefix = all_events(file);
      ++opened;
      REQUIRE(file.status() != Status::kComplete);
      REQUIRE_FALSE(file.status_text().empty());
      REQUIRE(prefix.size() == file.event_count());
      REQUIRE(prefix.size() <= events.size());
      REQUIRE(std::equal(prefix.begin(), prefix.end(), events.begin()));
      MemoryOutput again;
      reencode(file, again);
    } catch (const TraceError& e) {
      REQUIRE(e.problem() == Problem::kEmpty);
      REQUIRE(n < kFileHeaderBytes + kFrameHeaderBytes + kRunBytes);
    }
  }
  CHECK(opened == whole.size() - (kFileHeaderBytes + kFrameHeaderBytes + kRunBytes));
}

TEST_CASE("a file that ends with a whole frame but no END was killed") {
  const auto whole = small_bytes();
  const TraceFile file = open_bytes(whole);
  const auto end = static_cast<ptrdiff_t>(file.frames().back().offset);
  const TraceFile killed = open_bytes({whole.begin(), whole.begin() + end});
  CHECK(killed.status() == Status::kKilled);
  CHECK(killed.event_count() == file.event_count());
}

TEST_CASE("a trace whose last frame announces an exec ended by it, unless the call failed") {
  const auto with_execs = [](std::initializer_list<ExecInfo> execs) {
    const SmallProgram p = small_program();
    const Tables tables = p.tables();
    MemoryOutput out;
    Recording to(out, tables.modules, tables.blocks, {.pid = 71}, {});
    for (const OwnedEvent& e : p.events) dispatch(e.view(), to);
    for (const ExecInfo& exec : execs) {
      ByteWriter payload;
      encode_exec(exec, payload);
      to.add_frame(FrameType::kExec, payload.bytes());
    }
    return out.bytes;
  };
  const TraceFile ended = open_bytes(with_execs({{.path = "/none"}, {.error = 2}, {.path = "/bin/echo"}}));
  CHECK(ended.status() == Status::kExec);
  CHECK(ended.exec_path() == "/bin/echo");
  CHECK(ended.status_text().empty());
  CHECK(ended.event_count() == small_program().events.size());

  const TraceFile killed = open_bytes(with_execs({{.path = "/none"}, {.error = 2}}));
  CHECK(killed.status() == Status::kKilled);
  CHECK(killed.exec_path().empty());

  auto bytes = with_execs({{.path = "/bin/echo"}});
  bytes.push_back(0);
  CHECK(open_bytes(bytes).status() == Status::kCut);
}

TEST_CASE("a changed byte gives an error or the same content") {
  const auto whole = small_bytes(GENERATE(RecordingForm::kPlain, RecordingForm::kCompact));
  const auto events = all_events(open_bytes(whole));
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const uint8_t flip : {0x01, 0x80, 0xff}) {
      auto bytes = whole;
      bytes[i] ^= flip;
      try {
        const bool same = all_events(open_bytes(bytes)) == events;
        REQUIRE(same);
      } catch (const TraceError& e) {
        REQUIRE(std::string(e.what()).starts_with("test.trace: "));
      }
    }
  }
}

TEST_CASE("bytes of a payload changed together with the checksums never crash the reader") {
  // What a checksum would hide: damage that reaches the decoders.
  const auto whole = small_bytes(GENERATE(RecordingForm::kPlain, RecordingForm::kCompact));
  const TraceFile file = open_bytes(whole);
  for (const Frame& f : file.frames()) {
    const auto payload = file.payload(f);
    for (size_t i = 0; i < payload.size(); ++i) {
      for (const uint8_t value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
        MemoryOutput out;
        FrameWriter writer(out, 1, file.version());
        for (const Frame& g : file.frames()) {
          auto copy = file.payload(g);
          if (g.offset == f.offset) copy[i] = value;
          const FrameHeader& h = g.header;
          writer.write({.type = h.type, .thread = h.thread, .first_event = h.first_event, .event_count = h.event_count},
                       copy);
        }
        try {
          all_events(open_bytes(out.bytes));
        } catch (const TraceError& e) {
          REQUIRE(e.problem() == Problem::kDamaged);
        }
      }
    }
  }
}

TEST_CASE("what cannot be read is told apart") {
  CHECK(problem_of({}) == Problem::kEmpty);
  CHECK(problem_of({'h', 'e', 'l', 'l', 'o'}) == Problem::kNotATrace);
  const auto header = encode_file_header(kFormatVersion + 6);
  CHECK(problem_of({header.begin(), header.end()}) == Problem::kNewerVersion);
  const std::string newer = "version " + std::to_string(kFormatVersion + 6);
  CHECK(message_of({header.begin(), header.end()}).find(newer) != std::string::npos);
  CHECK(problem_of(with_frame(FrameType::kSync, kFrameRequired)) == Problem::kUnknownFrame);
  const std::string present = "version " + std::to_string(kFormatVersion2);
  CHECK(message_of(with_frame(FrameType::kSync, kFrameRequired)).find(present) != std::string::npos);
  CHECK(problem_of(with_frame(FrameType::kRun, kFrameRequired)) == Problem::kDamaged);
  CHECK(problem_of(with_frame(FrameType::kExits, kFrameRequired, {0, 1, 2, 0})) == Problem::kDamaged);
  CHECK_THROWS_AS(TraceFile::open("/nonexistent/x"), TraceError);
  CHECK_THROWS_WITH(TraceFile::open("/nonexistent/x"),
                    Catch::Matchers::ContainsSubstring("/nonexistent/x: cannot be opened"));
  CHECK_THROWS_WITH(TraceFile::open("/"), Catch::Matchers::ContainsSubstring("directory"));
}

TEST_CASE("a file with events of both forms is refused") {
  for (const auto first : {RecordingForm::kPlain, RecordingForm::kCompact}) {
    const bool plain = first == RecordingForm::kPlain;
    const TraceFile parts[] = {open_bytes(small_bytes(first)),
                               open_bytes(small_bytes(plain ? RecordingForm::kCompact : RecordingForm::kPlain))};
    MemoryOutput out;
    FrameWriter writer(out, 1, kFormatVersion);
    uint64_t events = 0;
    for (const TraceFile& part : parts)
      for (const Frame& f : part.frames()) {
        const FrameHeader& h = f.header;
        const bool again = &part == &parts[1] && !has_events(h.type) && h.type < FrameType::kStretches;
        if (again || h.type == FrameType::kIndex || h.type == FrameType::kEnd) continue;
        writer.write({.type = h.type, .thread = h.thread, .first_event = events, .event_count = h.event_count},
                     part.payload(f));
        events += h.event_count;
      }
    CHECK(message_of(out.bytes).find("either EVENTS or epochs") != std::string::npos);
  }
}

TEST_CASE("a frame of an unknown optional type is skipped") {
  const TraceFile file = open_bytes(with_frame(static_cast<FrameType>(999), 0, {1, 2, 3}));
  CHECK(file.frames().size() == 2);
  CHECK(file.event_count() == 0);
}

TEST_CASE("an error names the file, the place and what to do") {
  auto bytes = small_bytes();
  const TraceFile file = open_bytes(bytes);
  const Frame& events = file.frames()[file.event_frames()[0]];
  bytes[events.offset + kFrameHeaderBytes] ^= 1;
  CHECK_THAT(message_of(bytes), Catch::Matchers::StartsWith("test.trace: offset 0x") &&
                                    Catch::Matchers::ContainsSubstring("(EVENTS)") &&
                                    Catch::Matchers::EndsWith("try 'cdrgrind verify')"));
}

TEST_CASE("a file on disk is read like bytes in memory") {
  const auto path = std::filesystem::temp_directory_path() / ("cdr_trace_file_test." + std::to_string(::getpid()));
  const auto bytes = small_bytes();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  {
    const TraceFile file = TraceFile::open(path.string());
    CHECK(file.bytes() == bytes.size());
    CHECK(all_events(file) == small_program().events);
  }
  std::filesystem::remove(path);
}

TEST_CASE("a trace whose writer had no room is cut, wherever it happened") {
  const auto whole = small_bytes();
  const auto events = small_program().events;
  for (size_t room = kFileHeaderBytes + kFrameHeaderBytes + kRunBytes; room < whole.size(); room += 7) {
    const SmallProgram p = small_program();
    const Tables t = p.tables();
    MemoryOutput out;
    out.room = room;
    Recording to(out, t.modules, t.blocks, {}, {}, {.zstd_level = 1, .raw_frame_bytes = 170});
    for (const OwnedEvent& e : p.events) dispatch(e.view(), to);
    to.close({.exit = "exit 0"});
    if (!to.cut()) continue;
    CHECK(out.writes_after_failure == 0);
    const TraceFile file = open_bytes(out.bytes);
    REQUIRE(file.status() == Status::kCut);
    const auto prefix = all_events(file);
    REQUIRE(std::equal(prefix.begin(), prefix.end(), events.begin()));
  }
}

namespace {

// A file of these bytes that somebody has locked, as a recorder does.
class LockedFile {
 public:
  explicit LockedFile(std::span<const uint8_t> bytes)
      : path_(std::filesystem::temp_directory_path() / "cdrgrind-XXXXXX") {
    fd_ = mkstemp(path_.data());
    struct flock all = {};
    all.l_type = F_WRLCK;
    REQUIRE(fcntl(fd_, F_OFD_SETLK, &all) == 0);
    REQUIRE(write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  ~LockedFile() {
    close(fd_);
    std::filesystem::remove(path_);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int fd_;
};

}  // namespace

TEST_CASE("a file that somebody writes is neither cut nor killed, but goes on") {
  const auto whole = small_bytes();
  const TraceFile file = open_bytes(whole);
  const auto bytes = std::span(whole);
  const size_t end = file.frames().back().offset;
  for (const size_t n : {end, end + 1}) {
    const LockedFile locked(bytes.first(n));
    const TraceFile going = TraceFile::open(locked.path());
    CHECK(going.status() == Status::kWriting);
    CHECK(going.status_text().find("still being written by process " + std::to_string(file.run().pid) +
                                   " (recording goes on)") != std::string::npos);
    CHECK(going.event_count() == file.event_count());
  }
  const LockedFile nothing(bytes.first(kFileHeaderBytes));
  try {
    TraceFile::open(nothing.path());
    FAIL("no error");
  } catch (const TraceError& e) {
    CHECK(e.problem() == Problem::kEmpty);
    CHECK(std::string(e.what()).find("still being written") != std::string::npos);
  }
  const LockedFile closing(bytes);
  CHECK(TraceFile::open(closing.path()).status() == Status::kComplete);
}

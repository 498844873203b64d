// SPDX-License-Identifier: GPL-2.0-or-later
// Traces that somebody changed: byte by byte, and with lengths that are not there. Whatever is done to a file, it
// is refused or read as before, in memory that its size bounds.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <new>

#include "cdrgrind/encode/address_streams.h"
#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/encode/event_log.h"
#include "cdrgrind/encode/thread_states.h"
#include "cdrgrind/format/dataflow_codec.h"
#include "cdrgrind/trace/check/checker.h"
#include "cdrgrind/trace/read/dataflow_reader.h"
#include "tests/fuzz/frames_input.h"
#include "tests/fuzz/mutation.h"
#include "tests/unit/catch.h"
#include "tests/unit/fuzz/source_tree.h"
#include "tests/unit/trace/control_forms.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;

namespace {

// Bytes that a reader of a few kB may take. Address checks keep 256 MB of freed memory, and more beside it.
#ifdef __SANITIZE_ADDRESS__
constexpr rlim_t kRoom = 2048ull << 20;
#else
constexpr rlim_t kRoom = 192 << 20;
#endif

// What a reader gets out of a file.
struct Content {
  std::vector<std::pair<std::string, std::string>> meta;
  std::vector<OwnedEvent> events;
  std::vector<uint8_t> tables;
  std::optional<std::vector<uint8_t>> depend;
  std::vector<std::pair<std::string, uint64_t>> counters;
  bool operator==(const Content&) const = default;
};

Content content_of(const TraceFile& file) {
  Content c;
  c.meta = file.meta().entries();
  c.events = all_events(file);
  ByteWriter tables;
  encode_modules(file.modules(), {0, file.modules().size()}, tables);
  encode_superblocks(file.blocks(), {0, file.blocks().superblock_count()}, tables);
  encode_blocks(file.blocks(), {0, file.blocks().block_count()}, tables);
  const DataflowTable flows = read_dataflow(file);
  encode_dataflow(flows, file.blocks(), {0, flows.size()}, tables);
  c.tables.assign(tables.bytes().begin(), tables.bytes().end());
  c.depend = file.depend();
  if (file.end()) c.counters = file.end()->counters;
  return c;
}

// Whether the file was refused; if it was not, it must say the same.
bool refused_or_same(const std::vector<uint8_t>& bytes, const Content& whole) {
  try {
    const TraceFile file = open_bytes(bytes);
    for (const Frame& frame : file.frames()) file.payload(frame);  // refuses nearly all, and fast
    const bool same = content_of(file) == whole;
    CHECK(same);
    check(file);
    return false;
  } catch (const TraceError&) {
    return true;
  }
}

using Masks = std::function<std::vector<uint8_t>(size_t)>;

// How many of the changes `masks_at(position)` of single bytes pass unseen.
size_t accepted_changes(std::vector<uint8_t> bytes, const Masks& masks_at, size_t step = 1) {
  const Content whole = content_of(open_bytes(bytes));
  size_t accepted = 0;
  for (size_t at = 0; at < bytes.size(); at += step) {
    for (const uint8_t mask : masks_at(at)) {
      bytes[at] ^= mask;
      INFO("byte " << at << " with mask " << int{mask});
      accepted += !refused_or_same(bytes, whole);
      bytes[at] ^= mask;
    }
  }
  return accepted;
}

std::vector<uint8_t> every_bit(size_t) { return {1, 2, 4, 8, 16, 32, 64, 128, 255}; }

// All bits, and one that differs from byte to byte.
std::vector<uint8_t> two_changes(size_t at) { return {255, static_cast<uint8_t>(1 << (at * 2654435761u >> 7) % 8)}; }

rlim_t address_space_in_use() {
  unsigned long pages = 0;
  if (FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%lu", &pages) != 1) pages = 0;
    std::fclose(f);
  }
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

// Runs `work` in a process that can take kRoom bytes more than it has; its status, 99 if that was not enough.
int status_in_bounded_memory(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlim_t limit = address_space_in_use() + kRoom;
    const rlimit bounds = {limit, limit};
    if (::setrlimit(RLIMIT_AS, &bounds) != 0) ::_exit(98);
    try {
      work();
    } catch (const std::bad_alloc&) {
      ::_exit(99);
    } catch (const TraceError& e) {
      ::_exit(e.problem() == Problem::kNoMemory ? 99 : 97);
    }
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

std::vector<uint8_t> small_bytes(RecordingForm form = RecordingForm::kPlain) {
  return small_program().bytes({.zstd_level = 1, .form = form, .raw_frame_bytes = 170, .epoch_blocks = 8});
}

// Of a plain trace and of compact ones: as grammars, predicted, and both in turn.
RecordingOptions generated_form() {
  const int form = GENERATE(0, 1, 2, 3);
  RecordingOptions o;
  if (form > 0) o = compact_in_form(form == 1 ? 0 : form, form == 3 ? 1 << 24 : 8);
  o.zstd_level = 1;
  return o;
}

}  // namespace

TEST_CASE("a trace with any bit changed is refused") {
  CHECK(accepted_changes(small_bytes(), every_bit) == 0);
  CHECK(accepted_changes(small_bytes(RecordingForm::kCompact), two_changes) == 0);
  CHECK(accepted_changes(small_program().bytes(compact_in_form(2)), two_changes) == 0);
  CHECK(accepted_changes(bytes_of(source_tree("tests/traces/v1/hello.trace")), every_bit) == 0);
}

// In steps, for the time: 18 kB.
TEST_CASE("a recorded trace of threads with a byte changed is refused") {
  CHECK(accepted_changes(bytes_of(source_tree("tests/traces/v1/threads.trace")), two_changes, 7) == 0);
}

TEST_CASE("changed bytes behind right checksums neither crash nor take memory") {
  const auto bytes = small_program().bytes(generated_form());
  const auto every_change = [&] {
    for (size_t at = 0; at < bytes.size(); ++at) {
      for (const uint8_t mask : two_changes(at)) {
        auto changed = bytes;
        changed[at] ^= mask;
        fuzz::trace_file(changed);
      }
    }
  };
  CHECK(status_in_bounded_memory(every_change) == 0);
}

TEST_CASE("numbers that claim more than there is do not take memory") {
  const auto frames = fuzz::frames_of(open_bytes(small_program().bytes(generated_form())));
  const std::vector<uint8_t> claims[] = {
      {0xff, 0xff, 0x03},                                            // 65,535
      {0xfe, 0xff, 0xff, 0x0f},                                      // 2^25 - 2
      {0xff, 0xff, 0xff, 0xff, 0x0f},                                // 2^32 - 1
      {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},  // 2^64 - 1
  };
  const auto every_claim = [&] {
    for (size_t at = 0; at < frames.size(); ++at) {
      for (const auto& claim : claims) {
        auto changed = frames;
        changed.erase(changed.begin() + static_cast<ptrdiff_t>(at));
        changed.insert(changed.begin() + static_cast<ptrdiff_t>(at), claim.begin(), claim.end());
        fuzz::trace_frames(changed);
      }
    }
  };
  CHECK(status_in_bounded_memory(every_claim) == 0);
}

TEST_CASE("executions of predicted paths that are counted otherwise are found") {
  const auto bytes = small_program().bytes(compact_in_form(2));
  check(open_bytes(bytes));
  const auto another = [](std::vector<uint8_t>& text) { text.back() ^= 1; };
  const auto changed = fuzz::with_changed_column(bytes, FrameType::kControl, kPathExecuted, another);
  CHECK_THROWS_WITH(check(open_bytes(changed)), Catch::Matchers::ContainsSubstring("executions are counted"));
}

TEST_CASE("a high number of a thread, a stack or a block takes no memory") {
  const auto bytes = small_bytes(RecordingForm::kCompact);
  struct Place {
    FrameType type;
    size_t column;
  };
  std::vector<Place> places = {{FrameType::kTurn, kTurnThreads},
                               {FrameType::kControl, kPathThreads},
                               {FrameType::kThread, kStateThreads},
                               {FrameType::kAddress, kAddrThreads},
                               {FrameType::kAddress, kAddrBlocks}};
  for (uint32_t kind = 0; kind < kEventKindCount; ++kind)
    places.push_back({FrameType::kLog, kind * kLogColumns + kLogNumber});
  const auto every_place = [&] {
    for (const Place& p : places)
      for (const uint64_t number : {uint64_t{1} << 16, (uint64_t{1} << 24) - 1, uint64_t{1} << 24}) {
        const auto insert = [&](std::vector<uint8_t>& text) {
          ByteWriter varint;
          varint.varint(number);
          text.insert(text.begin(), varint.bytes().begin(), varint.bytes().end());
        };
        fuzz::trace_file(fuzz::with_changed_column(bytes, p.type, p.column, insert));
      }
  };
  CHECK(status_in_bounded_memory(every_place) == 0);
}

TEST_CASE("a thread that is named and does nothing takes no memory") {
  auto bytes = small_bytes(RecordingForm::kCompact);
  const auto before = [](std::vector<uint8_t> text) {
    return [=](std::vector<uint8_t>& to) { to.insert(to.begin(), text.begin(), text.end()); };
  };
  // A segment of turns of thread 2^24 - 1, without events.
  bytes = fuzz::with_changed_column(bytes, FrameType::kTurn, kTurnThreads, before({0xff, 0xff, 0xff, 0x07}));
  bytes = fuzz::with_changed_column(bytes, FrameType::kTurn, kTurnFlags, before({0}));
  bytes = fuzz::with_changed_column(bytes, FrameType::kTurn, kTurnEvents, before({0}));
  const TraceFile file = open_bytes(bytes);
  CHECK(status_in_bounded_memory([&] { CHECK_THROWS_AS(check(file), TraceError); }) == 0);
  CHECK(status_in_bounded_memory([&] { CHECK_THROWS_AS(all_events(file), TraceError); }) == 0);
}

TEST_CASE("what expands to more than a file of its size can mean is refused") {
  const auto bytes = small_bytes(RecordingForm::kCompact);
  const auto with_zeros = [&](size_t count) {
    return fuzz::with_changed_column(bytes, FrameType::kAddress, kAddrDiffs,
                                     [&](std::vector<uint8_t>& to) { to.assign(count, 0); });
  };
  const auto read = [](const std::vector<uint8_t>& file) {
    return status_in_bounded_memory([&] { CHECK_THROWS_AS(all_events(open_bytes(file)), TraceError); });
  };
  const auto large = with_zeros(1 << 30);
  CHECK(large.size() < 128 << 10);
  CHECK(read(large) == 0);
  CHECK(read(with_zeros(100 << 20)) == 0);
}

TEST_CASE("a few bytes of events cannot make a thread's number high") {
  const SmallProgram p = small_program();
  for (const uint32_t serial : {100u, 1u << 20}) {
    SmallProgram changed = p;
    changed.events.back().event.thread = ThreadId(serial);
    const TraceFile file = open_bytes(changed.bytes());
    if (serial == 100)
      CHECK(all_events(file).size() == p.events.size());
    else
      CHECK_THROWS_AS(all_events(file), TraceError);
  }
}

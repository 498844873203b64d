// SPDX-License-Identifier: GPL-2.0-or-later
// mpi_ranks FOLDER RANKS PATTERN ITERATIONS [SEED]: traces of an MPI program that never ran, FOLDER/0, FOLDER/1 ...
//   grid     wavefronts on a grid of ROWS columns (LU): ((recv, recv, send, send)^16, halos)^ITERATIONS
//   ring     a ring with a barrier now and then
//   random   sends and receives between random ranks with random tags, some of them lost, wildcards, collectives on two
//            communicators; ITERATIONS calls a rank
// A rank executes instructions between its calls: as many as its number and the call say.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "cdrgrind/base/mpi_calls.h"
#include "tests/unit/trace/memory_trace.h"

namespace {

using namespace cdr;
using test::event_of;

enum Function : uint32_t {
  kInit = 1,
  kFinalize = 3,
  kSend = 10,
  kRecv = 14,
  kIsend = 17,
  kIrecv = 21,
  kWaitall = 41,
  kBarrier = 50,
  kBcast = 51,
  kAllreduce = 53,
  kDup = 100
};
constexpr uint64_t kWorldHandle = 100, kSelfHandle = 200, kCopyHandle = 300;

class Rank {
 public:
  Rank(uint32_t rank, uint32_t ranks) : rank_(rank), ranks_(ranks) {
    Module m;
    m.text = {0x400000, 0x500000};
    m.path = "/nowhere/synthetic";
    m.soname = "";
    tables_.modules.add(m);
    Module library;
    library.text = {0x600000, 0x700000};
    library.path = "/nowhere/libmpi.so.40";
    library.soname = "libmpi.so.40";
    tables_.modules.add(library);
    const std::vector<Insn> insns(1, Insn{0, 4});
    Exit exit;
    exit.target = 0x400000;
    exit.insns = 1;
    exit.kind = ExitKind::kBranch;
    const std::vector<Exit> exits(1, exit);
    Superblock sb;
    sb.addr = 0x400000;
    sb.length = 4;
    sb.module = ModuleId(1);
    sb.insns = insns;
    sb.exits = exits;
    tables_.modules.size();
    block_ = tables_.blocks.add_block(tables_.blocks.add_superblock(sb), 0);
    Event start = event_of(EventKind::kThreadStart, 1);
    start.stack = StackId(1);
    start.range = {0x7ff000000000, 0x7ff000100000};
    start.sp = 0x7ff0000ff000;
    events_.emplace_back(start);
    Event module = event_of(EventKind::kModuleMapped, 1);
    module.module = ModuleId(1);
    events_.emplace_back(module);
    module.module = ModuleId(2);
    events_.emplace_back(module);
    work(1);
    call(kInit, {},
         {CDR_MPI_LIBRARY | 3 << 8, CDR_MPI_OPEN_MPI, kWorldHandle, kSelfHandle, CDR_MPI_NEW_COMM | 1 << 8,
          kWorldHandle, CDR_MPI_SELF | 3 << 8, rank, ranks, 0, CDR_MPI_MEMBERS | 3 << 8, 0, 1, ranks});
  }

  void work(uint32_t insns) {
    Event e = event_of(EventKind::kBlock, 1);
    e.block = block_;
    for (uint32_t i = 0; i < insns; ++i) events_.emplace_back(e);
  }
  void call(uint32_t function, const std::vector<uint64_t>& arguments, const std::vector<uint64_t>& results) {
    Event e = event_of(EventKind::kMpiEnter, 1);
    e.count = function;
    e.value = 0x400000 + 8 * function;
    events_.emplace_back(e);
    e = event_of(EventKind::kMpiWords, 1);
    e.count = CDR_MPI_IS_ARGUMENT;
    e.words = arguments;
    if (!arguments.empty()) events_.emplace_back(e);
    e.count = CDR_MPI_IS_RESULT;
    e.words = results;
    if (!results.empty()) events_.emplace_back(e);
    e = event_of(EventKind::kMpiLeave, 1);
    e.count = function;
    events_.emplace_back(e);
  }
  static std::vector<uint64_t> message(int64_t peer, int64_t tag, uint64_t bytes, uint64_t comm = kWorldHandle) {
    return {CDR_MPI_PEER | 1 << 8,  static_cast<uint64_t>(peer),
            CDR_MPI_TAG | 1 << 8,   static_cast<uint64_t>(tag),
            CDR_MPI_COMM | 1 << 8,  comm,
            CDR_MPI_BYTES | 1 << 8, bytes};
  }
  void send(int64_t to, int64_t tag, uint64_t bytes) {
    if (to >= 0 && to < ranks_) call(kSend, message(to, tag, bytes), {});
  }
  void receive(int64_t from, int64_t tag, uint64_t bytes) {
    if (from >= 0 && from < ranks_) call(kRecv, message(from, tag, bytes), status(from, tag));
  }
  static std::vector<uint64_t> status(int64_t from, int64_t tag) {
    return {CDR_MPI_STATUS | 2 << 8, static_cast<uint64_t>(from), static_cast<uint64_t>(tag)};
  }
  void collective(uint32_t function, uint64_t bytes, int64_t root = -1, uint64_t comm = kWorldHandle) {
    std::vector<uint64_t> words = {CDR_MPI_COMM | 1 << 8, comm, CDR_MPI_BYTES | 1 << 8, bytes};
    if (root >= 0) words.insert(words.end(), {CDR_MPI_ROOT | 1 << 8, static_cast<uint64_t>(root)});
    call(function, words, {});
  }
  void copy_world() {
    call(kDup, {CDR_MPI_COMM | 1 << 8, kWorldHandle},
         {CDR_MPI_NEW_COMM | 1 << 8, kCopyHandle, CDR_MPI_SELF | 3 << 8, rank_, ranks_, 0, CDR_MPI_MEMBERS | 3 << 8, 0,
          1, ranks_});
  }

  bool write(const std::string& path) {
    call(kFinalize, {}, {});
    events_.emplace_back(event_of(EventKind::kThreadEnd, 1));
    RecordingOptions options;
    options.form = RecordingForm::kCompact;
    const std::vector<uint8_t> bytes = test::record(tables_, events_, options);
    std::FILE* f = std::fopen(path.c_str(), "wb");
    const bool written = f && std::fwrite(bytes.data(), 1, bytes.size(), f) == bytes.size();
    return f && std::fclose(f) == 0 && written;
  }

 private:
  uint32_t rank_, ranks_;
  test::Tables tables_;
  BlockId block_;
  std::vector<test::OwnedEvent> events_;
};

void grid(Rank& r, int64_t rank, int64_t ranks, unsigned iterations) {
  const auto columns = static_cast<int64_t>(std::sqrt(static_cast<double>(ranks)));
  const bool west = rank % columns > 0, east = rank % columns < columns - 1 && rank + 1 < ranks;
  for (unsigned i = 0; i < iterations; ++i) {
    for (int k = 0; k < 16; ++k) {
      r.receive(rank - columns, 1, 40);
      if (west) r.receive(rank - 1, 1, 40);
      r.work(3);
      r.send(rank + columns, 1, 40);
      if (east) r.send(rank + 1, 1, 40);
    }
    r.collective(kAllreduce, 8);
  }
}

void ring(Rank& r, int64_t rank, int64_t ranks, unsigned iterations) {
  for (unsigned i = 0; i < iterations; ++i) {
    const auto left = static_cast<uint64_t>((rank + ranks - 1) % ranks),
               right = static_cast<uint64_t>((rank + 1) % ranks);
    r.work(static_cast<uint32_t>(1 + rank % 3));
    r.call(kIrecv, Rank::message(static_cast<int64_t>(left), 1, 80), {CDR_MPI_REQUESTS | 1 << 8, 1});
    r.call(kIsend, Rank::message(static_cast<int64_t>(right), 1, 80), {CDR_MPI_REQUESTS | 1 << 8, 2});
    r.call(kWaitall, {CDR_MPI_REQUESTS | 2 << 8, 1, 2},
           {CDR_MPI_DONE | 6 << 8, 0, left, 1, 1, static_cast<uint64_t>(CDR_MPI_PROC_NULL),
            static_cast<uint64_t>(CDR_MPI_ANY)});
    if (i % 4 == 3) r.collective(kBarrier, 0);
  }
}

// All ranks draw the same numbers, so that they know of the same messages.
void random(std::vector<Rank>& all, unsigned calls, uint32_t seed) {
  std::mt19937 draw(seed);
  const auto ranks = static_cast<uint32_t>(all.size());
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(draw() % n); };
  for (Rank& r : all) r.copy_world();
  for (unsigned i = 0; i < calls * ranks; ++i) {
    const uint32_t from = below(ranks), to = below(ranks), tag = below(3), bytes = 8 * below(3), kind = below(20);
    all[from].work(1 + below(5));
    if (kind == 0) {
      const uint64_t comm = below(2) ? kWorldHandle : kCopyHandle;
      for (Rank& r : all) r.collective(kBcast, bytes, from, comm);
    } else if (kind == 1) {
      for (Rank& r : all) r.collective(kAllreduce, bytes, -1, kCopyHandle);
    } else {
      const uint64_t comm = below(2) ? kWorldHandle : kCopyHandle;
      if (kind != 2) all[from].call(kSend, Rank::message(to, tag, bytes, comm), {});
      const int64_t source = below(3) == 0 ? CDR_MPI_ANY : int64_t{from};
      const int64_t wanted = below(4) == 0 ? CDR_MPI_ANY : int64_t{tag};
      // Sent later than its like, received in another order: MPI's order decides.
      if (kind != 3) all[to].call(kRecv, Rank::message(source, wanted, bytes, comm), Rank::status(from, tag));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const std::string folder = argv[1], pattern = argv[3];
  const auto ranks = static_cast<uint32_t>(std::atoi(argv[2]));
  const auto iterations = static_cast<unsigned>(std::atoi(argv[4]));
  if (ranks == 0) return 2;
  if (pattern == "random") {
    std::vector<Rank> all;
    all.reserve(ranks);
    for (uint32_t r = 0; r < ranks; ++r) all.emplace_back(r, ranks);
    random(all, iterations, argc > 5 ? static_cast<uint32_t>(std::atoi(argv[5])) : 1);
    for (uint32_t r = 0; r < ranks; ++r)
      if (!all[r].write(folder + "/" + std::to_string(r))) return 1;
    return 0;
  }
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    Rank r(rank, ranks);
    if (pattern == "grid")
      grid(r, rank, ranks, iterations);
    else
      ring(r, rank, ranks, iterations);
    if (!r.write(folder + "/" + std::to_string(rank))) return 1;
  }
  return 0;
}

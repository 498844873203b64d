// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/rank_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "cdrgrind/cli/call_places.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/rank_traces.h"

namespace cdr::cli {

namespace {

// What all processes are told of a file.
struct FileNote {
  std::string name;
  std::string warning;  // empty: none
  std::string program;
  bool has_calls = false, has_library = false;
  int64_t rank = -1, ranks = 0;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.name, s.warning, s.program, s.has_calls, s.has_library, s.rank, s.ranks);
  }
};

// What a process has read.
struct Share {
  std::vector<FileNote> notes;
  bool failed = false;  // at the next file
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.notes, s.failed);
  }
};

[[noreturn]] void fail_together(mpi::Processes& all, Status status, const std::string& what) {
  all.end_together();
  if (all.first()) throw Failure(status, what);
  throw FailedElsewhere();
}

class Reader {
 public:
  Reader(mpi::Processes& all, const std::vector<std::string>& names, const symbols::SymbolOptions& options,
         const analysis::Watch& watch)
      : all_(all), names_(names), watch_(watch), places_(all, names, options) {}

  RankFiles read() {
    const mpi::Blocks blocks(static_cast<uint32_t>(names_.size()), all_.count());
    read_share(blocks.begin(all_.self()), blocks.end(all_.self()));
    collect_notes();
    check();
    places_.find(logs_);
    share_logs();
    files_.places = places_.take(files_.binaries);
    return std::move(files_);
  }

 private:
  // A file that cannot be read is told once it is known that no one before it is such.
  void read_share(uint32_t begin, uint32_t end) {
    analysis::WatchedPart part(watch_, "traces", end - begin, 1);
    try {
      for (uint32_t i = begin; i < end; ++i) {
        if (!part.goes_on(i - begin)) throw Failure(kInterrupted, "interrupted: not all ranks were read");
        read_file(i);
      }
    } catch (...) {
      failure_ = std::current_exception();
      share_.failed = true;
    }
  }

  void read_file(uint32_t number) {
    trace::TraceFile file = read_trace(names_[number]);
    FileNote note;
    note.name = file.name();
    note.warning = file.status_text();
    note.program = program_of(file);
    std::optional<mpi::RankLog> log = rank_log_in(file);
    note.has_calls = log.has_value();
    note.has_library = has_mpi_library(file);
    if (log) {
      if (log->rank < 0)
        throw Failure(kBadInput, fmt::format("{}: nothing says which rank this is: the trace ends before MPI_Init, "
                                             "and the program was not started by mpirun",
                                             note.name));
      note.rank = log->rank, note.ranks = log->ranks;
      places_.add(number, std::move(file), *log);
      logs_.push_back(std::move(*log));
    } else {
      // A shell that started the rank's program may have been recorded, too.
      note.warning += (note.warning.empty() ? "" : "\n") + fmt::format("{}: no calls of MPI; left out", note.name);
    }
    share_.notes.push_back(std::move(note));
  }

  // Of all files in their order, up to the first that could not be read.
  void collect_notes() {
    ByteWriter mine;
    mpi::put(mine, share_);
    const std::vector<mpi::Bytes> shares = mpi::told_by_all(all_, mine);
    for (uint32_t p = 0; p < shares.size(); ++p) {
      Share share;
      ByteReader from(shares[p]);
      mpi::get(from, share);
      for (FileNote& note : share.notes) {
        if (all_.first()) warn_lines(note.warning);
        notes_.push_back(std::move(note));
      }
      if (!share.failed) continue;
      all_.end_together();
      if (p == all_.self()) std::rethrow_exception(failure_);
      throw FailedElsewhere();
    }
  }
  static void warn_lines(const std::string& warnings) {
    for (size_t begin = 0; begin < warnings.size();) {
      const size_t end = std::min(warnings.find('\n', begin), warnings.size());
      warn(warnings.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  // All come to the same, and the first says it.
  [[noreturn]] void fail(const std::string& what) const { fail_together(all_, kBadInput, what); }

  void check() {
    const std::string none = notes_.front().name;
    const bool library = std::any_of(notes_.begin(), notes_.end(), [](const FileNote& n) { return n.has_library; });
    for (const FileNote& note : notes_)
      if (note.has_calls && files_.program.empty()) files_.program = note.program;
    std::erase_if(notes_, [](const FileNote& note) { return !note.has_calls; });
    if (notes_.empty())
      fail(fmt::format("{}: no calls of MPI: the program {}", none,
                       library ? "makes none, or --cdr-mpi=no was given"
                               : "has no library of MPI; calls of one that is linked statically into it are not seen"));
    std::stable_sort(notes_.begin(), notes_.end(),
                     [](const FileNote& a, const FileNote& b) { return a.rank < b.rank; });
    constexpr int64_t kMost = 1 << 24;
    int64_t ranks = 0;
    for (const FileNote& one : notes_) ranks = std::max({ranks, one.ranks, std::min(one.rank, kMost) + 1});
    if (ranks > kMost) fail(fmt::format("{}: {} ranks", notes_.back().name, ranks));
    for (size_t i = 1; i < notes_.size(); ++i)
      if (notes_[i].rank == notes_[i - 1].rank)
        fail(fmt::format("{} and {}: both are rank {}", notes_[i - 1].name, notes_[i].name, notes_[i].rank));
    std::vector<uint32_t> missing;
    for (int64_t r = 0, i = 0; r < ranks; ++r) {
      if (i < static_cast<int64_t>(notes_.size()) && notes_[static_cast<size_t>(i)].rank == r)
        ++i;
      else
        missing.push_back(static_cast<uint32_t>(r));
    }
    if (!missing.empty())
      fail(fmt::format("{}: of {} ranks these have no trace here: {}", notes_.front().name, ranks,
                       mpi::spelled(missing)));
    files_.ranks = static_cast<uint32_t>(ranks);
  }

  // Each log to the process whose rank it is of.
  void share_logs() {
    const mpi::Blocks blocks(files_.ranks, all_.count());
    std::vector<ByteWriter> to(all_.count());
    for (mpi::RankLog& log : logs_) {
      const uint32_t owner = blocks.owner(static_cast<uint32_t>(log.rank));
      if (owner == all_.self())
        files_.logs.push_back(std::move(log));
      else
        mpi::put(to[owner], std::exchange(log, {}));
    }
    logs_.clear();
    for (const mpi::Bytes& bytes : all_.exchange(std::move(to)))
      for (ByteReader from(bytes); !from.at_end();) mpi::get(from, files_.logs.emplace_back());
    std::sort(files_.logs.begin(), files_.logs.end(),
              [](const mpi::RankLog& a, const mpi::RankLog& b) { return a.rank < b.rank; });
  }

  mpi::Processes& all_;
  const std::vector<std::string>& names_;
  const analysis::Watch& watch_;
  PlaceFinder places_;
  std::vector<mpi::RankLog> logs_;
  Share share_;
  std::exception_ptr failure_;
  std::vector<FileNote> notes_;
  RankFiles files_;
};

}  // namespace

RankFiles read_rank_files(mpi::Processes& all, const std::vector<std::string>& names,
                          const symbols::SymbolOptions& options, const analysis::Watch& watch) {
  if (all.count() > 1 && std::count(names.begin(), names.end(), kStandardInput))
    fail_together(all, kWrongUse, "standard input cannot be shared out among several processes");
  return Reader(all, names, options, watch).read();
}

}  // namespace cdr::cli

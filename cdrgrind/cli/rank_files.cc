// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/rank_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/report/common/source_place.h"

namespace cdr::cli {

namespace {

struct OneRank {
  std::string name;
  mpi::RankLog log;
  std::map<uint64_t, uint32_t> places;  // by site
};

class Reader {
 public:
  explicit Reader(const symbols::SymbolOptions& options) : options_(options) {}

  void read(const std::string& name) {
    const trace::TraceFile file = open_trace(name);
    OneRank one;
    one.name = file.name();
    const std::vector<mpi::RawCall> calls = mpi::mpi_calls_of(file);
    one.log = mpi::rank_log_of(calls);
    one.log.complete = file.end().has_value();
    if (calls.empty()) return without_calls(file);
    if (one.log.rank < 0) {
      one.log.rank = number(file, "rank").value_or(-1);
      one.log.ranks = number(file, "ranks").value_or(0);
    }
    if (one.log.rank < 0)
      throw Failure(kBadInput, fmt::format("{}: nothing says which rank this is: the trace ends before MPI_Init, and "
                                           "the program was not started by mpirun",
                                           file.name()));
    find_places(file, one);
    if (files_.program.empty()) files_.program = program_of(file);
    ranks_.push_back(std::move(one));
  }

  RankFiles take() {
    if (ranks_.empty())
      throw Failure(kBadInput,
                    fmt::format("{}: no calls of MPI: the program makes none, or --cdr-mpi=no was given", without_));
    std::stable_sort(ranks_.begin(), ranks_.end(),
                     [](const OneRank& a, const OneRank& b) { return a.log.rank < b.log.rank; });
    check();
    files_.places = report::CallPlaces(ranks_.size());
    for (report::CallPlace& p : places_) files_.places.add(std::move(p));
    for (OneRank& one : ranks_) {
      const auto rank = static_cast<uint32_t>(files_.logs.size());
      for (const auto& [site, place] : one.places) files_.places.set(rank, site, place);
      files_.logs.push_back(std::move(one.log));
    }
    return std::move(files_);
  }

 private:
  // A shell that started the rank's program may have been recorded, too.
  void without_calls(const trace::TraceFile& file) {
    if (without_.empty()) without_ = file.name();
    warn(fmt::format("{}: no calls of MPI; left out", file.name()));
  }

  static std::optional<int64_t> number(const trace::TraceFile& file, const char* key) {
    const auto n = number_of(file.meta().find(key).value_or(""));
    return n ? std::optional<int64_t>(static_cast<int64_t>(*n)) : std::nullopt;
  }

  void check() const {
    int64_t ranks = 0;
    for (const OneRank& one : ranks_) ranks = std::max({ranks, one.log.ranks, one.log.rank + 1});
    constexpr int64_t kMost = 1 << 24;
    if (ranks > kMost) throw Failure(kBadInput, fmt::format("{}: {} ranks", ranks_.back().name, ranks));
    for (size_t i = 1; i < ranks_.size(); ++i)
      if (ranks_[i].log.rank == ranks_[i - 1].log.rank)
        throw Failure(kBadInput, fmt::format("{} and {}: both are rank {}", ranks_[i - 1].name, ranks_[i].name,
                                             ranks_[i].log.rank));
    std::vector<uint32_t> missing;
    for (int64_t r = 0, i = 0; r < ranks; ++r) {
      if (i < static_cast<int64_t>(ranks_.size()) && ranks_[static_cast<size_t>(i)].log.rank == r)
        ++i;
      else
        missing.push_back(static_cast<uint32_t>(r));
    }
    if (!missing.empty())
      throw Failure(kBadInput, fmt::format("{}: of {} ranks these have no trace here: {}", ranks_.front().name, ranks,
                                           mpi::spelled(missing)));
  }

  // The same code of the same file has its place once, whatever the rank.
  void find_places(const trace::TraceFile& file, OneRank& one) {
    std::optional<symbols::Symbols> symbols;
    for (const mpi::Call& c : one.log.calls) {
      if (one.places.contains(c.site)) continue;
      const Module* module = nullptr;
      for (const Module& m : file.modules())
        if (m.text.contains(c.site)) module = &m;
      if (!module) continue;
      const uint64_t at = c.site - 1;
      const std::string key = fmt::format("{}:{}:{:x}", module->path, module->file_id, at - module->bias);
      auto [known, added] = known_.try_emplace(key, static_cast<uint32_t>(places_.size()));
      if (added) {
        if (!symbols) symbols.emplace(symbols_of(file, options_));
        const CodeAddr site{module->id, at};
        const report::SourcePlace p = report::source_place_of({&site, 1}, file.modules(), *symbols);
        places_.push_back({std::string(p.file), p.line, std::string(p.function)});
      }
      one.places[c.site] = known->second;
    }
    if (symbols)
      for (const symbols::BinaryNote& note : symbols->binaries())
        if (noted_.insert(note.path).second) files_.binaries.push_back(note);
  }

  const symbols::SymbolOptions& options_;
  std::vector<OneRank> ranks_;
  std::map<std::string, uint32_t> known_;
  std::set<std::string> noted_;
  std::vector<report::CallPlace> places_;
  std::string without_;  // a file without calls
  RankFiles files_;
};

}  // namespace

RankFiles read_rank_files(const std::vector<std::string>& names, const symbols::SymbolOptions& options) {
  Reader reader(options);
  for (const std::string& name : names) reader.read(name);
  return reader.take();
}

}  // namespace cdr::cli

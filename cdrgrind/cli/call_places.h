// SPDX-License-Identifier: GPL-2.0-or-later
// Where in the source the calls of many ranks stand. Code is known by its module's path and checksum and its offset in
// that, whichever rank runs it: each piece has its place looked up once, by the first file that has it. The first
// process looks up for all, for only it reads debug information.
#ifndef CDRGRIND_CLI_CALL_PLACES_H
#define CDRGRIND_CLI_CALL_PLACES_H

#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "cdrgrind/report/mpi/mpi_report.h"
#include "cdrgrind/symbols/symbols.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

class PlaceFinder {
 public:
  PlaceFinder(mpi::Processes& all, const std::vector<std::string>& names, const symbols::SymbolOptions& options)
      : all_(all), names_(names), options_(options) {}

  // Notes the code of the log's calls, in whose `place` it then stands which. `number`: of the file. One that cannot be
  // opened again, as standard input, is kept.
  void add(uint32_t number, trace::TraceFile file, mpi::RankLog& log);
  // All processes call it, with the logs that were added. Their calls then have their places.
  void find(std::vector<mpi::RankLog>& logs);
  report::CallPlaces take(report::BinaryNotes& binaries);

 private:
  // A piece of code, and where one can ask for it.
  struct Code {
    std::string key;
    uint32_t file = 0;
    uint64_t site = 0;
    template <class S>
    static auto fields(S& s) {
      return std::tie(s.key, s.file, s.site);
    }
  };

  std::vector<Code> codes_of_all(std::vector<std::vector<Code>>& by_process) const;
  void look_up(const std::vector<Code>& codes);
  void look_up(std::span<const Code> codes, const trace::TraceFile& file);

  mpi::Processes& all_;
  const std::vector<std::string>& names_;
  const symbols::SymbolOptions& options_;
  std::vector<Code> codes_;
  std::unordered_map<std::string, uint32_t> known_;           // in codes_
  std::map<uint32_t, trace::TraceFile> kept_;                 // by number
  std::unordered_map<std::string, report::CallPlace> found_;  // by key
  report::CallPlaces places_;
  report::BinaryNotes binaries_;
};

}  // namespace cdr::cli

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
// The barriers of a run, those that the program makes of a mutex and a condition among them: who meets there, how
// often, who comes last, and how long the others would wait with a processor for each thread.
#ifndef CDRGRIND_REPORT_SYNC_SYNC_BARRIERS_H
#define CDRGRIND_REPORT_SYNC_SYNC_BARRIERS_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/sync/barriers.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::report {

class SyncNames;
struct SyncReport;

struct BarrierTotals {
  sync::SyncKey barrier, mutex;  // no mutex: the library's
  uint64_t objects = 0;
  uint64_t rounds = 0;
  uint32_t threads_least = 0, threads_most = 0;
  uint64_t waited = 0;  // would wait
  std::map<ThreadId, uint64_t> last;
  std::map<SourcePlace, uint64_t> at;  // rounds, by the line at which the last one came
};

// What is to be known of the code and data of barriers, by debug information and the trace.
class BarrierCode final : public sync::BarrierFacts {
 public:
  // Everything must outlive it. `has_data`: the trace has addresses.
  BarrierCode(const trace::TraceFile& file, const SyncNames& names, symbols::Symbols& symbols, bool has_data)
      : file_(file), names_(names), symbols_(symbols), has_data_(has_data) {}

  uint32_t code(uint64_t lock, uint64_t then) override;
  bool has_common_store(const std::vector<sync::EventSpan>& spans) override;

 private:
  using Place = std::tuple<std::string, std::string, uint64_t>;  // function, file, line or address
  Place place(const std::vector<CodeAddr>& lock, const std::vector<CodeAddr>& then);

  const trace::TraceFile& file_;
  const SyncNames& names_;
  symbols::Symbols& symbols_;
  bool has_data_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> by_stacks_;
  std::map<Place, uint32_t> numbers_;
};

// Rounds that `wanted` says. `together`: those that are alike are one.
std::vector<BarrierTotals> count_barriers(const std::vector<sync::BarrierUse>& uses, const sync::History& history,
                                          const sync::Rerun& rerun, const SyncNames& names,
                                          const std::function<bool(const sync::BarrierRound&)>& wanted, bool together);

void put_barriers(const SyncReport& report, const SyncNames& names, Output& out);
void put_barriers_json(const SyncReport& report, const SyncNames& names, JsonWriter& to);

}  // namespace cdr::report

#endif

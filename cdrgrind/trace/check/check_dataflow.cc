// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/check_dataflow.h"

#include "cdrgrind/trace/read/dataflow_reader.h"

namespace cdr::trace {
namespace {

class SummaryCheck {
 public:
  SummaryCheck(uint32_t id, const Superblock& sb, const Dataflow& flow, CheckReport& report)
      : id_(id), sb_(sb), flow_(flow), report_(report) {}

  void all() {
    slots();
    for (size_t a = 0; a < sb_.accesses.size(); ++a) {
      known("access", a, flow_.accesses[a].guard, a);
      known("access", a, flow_.accesses[a].value, a);
    }
    uint32_t begin = 0;
    for (size_t e = 0; e < sb_.exits.size(); ++e) {
      const size_t loads = sb_.exits[e].accesses;
      known("exit", e, flow_.exits[e].condition, loads);
      for (uint32_t w = begin; w < flow_.exits[e].writes; ++w) known("exit", e, flow_.writes[w].set, loads);
      ascending(e, begin, flow_.exits[e].writes);
      begin = flow_.exits[e].writes;
    }
  }

 private:
  void bad(std::string_view invariant, std::string_view what, size_t number) {
    report_.add(invariant, Violation::kInTables,
                "superblock " + std::to_string(id_) + " at " + hex(sb_.addr) + ": " + std::string(what) + " " +
                    std::to_string(number));
  }

  // Its loads are among the first `loads` accesses.
  void known(std::string_view what, size_t number, uint32_t set, size_t loads) {
    const auto inputs = flow_.set(set).inputs;
    if (!inputs.empty() && inputs.back().is_load() && inputs.back().first >= loads)
      bad("flow-from-earlier-loads", what, number);
  }

  void slots() {
    for (size_t a = 0; a < sb_.accesses.size(); ++a)
      if (const uint16_t slot = sb_.accesses[a].slot; slot > 0) known("access", a, flow_.slots[slot - 1u], a);
  }

  void ascending(size_t exit, uint32_t begin, uint32_t end) {
    for (uint32_t w = begin + 1; w < end; ++w)
      if (flow_.writes[w].piece.offset < flow_.writes[w - 1].piece.end())
        return bad("flow-writes-ascending", "exit", exit);
  }

  uint32_t id_;
  const Superblock& sb_;
  const Dataflow& flow_;
  CheckReport& report_;
};

}  // namespace

void check_dataflow(const BlockTable& blocks, const DataflowTable& flows, CheckReport& report) {
  for (uint32_t id = 1; id <= flows.size(); ++id)
    SummaryCheck(id, blocks.superblock(SuperblockId(id)), flows[SuperblockId(id)], report).all();
}

void check_dataflow(const TraceFile& file, CheckReport& report) {
  const DataflowTable flows = read_dataflow(file);
  const uint32_t want = file.blocks().superblock_count();
  if (flows.size() != 0 && flows.size() != want && file.status() == Status::kComplete)
    report.add("flow-of-all-superblocks", Violation::kInTables,
               std::to_string(flows.size()) + " summaries of " + std::to_string(want) + " superblocks");
  check_dataflow(file.blocks(), flows, report);
}

}  // namespace cdr::trace

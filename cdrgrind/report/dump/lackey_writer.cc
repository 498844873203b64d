// SPDX-License-Identifier: GPL-2.0-or-later
// The lines of Valgrind's lackey with --trace-mem=yes. An instruction's line stands where the instruction
// begins, so one at a guarded exit has its line whether or not it was executed. A store that lackey would
// merge with the load before it makes one line, M, at the load's place. Our own code in the client is left
// out: lackey's client does not have it.
#include "cdrgrind/report/dump/event_writer.h"

namespace cdr::report {

namespace {

class LackeyWriter final : public EventWriter {
 public:
  LackeyWriter(const EventSet& events, Output& out)
      : out_(out), insns_(events.has(EventKind::kBlock)), accesses_(events.accesses) {}

  void block(uint64_t, ThreadId, const BlockRun& run) override { write(run); }
  void event(uint64_t, const Event& e, const BlockRun* run) override {
    if (e.kind == EventKind::kPartial) write(*run);
  }

 private:
  void write(const BlockRun& run) {
    const Superblock& sb = *run.superblock;
    if (sb.flags & kBlockShim) return;
    size_t access = 0;
    for (uint32_t i = 0; i < run.begun; ++i) {
      if (insns_) line("I  ", sb.insn_addr(i), sb.insns[i].length);
      while (access < run.accesses.size() && run.accesses[access].insn <= i) access += write_access(run, access);
    }
  }
  // How many accesses the line stands for.
  size_t write_access(const BlockRun& run, size_t at) {
    const Access& a = run.accesses[at];
    const bool modify = at + 1 < run.accesses.size() && run.accesses[at + 1].flags & kAccessModify;
    if (accesses_ && happened(a, run.words))
      line(modify ? " M " : a.store() ? " S " : " L ", address_of(a, run.words), a.width);
    return modify ? 2 : 1;
  }
  void line(std::string_view letter, uint64_t addr, uint64_t size) {
    out_.put(letter).hex(addr, 8).put(',').dec(size).put('\n');
  }

  Output& out_;
  bool insns_;
  bool accesses_;
};

}  // namespace

std::unique_ptr<EventWriter> make_lackey_writer(const EventSet& events, Output& out) {
  return std::make_unique<LackeyWriter>(events, out);
}

}  // namespace cdr::report

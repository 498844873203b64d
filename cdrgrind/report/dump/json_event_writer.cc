// SPDX-License-Identifier: GPL-2.0-or-later
// `dump --format=json`: exactly what docs/events.md says, one object a line.
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/dump/event_members.h"

namespace cdr::report {

namespace {

class JsonEventWriter final : public EventWriter {
 public:
  JsonEventWriter(const ModuleTable& modules, const DumpHeader& header, Output& out)
      : members_(*this, modules), out_(out), json_(out) {
    json_.object().plain_members("schema", "cdrgrind.events/1", "program", header.program);
    json_.list("command", header.command);
    end();
  }

  void block(uint64_t index, ThreadId thread, const BlockRun& run) override {
    begin(index, thread, EventKind::kBlock);
    code(run.id, *run.superblock);
    executed(run);
    end();
  }
  void event(uint64_t index, const Event& e, const BlockRun* run) override {
    begin(index, e.thread, e.kind);
    if (run) code(run->id, *run->superblock);
    members_.tell(e);
    if (e.kind == EventKind::kPartial) executed(*run);
    end();
  }

  // For EventMembers.
  void number(std::string_view name, uint64_t v) { json_.plain_members(name, v); }
  void address(std::string_view name, uint64_t v) { json_.plain_members(name, v); }
  void result(int64_t v) { json_.plain_members("result", v); }
  void word(std::string_view name, std::string_view v) { json_.plain_members(name, v); }
  void text(std::string_view name, std::string_view v) { json_.plain_members(name, v); }
  void range(std::string_view of, AddrRange r) {
    const std::string before = of.empty() ? "" : std::string(of) + "_";
    json_.plain_members(before + "begin", r.begin, before + "end", r.end);
  }
  void flags(uint32_t bits, std::span<const FlagName> names) {
    json_.plain_key("flags").array();
    for (const FlagName& f : names)
      if (bits & f.bit) json_.value(f.name);
    json_.end();
  }
  void memory(std::span<const MemorySpan> spans) {
    json_.plain_key("memory").array();
    for (const MemorySpan& m : spans)
      json_.object().plain_members("addr", m.addr, "size", m.size, "store", static_cast<bool>(m.store)).end();
    json_.end();
  }
  void words(std::span<const uint64_t> words) {
    json_.plain_key("words").array();
    for (const uint64_t w : words) json_.value(static_cast<int64_t>(w));
    json_.end();
  }

 private:
  void begin(uint64_t index, ThreadId thread, EventKind kind) {
    json_.object().plain_members("i", index, "thread", thread.value, "event", name_of(kind));
  }
  void end() {
    json_.end();
    out_.put('\n');
  }

  void code(BlockId id, const Superblock& sb) {
    json_.plain_members("block", id.value, "module", sb.module.value, "addr", sb.addr);
    flags(sb.flags, block_flag_names());
  }
  void executed(const BlockRun& run) {
    const Superblock& sb = *run.superblock;
    json_.plain_key("insns").array();
    for (uint32_t i = 0; i < run.insns; ++i) json_.value(sb.insn_addr(i));
    json_.end();
    if (run.exit) exit(*run.exit);
    accesses(run);
    json_.plain_members("sp_in", run.sp_in);
    stack_pointers(run);
  }
  void exit(const Exit& x) {
    json_.plain_key("exit").object().plain_members("kind", name_of(x.kind), "guard", name_of(x.guard));
    json_.plain_members("executed", static_cast<bool>(x.insn_executed), "target", x.target).end();
  }
  void accesses(const BlockRun& run) {
    json_.plain_key("accesses").array();
    for (const Access& a : run.accesses) {
      if (!happened(a, run.words)) continue;
      json_.object().plain_members("insn", a.insn, "ip", run.superblock->insn_addr(a.insn), "addr",
                                   address_of(a, run.words));
      json_.plain_members("width", a.width, "store", a.store());
      flags(a.flags, access_flag_names());
      json_.end();
    }
    json_.end();
  }
  void stack_pointers(const BlockRun& run) {
    json_.plain_key("sp").array();
    for (const SpChange& c : run.sp_changes)
      json_.object()
          .plain_members("insn", c.insn, "ip", run.superblock->insn_addr(c.insn), "sp",
                         sp_after(c, run.sp_in, run.words))
          .end();
    json_.end();
  }

  EventMembers<JsonEventWriter> members_;
  Output& out_;
  JsonWriter json_;
};

}  // namespace

std::unique_ptr<EventWriter> make_json_writer(const ModuleTable& modules, const DumpHeader& header, Output& out) {
  return std::make_unique<JsonEventWriter>(modules, header, out);
}

}  // namespace cdr::report

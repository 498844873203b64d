// SPDX-License-Identifier: GPL-2.0-or-later
// `dump --format=text`: one event a line, for people and grep: INDEX THREAD EVENT, then NAME=VALUE fields.
// A block's instructions, accesses and SP changes follow in order: @address, L or S address,width, and
// sp=value.
#include "cdrgrind/report/dump/event_members.h"

namespace cdr::report {

namespace {

class TextWriter final : public EventWriter {
 public:
  TextWriter(const ModuleTable& modules, Output& out) : members_(*this, modules), out_(out) {}

  void block(uint64_t index, ThreadId thread, const BlockRun& run) override {
    begin(index, thread, EventKind::kBlock);
    code(run);
    executed(run);
    out_.put('\n');
  }
  void event(uint64_t index, const Event& e, const BlockRun* run) override {
    begin(index, e.thread, e.kind);
    if (run) code(*run);
    members_.tell(e);
    if (e.kind == EventKind::kPartial) executed(*run);
    out_.put('\n');
  }

  // For EventMembers.
  void number(std::string_view name, uint64_t v) {
    key(name);
    out_.dec(v);
  }
  void address(std::string_view name, uint64_t v) {
    key(name);
    out_.put("0x").hex(v);
  }
  void word(std::string_view name, std::string_view v) {
    key(name);
    out_.put(v);
  }
  void flags(uint32_t bits, std::span<const FlagName> names) {
    char before = '=';
    for (const FlagName& f : names) {
      if (!(bits & f.bit)) continue;
      if (before == '=') out_.put(" flags");
      out_.put(before).put(f.name);
      before = ',';
    }
  }
  void range(std::string_view of, AddrRange r) {
    address(of.empty() ? "range" : of, r.begin);
    out_.put("-0x").hex(r.end);
  }
  void result(int64_t v) {
    key("result");
    out_.dec(v);
  }
  void text(std::string_view name, std::string_view v) { word(name, json_string(v)); }
  void memory(std::span<const MemorySpan> spans) {
    for (const MemorySpan& m : spans) out_.put(m.store ? " S 0x" : " L 0x").hex(m.addr).put(',').dec(m.size);
  }
  void words(std::span<const uint64_t> words) {
    for (const uint64_t w : words) out_.put(' ').dec(static_cast<int64_t>(w));
  }

 private:
  void key(std::string_view name) { out_.put(' ').put(name).put('='); }
  void begin(uint64_t index, ThreadId thread, EventKind kind) {
    out_.dec(index).put(' ').dec(uint64_t{thread.value}).put(' ').put(name_of(kind));
  }

  void code(const BlockRun& run) {
    number("block", run.id.value);
    number("module", run.superblock->module.value);
    address("addr", run.superblock->addr);
    flags(run.superblock->flags, block_flag_names());
  }
  void executed(const BlockRun& run) {
    if (run.exit) exit(*run.exit);
    address("sp_in", run.sp_in);
    size_t access = 0, sp = 0;
    for (uint32_t i = 0; i < run.begun; ++i) {
      if (i < run.insns) out_.put(" @0x").hex(run.superblock->insn_addr(i));
      for (; access < run.accesses.size() && run.accesses[access].insn == i; ++access)
        one_access(run.accesses[access], run.words);
      for (; sp < run.sp_changes.size() && run.sp_changes[sp].insn == i; ++sp)
        address("sp", sp_after(run.sp_changes[sp], run.sp_in, run.words));
    }
  }
  void exit(const Exit& x) {
    word("exit", name_of(x.kind));
    if (x.guard != ExitGuard::kAlways) out_.put(',').put(name_of(x.guard));
    if (!x.insn_executed) out_.put(",not-executed");
    if (x.target) address("target", x.target);
  }
  void one_access(const Access& a, std::span<const uint64_t> words) {
    if (!happened(a, words)) return;
    out_.put(a.store() ? " S 0x" : " L 0x").hex(address_of(a, words)).put(',').dec(uint64_t{a.width});
    char before = ':';
    for (const FlagName& f : access_flag_names()) {
      if (!(a.flags & f.bit)) continue;
      out_.put(before).put(f.name);
      before = ',';
    }
  }

  EventMembers<TextWriter> members_;
  Output& out_;
};

}  // namespace

std::unique_ptr<EventWriter> make_text_writer(const ModuleTable& modules, Output& out) {
  return std::make_unique<TextWriter>(modules, out);
}

}  // namespace cdr::report

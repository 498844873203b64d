// SPDX-License-Identifier: GPL-2.0-or-later
// `dump --format=json`: exactly what docs/events.md says, one object a line, written without building it.
#include "cdrgrind/report/dump/event_writer.h"

namespace cdr::report {

namespace {

class JsonWriter final : public EventWriter {
 public:
  JsonWriter(const ModuleTable& modules, const DumpHeader& header, Output& out) : modules_(modules), out_(out) {
    out_.put(R"({"schema":"cdrgrind.events/1","program":)").put(json_string(header.program)).put(R"(,"command":[)");
    Separator comma(out_);
    for (const std::string& word : header.command) comma.next().put(json_string(word));
    out_.put("]}\n");
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
    members(e);
    if (e.kind == EventKind::kPartial) executed(*run);
    end();
  }

 private:
  // Writes a comma before every item but the first.
  class Separator {
   public:
    explicit Separator(Output& out) : out_(out) {}
    Output& next() {
      if (!first_) out_.put(',');
      first_ = false;
      return out_;
    }

   private:
    Output& out_;
    bool first_ = true;
  };

  void begin(uint64_t index, ThreadId thread, EventKind kind) {
    out_.put(R"({"i":)").dec(index).put(R"(,"thread":)").dec(uint64_t{thread.value});
    out_.put(R"(,"event":")").put(name_of(kind)).put('"');
  }
  void end() { out_.put("}\n"); }

  void key(std::string_view name) { out_.put(",\"").put(name).put("\":"); }
  void number(std::string_view name, uint64_t v) {
    key(name);
    out_.dec(v);
  }
  void string(std::string_view name, std::string_view v) {
    key(name);
    out_.put(json_string(v));
  }
  void flags(uint32_t bits, std::span<const FlagName> names) {
    key("flags");
    out_.put('[');
    Separator comma(out_);
    for (const FlagName& f : names)
      if (bits & f.bit) comma.next().put('"').put(f.name).put('"');
    out_.put(']');
  }
  void range(AddrRange r) {
    number("begin", r.begin);
    number("end", r.end);
  }

  void code(BlockId id, const Superblock& sb) {
    number("block", id.value);
    number("module", sb.module.value);
    number("addr", sb.addr);
    flags(sb.flags, block_flag_names());
  }
  void executed(const BlockRun& run) {
    const Superblock& sb = *run.superblock;
    key("insns");
    out_.put('[');
    Separator comma(out_);
    for (uint32_t i = 0; i < run.insns; ++i) comma.next().dec(sb.insn_addr(i));
    out_.put(']');
    if (run.exit) exit(*run.exit);
    accesses(run);
    number("sp_in", run.sp_in);
    stack_pointers(run);
  }
  void exit(const Exit& x) {
    out_.put(R"(,"exit":{"kind":")").put(name_of(x.kind)).put(R"(","guard":")").put(name_of(x.guard));
    out_.put(R"(","executed":)").put(x.insn_executed ? "true" : "false");
    out_.put(R"(,"target":)").dec(x.target).put('}');
  }
  void accesses(const BlockRun& run) {
    key("accesses");
    out_.put('[');
    Separator comma(out_);
    for (const Access& a : run.accesses) {
      if (!happened(a, run.words)) continue;
      comma.next().put(R"({"insn":)").dec(uint64_t{a.insn});
      number("ip", run.superblock->insn_addr(a.insn));
      number("addr", address_of(a, run.words));
      number("width", a.width);
      key("store");
      out_.put(a.store() ? "true" : "false");
      flags(a.flags, access_flag_names());
      out_.put('}');
    }
    out_.put(']');
  }
  void stack_pointers(const BlockRun& run) {
    key("sp");
    out_.put('[');
    Separator comma(out_);
    for (const SpChange& c : run.sp_changes) {
      comma.next().put(R"({"insn":)").dec(uint64_t{c.insn});
      number("ip", run.superblock->insn_addr(c.insn));
      number("sp", sp_after(c, run.sp_in, run.words));
      out_.put('}');
    }
    out_.put(']');
  }

  void members(const Event& e) {
    switch (e.kind) {
      case EventKind::kPartial:
        number("ip", e.ip);
        break;
      case EventKind::kCall:
      case EventKind::kSignalLeave:
        number("ip", e.ip), number("sp", e.sp);
        break;
      case EventKind::kReturn:
      case EventKind::kStackPointer:
        number("sp", e.sp);
        break;
      case EventKind::kPop:
        number("count", e.count);
        break;
      case EventKind::kStackSwitch:
        stack(e);
        break;
      case EventKind::kSignalEnter:
        number("signal", e.count), number("ip", e.ip), number("sp", e.sp);
        break;
      case EventKind::kGapBegin:
        scope(e);
        break;
      case EventKind::kGapEnd:
        scope(e), number("sp", e.sp);
        break;
      case EventKind::kSyncEnter:
      case EventKind::kSyncLeave:
        sync(e);
        break;
      case EventKind::kAlloc:
      case EventKind::kFree:
        number("addr", e.addr), number("size", e.size);
        break;
      case EventKind::kResize:
        number("addr", e.addr), number("size", e.size), number("new_size", e.value);
        break;
      case EventKind::kThreadCreate:
        number("child", e.child.value);
        break;
      case EventKind::kThreadStart:
        stack(e), number("pthread", e.value), number("creator", e.child.value);
        break;
      case EventKind::kSyscall:
        syscall(e);
        break;
      case EventKind::kMap:
        range(e.range), flags(static_cast<uint32_t>(e.value), map_flag_names());
        break;
      case EventKind::kUnmap:
        range(e.range);
        break;
      case EventKind::kModuleMapped:
        module(e.module);
        break;
      case EventKind::kModuleUnmapped:
        number("module", e.module.value);
        break;
      case EventKind::kMark:
        string("name", e.text);
        break;
      default:
        break;
    }
  }
  void stack(const Event& e) {
    number("stack", e.stack.value);
    range(e.range);
    number("sp", e.sp);
  }
  void scope(const Event& e) { string("scope", e.count == 0 ? "process" : "thread"); }
  void sync(const Event& e) {
    string("op", name_of(e.sync.op));
    number("object", e.sync.object);
    number("object2", e.sync.object2);
    number("value", e.sync.value);
    if (e.kind != EventKind::kSyncLeave) return;
    key("result");
    out_.dec(e.sync.result);
    flags(e.sync.flags, sync_flag_names());
  }
  void syscall(const Event& e) {
    number("number", e.value);
    number("ip", e.ip);
    key("result");
    out_.dec(e.result);
    key("memory");
    out_.put('[');
    Separator comma(out_);
    for (const MemorySpan& m : e.memory) {
      comma.next().put(R"({"addr":)").dec(m.addr);
      number("size", m.size);
      key("store");
      out_.put(m.store ? "true}" : "false}");
    }
    out_.put(']');
  }
  void module(ModuleId id) {
    const Module m = modules_.has(id) ? modules_[id] : Module();
    number("module", id.value);
    string("path", m.path);
    string("soname", m.soname);
    number("text_begin", m.text.begin), number("text_end", m.text.end);
    number("bias", m.bias);
    number("got_begin", m.got.begin), number("got_end", m.got.end);
    number("got_plt_begin", m.got_plt.begin), number("got_plt_end", m.got_plt.end);
    number("plt_begin", m.plt.begin), number("plt_end", m.plt.end);
    flags(m.flags, module_flag_names());
  }

  const ModuleTable& modules_;
  Output& out_;
};

}  // namespace

std::unique_ptr<EventWriter> make_json_writer(const ModuleTable& modules, const DumpHeader& header, Output& out) {
  return std::make_unique<JsonWriter>(modules, header, out);
}

}  // namespace cdr::report

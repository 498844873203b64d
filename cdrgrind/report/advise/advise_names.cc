// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <map>

#include "cdrgrind/analysis/regions/register_flow.h"
#include "cdrgrind/report/advise/advise_report.h"

namespace cdr::report {

using advise::Carrier;
using advise::Class;
using advise::Operation;
using advise::Verdict;
using regions::CarriedRow;
using regions::Object;

std::string_view name_of(Class c) {
  constexpr std::string_view kNames[] = {"induction", "reduction", "private", "lastprivate", "firstprivate",
                                         "output",    "traversal", "exit",    "anti",        "recurrence"};
  return kNames[static_cast<size_t>(c)];
}

std::string_view name_of(Verdict v) {
  constexpr std::string_view kNames[] = {"none", "unseen", "parallel", "ordered", "tasks", "pipeline", "sequential"};
  return kNames[static_cast<size_t>(v)];
}

std::string_view sign_of(Operation o) {
  switch (o) {
    case Operation::kAdd:
      return "+";
    case Operation::kMul:
      return "*";
    case Operation::kAnd:
      return "&";
    case Operation::kOr:
      return "|";
    case Operation::kXor:
      return "^";
    case Operation::kMin:
      return "min";
    case Operation::kMax:
      return "max";
    default:
      return {};
  }
}

namespace {

class Namer {
 public:
  Namer(const advise::Advisor& with, const AdviseFacts& facts, const ModuleTable& modules, symbols::Symbols& symbols)
      : with_(with), facts_(facts), modules_(modules), symbols_(symbols) {}

  AdviceLoop loop(const advise::LoopAdvice& a) {
    const regions::Loop& l = with_.loops[a.loop];
    const regions::LoopRun& run = with_.regions.runs[a.loop.value];
    AdviceLoop to;
    to.number = a.loop.value;
    to.header = l.header;
    to.depth = l.depth;
    to.irregular = l.irregular;
    to.weak = l.weak;
    to.place = source_place_of(std::span(&l.header, 1), modules_, symbols_);
    set_lines(l, to);
    to.verdict = a.verdict;
    to.small = a.small;
    to.starts_threads = run.starts_threads;
    to.keeps_locks = run.keeps_locks;
    to.instances = run.instances;
    to.iterations = run.iterations;
    to.instructions = run.instructions;
    to.longest = run.longest_iteration;
    to.interval = a.interval;
    to.speed_up = a.speed_up;
    to.of_run = a.of_run;
    for (const uint64_t at : a.other_exits) to.exit_lines.push_back(line_of(l, at));
    std::sort(to.exit_lines.begin(), to.exit_lines.end());
    to.exit_lines.erase(std::unique(to.exit_lines.begin(), to.exit_lines.end()), to.exit_lines.end());
    for (const Carrier& c : a.carriers) to.items.push_back(item(a, l, c));
    to.pragma = pragma_of(a, to);
    return to;
  }

 private:
  uint32_t line_of(const regions::Loop& l, uint64_t addr) {
    return symbols_.line_of(l.header.module.value, addr).line;
  }

  static void widen(uint32_t line, AdviceLoop& to) {
    if (line == 0) return;
    to.place.line = to.place.line ? std::min(to.place.line, line) : line;
    to.last_line = std::max(to.last_line, line);
  }
  void set_lines(const regions::Loop& l, AdviceLoop& to) {
    to.last_line = to.place.line;
    for (const uint64_t addr : l.body) {
      const symbols::SourcePos p = symbols_.line_of(l.header.module.value, addr);
      if (p.file == to.place.file) widen(p.line, to);
    }
  }

  AdviceEnd end_of(const regions::Loop& l, regions::SiteIndex s, bool writes, uint8_t reg) {
    const auto& contexts = with_.regions.contexts;
    regions::ContextIndex c = contexts.site(s).context;
    while (c && contexts[c].function.addr != l.function) c = contexts[c].parent;
    const auto e = contexts.seen_from(s, contexts[c].depth);
    AdviceEnd end{e.ip, e.call, 0};
    if (!e.call && reg != regions::kNoRegister) end.ip = insn_of(l, contexts.site(s).superblock, writes, reg);
    end.line = line_of(l, end.ip);
    return end;
  }
  // The instruction of the superblock that writes the register last, or reads it first.
  uint64_t insn_of(const regions::Loop& l, SuperblockId id, bool writes, uint8_t reg) {
    const Superblock& sb = with_.blocks.superblock(id);
    uint64_t found = sb.addr;
    for (uint32_t i = 0; i < sb.insns.size(); ++i) {
      const regions::MachineInsn& m = with_.values.insns().at({l.header.module, sb.insn_addr(i)});
      if (!((writes ? m.writes : m.reads) >> reg & 1)) continue;
      found = sb.insn_addr(i);
      if (!writes) break;
    }
    return found;
  }

  AdviceItem item(const advise::LoopAdvice& a, const regions::Loop& l, const Carrier& c) {
    AdviceItem to;
    to.carried_as = c.carried_as;
    const bool is_register = c.object.kind == Object::Kind::kRegister && c.system == 0;
    const uint8_t reg =
        is_register ? regions::register_of_chunk(static_cast<uint8_t>(c.object.id)) : regions::kNoRegister;
    std::map<std::tuple<uint8_t, uint64_t, uint64_t>, AdviceRow> rows;
    for (const uint32_t r : c.rows) {
      const CarriedRow& d = with_.regions.rows[r];
      const AdviceEnd source = end_of(l, d.source, true, reg), target = end_of(l, d.target, false, reg);
      AdviceRow& row = rows[{static_cast<uint8_t>(d.kind), source.ip, target.ip}];
      row.kind = d.kind;
      row.source = source;
      row.target = target;
      row.count += d.count;
      row.distances.add(d.distances);
    }
    for (auto& [key, row] : rows) to.rows.push_back(row);
    std::stable_sort(to.rows.begin(), to.rows.end(),
                     [](const AdviceRow& x, const AdviceRow& y) { return x.count > y.count; });
    name_item(a, l, c, to);
    return to;
  }

  void name_item(const advise::LoopAdvice& a, const regions::Loop& l, const Carrier& c, AdviceItem& to) {
    (void)a;
    std::string variable;  // that a clause can name
    if (c.system) {
      to.name = c.system == regions::kUsesOutput  ? "output"
                : c.system == regions::kUsesInput ? "input"
                                                  : "the process's state";
      return;
    }
    switch (c.object.kind) {
      case Object::Kind::kRegister:
        to.name = fmt::format("register {}", register_name(static_cast<uint8_t>(c.object.id)));
        break;
      case Object::Kind::kStatic:
        to.name = variable = facts_.variable(c.object.id).name;
        break;
      case Object::Kind::kHeap:
        to.name = heap_name(c.object.id);
        break;
      case Object::Kind::kLibrary:
        to.name = library_name(l, c);
        break;
      case Object::Kind::kFrame:
        to.name = fmt::format("frame {:+}", c.lowest);
        break;
      case Object::Kind::kCaller:
        to.name = "a caller's variable";
        break;
      case Object::Kind::kCallee:
        to.name = "a callee's variable";
        break;
      default:
        to.name = "memory";
    }
    set_clause(c, variable, to);
  }

  static void set_clause(const Carrier& c, const std::string& variable, AdviceItem& to) {
    const std::string_view sign = sign_of(c.operation);
    if (c.carried_as == Class::kReduction) {
      if (sign.empty())
        to.note = "min or max";
      else
        to.note = std::string(sign);
    }
    if (c.carried_as == Class::kLastprivate && c.conditional) to.note = "conditional";
    if (c.carried_as < Class::kReduction || c.carried_as > Class::kFirstprivate) return;
    if (variable.empty()) return void(to.in_words = true);
    if (c.carried_as == Class::kReduction)
      to.clause = sign.empty() ? std::string() : fmt::format("reduction({}:{})", sign, variable);
    else if (c.carried_as == Class::kLastprivate && c.conditional)
      to.clause = fmt::format("lastprivate(conditional:{})", variable);
    else
      to.clause = fmt::format("{}({})", name_of(c.carried_as), variable);
  }

  static std::string register_name(uint8_t chunk) {
    const uint32_t n = register_of(chunk * 8u);
    if (n >= kGuestRegisterCount || (chunk >= kStateCcOp / 8 && chunk <= kStateCcNdep / 8)) return "flags";
    std::string name(guest_register(n).name);
    if (name.starts_with("ymm")) name[0] = 'x';
    return name;
  }
  std::string heap_name(uint32_t place) {
    const CodeAddr at = with_.regions.allocations[place];
    const std::string where = short_place(source_place_of(std::span(&at, 1), modules_, symbols_));
    return where.empty() ? "a heap block" : "heap block of " + where;
  }
  std::string library_name(const regions::Loop& l, const Carrier& c) {
    const auto& contexts = with_.regions.contexts;
    const CodeAddr f = contexts[contexts.site(with_.regions.rows[c.rows[0]].target).context].function;
    (void)l;
    const auto info = f.module ? symbols_.function_of(f.module.value, f.addr) : symbols::FunctionInfo();
    return info.known() ? fmt::format("what {} keeps", info.name) : "what a library keeps";
  }

  static std::string pragma_of(const advise::LoopAdvice& a, const AdviceLoop& named) {
    if (a.verdict != Verdict::kParallel) return {};
    std::string line = "#pragma omp parallel for";
    for (const AdviceItem& i : named.items)
      if (!i.clause.empty()) line += " " + i.clause;
    return line;
  }

  const advise::Advisor& with_;
  const AdviseFacts& facts_;
  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
};

}  // namespace

std::vector<AdviceLoop> name_loops(const std::vector<advise::LoopAdvice>& advice, const advise::Advisor& with,
                                   const AdviseFacts& facts, const ModuleTable& modules, symbols::Symbols& symbols) {
  Namer namer(with, facts, modules, symbols);
  std::vector<AdviceLoop> loops;
  for (const advise::LoopAdvice& a : advice) loops.push_back(namer.loop(a));
  return loops;
}

}  // namespace cdr::report

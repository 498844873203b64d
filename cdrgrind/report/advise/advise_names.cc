// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "cdrgrind/analysis/regions/register_flow.h"
#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/advise/between_parts.h"
#include "cdrgrind/report/advise/frame_objects.h"
#include "cdrgrind/report/advise/inlined_calls.h"
#include "cdrgrind/report/advise/loop_parts.h"
#include "cdrgrind/report/advise/loop_source.h"
#include "cdrgrind/report/advise/nearer_pointer.h"
#include "cdrgrind/report/advise/pointed_access.h"
#include "cdrgrind/report/advise/scratch_arrays.h"
#include "cdrgrind/report/advise/store_places.h"
#include "cdrgrind/report/advise/unseen_names.h"
#include "cdrgrind/report/common/heap_names.h"
#include "cdrgrind/report/common/loop_place.h"

namespace cdr::report {

using advise::Carrier;
using advise::Class;
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

namespace {

class Namer {
 public:
  Namer(const advise::Advisor& with, AdviseFacts& facts, const ModuleTable& modules, symbols::Symbols& symbols)
      : with_(with),
        facts_(facts),
        modules_(modules),
        symbols_(symbols),
        sources_(symbols),
        heap_names_(modules, symbols),
        calling_places_(with.regions.contexts, modules, symbols) {}

  AdviceLoop loop(const advise::LoopAdvice& a) {
    const regions::Loop& l = with_.loops[a.loop];
    const regions::LoopRun& run = with_.regions.runs[a.loop.value];
    AdviceLoop to;
    to.number = a.loop.value;
    to.parent = l.parent.value;
    to.header = l.header;
    to.module = modules_[l.header.module].path;
    to.offset = l.header.addr - modules_[l.header.module].bias;
    to.depth = l.depth;
    to.irregular = l.irregular;
    to.headers = static_cast<uint32_t>(l.headers.size());
    to.weak = l.weak;
    to.vectorised = a.lanes > 1 ? a.lanes : 0;
    lines_ = &places_.try_emplace(a.loop.value, l, modules_, symbols_).first->second;
    to.place = lines_->place();
    to.last_line = lines_->last_line();
    to.called_at = calling_places_.of(l, *lines_);
    to.verdict = a.verdict;
    to.small = a.small;
    to.loaded_index = a.loaded_index;
    to.starts_threads = run.starts_threads;
    to.keeps_locks = run.keeps_locks;
    to.instances = run.instances;
    to.iterations = run.iterations;
    to.instructions = run.instructions;
    to.longest = run.longest_iteration;
    to.beside = run.beside;
    to.interval = a.interval;
    to.speed_up = a.speed_up;
    to.of_run = a.of_run;
    for (const uint64_t at : a.other_exits) {
      to.exit_lines.push_back(lines_->line_of(at));
      if (to.exit_lines.back() == 0) to.exits_without_line.push_back(at);
    }
    for (const uint64_t at : l.ends_at) {
      const uint32_t line = lines_->line_of(at);
      to.ends.insert({line, line ? 0 : at});
    }
    std::sort(to.exits_without_line.begin(), to.exits_without_line.end());
    std::sort(to.exit_lines.begin(), to.exit_lines.end());
    to.exit_lines.erase(std::unique(to.exit_lines.begin(), to.exit_lines.end()), to.exit_lines.end());
    to.place.line = sources_.head(to.place, to.last_line, l.depth);
    set_statement(l, to);
    // Of what is inlined there, or what does not tell that it is, the lines are others.
    if (const auto text = sources_.loop_with_head(to.place.file, to.head_line, to.head_columns)) {
      to.exceeds_head = to.last_line > text->end.first;
      to.last_line = std::min(to.last_line, std::max(text->end.first, to.place.line));
    }
    look_at(a.loop.value, named_[a.loop.value] = {to.place, to.last_line});
    to.assigned = source_.names.assigned;
    to.simd = source_.simd;
    for (const Carrier& c : a.carriers) to.items.push_back(item(l, c));
    join_private_parts(a.loop, to.items);
    set_openmp(l, to);
    return to;
  }

  void add_between_parts(std::vector<AdviceLoop>& loops) {
    forget_doubtful(loops);
    report::add_between_parts(loops, with_, facts_, symbols_, sources_, places_,
                              [&](const regions::Between& b, regions::LoopId loop) { return between(b, loop); });
  }

 private:
  void set_statement(const regions::Loop& l, AdviceLoop& to) {
    to.head_line = to.place.line;
    if (to.head_line == lines_->place().line) {
      to.head_columns = lines_->head_columns();
      if (!to.head_columns.empty() && sources_.shows_c(to.place.file)) {
        const auto shown = sources_.loop_with_head(to.place.file, to.head_line, to.head_columns);
        to.head_columns.clear();
        if (shown) to.head_columns.insert(shown->head.second);
      }
    }
    if (to.head_columns.empty()) set_statement_around(l, to);
    to.statement = fmt::format("{}\n{:x}\n{}\n{}:{}", to.module, l.function - modules_[l.header.module].bias,
                               lines_->inlined_by(), to.place.file, to.head_line);
  }
  void set_statement_around(const regions::Loop& l, AdviceLoop& to) {
    to.has_head = false;
    constexpr uint32_t kFar = ~uint32_t{0};
    TextPosition first{kFar, kFar}, last;
    for (const uint64_t addr : l.body) {
      const symbols::SourcePos pos = lines_->pos_of(addr);
      if (pos.file != to.place.file || pos.line == 0 || pos.column == 0) continue;
      first = std::min(first, TextPosition{pos.line, pos.column});
      last = std::max(last, TextPosition{pos.line, pos.column});
    }
    const auto shown = last.first ? sources_.loop_around(to.place.file, first, last) : std::nullopt;
    if (!shown) return;
    to.head_line = shown->head.first;
    to.head_columns = {shown->head.second};
  }

  struct Named {
    SourcePlace place;
    uint32_t last_line = 0;
  };
  void look_at(uint32_t loop, const Named& named) {
    lines_ = &places_.at(loop);
    place_ = named.place;
    last_line_ = named.last_line;
    least_size_ = least_size_of(with_.loops[regions::LoopId(loop)]);
    source_ = sources_.of(place_, last_line_);
  }

  // What one part of the loop leaves to another.
  AdviceItem between(const regions::Between& b, regions::LoopId id) {
    const regions::Loop& l = with_.loops[id];
    if (lines_ != &places_.at(id.value)) look_at(id.value, named_.at(id.value));
    Carrier c;
    c.object = b.object;
    c.lowest = b.lowest;
    c.highest = b.highest;
    c.carried_as = b.kind == regions::Kind::kRaw ? Class::kRecurrence : Class::kAnti;
    AdviceItem item;
    item.carried_as = c.carried_as;
    AdviceRow row;
    row.kind = b.kind;
    row.between = true;
    row.source = end_of(l, b.context, b.source, true, regions::kNoRegister);
    row.target = end_of(l, b.context, b.target, false, regions::kNoRegister);
    item.rows.push_back(row);
    name_item(l, c, item);
    item.clause = item.edit = item.note = {};
    return item;
  }
  // As seen from the context.
  AdviceEnd end_of(const regions::Loop& l, regions::ContextIndex context, regions::SiteIndex s, bool writes,
                   uint8_t reg) {
    const auto& contexts = with_.regions.contexts;
    const auto e = contexts.seen_from(s, contexts[context].depth);
    AdviceEnd end{e.ip, e.call, 0};
    if (!e.call && reg != regions::kNoRegister) end.ip = insn_of(l, contexts.site(s).superblock, writes, reg);
    end.line = lines_->line_of(end.ip);
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

  // Parts that are private each make a private variable, if they are all of it, or all that the loop uses of an array.
  void join_private_parts(regions::LoopId loop, std::vector<AdviceItem>& items) {
    std::map<std::string_view, std::vector<AdviceItem*>> parts;
    for (AdviceItem& i : items)
      if (!i.variable.empty()) parts[i.variable].push_back(&i);
    for (auto& [variable, all] : parts) {
      if (!std::all_of(all.begin(), all.end(), [](const AdviceItem* i) { return i->part.has_value(); })) continue;
      std::sort(all.begin(), all.end(),
                [](const AdviceItem* x, const AdviceItem* y) { return x->part->begin < y->part->begin; });
      const AdviceItem::Part& any = *all[0]->part;
      int64_t end = 0;
      for (const AdviceItem* i : all)
        if (i->part->begin <= end) end = std::max(end, i->part->end);
      if (end < any.whole && !any.of_descriptor && !is_scratch_array(with_, loop, std::string(variable), all, source_))
        continue;
      for (AdviceItem* i : all) {
        i->clause = fmt::format("private({})", variable);
        i->edit.clear();
        i->shares_clause = true;
      }
    }
  }

  AdviceItem item(const regions::Loop& l, const Carrier& c) {
    AdviceItem to;
    to.carried_as = c.carried_as;
    const bool is_register = c.object.kind == Object::Kind::kRegister && c.system == 0;
    to.in_register = is_register;
    to.made_ahead = c.made_ahead;
    const uint8_t reg =
        is_register ? regions::register_of_chunk(static_cast<uint8_t>(c.object.id)) : regions::kNoRegister;
    std::map<std::tuple<uint8_t, uint64_t, bool, uint64_t, bool>, AdviceRow> rows;
    for (const uint32_t r : c.rows) {
      const CarriedRow& d = with_.regions.rows[r];
      const AdviceEnd source = end_of(l, d.context, d.source, true, reg);
      const AdviceEnd target = end_of(l, d.context, d.target, false, reg);
      AdviceRow& row = rows[{static_cast<uint8_t>(d.kind), source.ip, source.call, target.ip, target.call}];
      row.kind = d.kind;
      row.source = source;
      row.target = target;
      row.count += d.count;
      row.distances.add(d.distances);
    }
    for (auto& [key, row] : rows) to.rows.push_back(row);
    std::stable_sort(to.rows.begin(), to.rows.end(),
                     [](const AdviceRow& x, const AdviceRow& y) { return x.count > y.count; });
    name_item(l, c, to);
    return to;
  }

  struct Variable {
    std::string name;
    uint64_t begin = 0, size = 0;  // as places of carriers are
    bool of_body = false;          // declared within the loop
    std::string path = {};         // of the part of it that a register holds
    bool is_complex = false;       // the language's
    bool is_descriptor = false;    // of Fortran's arrays
    bool is_bool = false;
    bool has_members = false;  // which no reduction takes
    bool is_array = false;
    bool is_pointer = false;
    bool has_type = false;  // that is known
    symbols::TypeTraits traits = {};
    bool is_class_data = false;  // static, of a class
  };

  void name_item(const regions::Loop& l, const Carrier& c, AdviceItem& to) {
    Variable v;
    if (c.system) {
      to.name = c.system == regions::kUsesOutput  ? "output"
                : c.system == regions::kUsesInput ? "input"
                                                  : "the process's state";
      return;
    }
    switch (c.object.kind) {
      case Object::Kind::kRegister:
        v = local_in_register(l, c, to);
        to.name = v.name.empty() ? fmt::format("register {}", register_name(static_cast<uint8_t>(c.object.id)))
                                 : fmt::format("{}{} (register {})", v.name, v.path,
                                               register_name(static_cast<uint8_t>(c.object.id)));
        break;
      case Object::Kind::kStatic:
        v = static_variable(l, c.object.id);
        to.name = facts_.variable(c.object.id).name;
        // What a callee does is not done to a copy of the loop's.
        if (std::any_of(to.rows.begin(), to.rows.end(),
                        [](const AdviceRow& r) { return r.source.call || r.target.call; }) ||
            InlinedCalls(l, *lines_).names(v.name, sources_.plain()))
          v.name.clear();
        break;
      case Object::Kind::kHeap:
        to.name = heap_name(c.object.id);
        break;
      case Object::Kind::kLibrary:
        to.library = library_functions(c);
        to.name = to.library.empty() ? "what a library keeps" : fmt::format("what {} keeps", to.library[0].first);
        break;
      case Object::Kind::kFrame:
        v = local_in_frame(l, c, to);
        to.of_body = v.of_body;
        to.name = v.name.empty() ? fmt::format("frame {:+}", c.lowest) : v.name;
        break;
      case Object::Kind::kCaller:
        v = by_reference(l, c);
        to.variable = v.name.empty() ? name_in_region(l, c) : v.name;
        if (to.variable.empty()) to.variable = name_in_caller(c);
        to.name = to.variable.empty() ? "a caller's variable" : to.variable;
        return set_clause(l, c, v, to);
      case Object::Kind::kCallee:
        to.name = "a callee's variable";
        break;
      default:
        // Of a team's first thread, as the others see it.
        to.variable = name_in_region(l, c);
        to.name = to.variable.empty() ? "memory" : to.variable;
        return set_clause(l, c, v, to);
    }
    to.variable = v.name;
    set_clause(l, c, v, to);
  }

  // A parameter of Fortran's, if the loop's function has its place from one alone.
  Variable by_reference(const regions::Loop& l, const Carrier& c) {
    const auto& contexts = with_.regions.contexts;
    const symbols::LocalName* found = nullptr;
    for (const uint32_t r : c.rows)
      for (const regions::SiteIndex s : {with_.regions.rows[r].source, with_.regions.rows[r].target}) {
        const regions::Site& site = contexts.site(s);
        if (!site.is_access() || contexts[site.context].function.addr != l.function) return {};
        const symbols::LocalName* const here = by_reference(l, site.superblock, site.access);
        if (!here || (found && found->name != here->name)) return {};
        found = here;
      }
    if (!found) return {};
    return {std::string(found->name), static_cast<uint64_t>(c.lowest), found->size, false};
  }
  const symbols::LocalName* by_reference(const regions::Loop& l, SuperblockId id, uint16_t access) {
    const auto& addresses = with_.values.of(id).address_of;
    const auto parts = addresses.find(access);
    if (parts == addresses.end() || parts->second.size() != 1 || !parts->second[0].is_copy()) return nullptr;
    const advise::Leaf& leaf = parts->second[0].leaves[0];
    if (leaf.kind != advise::Leaf::Kind::kLoad) return nullptr;
    const auto [sb, load] = with_.values.origin(id, leaf.ref);
    const Superblock& code = with_.blocks.superblock(sb);
    const uint64_t at = code.insn_addr(code.accesses[load].insn);
    constexpr int64_t kAboveFramePointer = 16;  // the canonical frame address
    for (const regions::Operand& o : with_.values.insns().at({code.module, at}).operands)
      for (const symbols::LocalName& n : locals_of(l))
        if (o.kind == regions::Operand::Kind::kMemory && o.reg == regions::kRegisterRbp &&
            n.reg == symbols::LocalName::kByReference && n.offset == o.number - kAboveFramePointer &&
            n.scope.begin <= at && at < n.scope.end)
          return &n;
    return nullptr;
  }
  // What a region shares lies behind the argument of its function, or where pointers point that lie there.
  std::string name_in_region(const regions::Loop& l, const Carrier& c) {
    const auto& contexts = with_.regions.contexts;
    for (const uint32_t r : c.rows)
      for (const regions::SiteIndex s : {with_.regions.rows[r].source, with_.regions.rows[r].target}) {
        const regions::Site& site = contexts.site(s);
        if (!site.is_access() || contexts[site.context].function.addr != l.function) continue;
        const uint64_t at = contexts.ip_of(s);
        if (auto name = behind_data(l, at, site.superblock, site.access, symbols::LocalName::kBehindData);
            !name.empty())
          return name;
        const auto& addresses = with_.values.of(site.superblock).address_of;
        const auto parts = addresses.find(site.access);
        if (parts == addresses.end()) continue;
        for (const advise::Value& part : parts->second)
          for (const advise::Leaf& leaf : part.leaves) {
            if (leaf.kind != advise::Leaf::Kind::kLoad) continue;
            const auto [sb, load] = with_.values.origin(site.superblock, leaf.ref);
            if (auto name = behind_data(l, at, sb, load, symbols::LocalName::kByData); !name.empty()) return name;
          }
      }
    return {};
  }
  // The only variable of that kind which has its place where the access goes to.
  std::string behind_data(const regions::Loop& l, uint64_t at, SuperblockId id, uint16_t access, uint8_t kind) {
    if (!is_by_argument(with_, id, access)) return {};
    const regions::MachineInsn& m = insn_of_access(with_, id, access);
    const symbols::LocalName* found = nullptr;
    for (const regions::Operand& o : m.operands) {
      if (o.kind != regions::Operand::Kind::kMemory || o.is_in_frame()) continue;
      for (const symbols::LocalName& n : locals_of(l)) {
        const auto size = static_cast<int64_t>(kind == symbols::LocalName::kByData ? 1 : std::max<uint64_t>(n.size, 1));
        if (n.reg != kind || at < n.scope.begin || at >= n.scope.end) continue;
        if (o.number < n.offset || o.number >= n.offset + size) continue;
        if (found && found->name != n.name) return {};
        found = &n;
      }
    }
    return found ? std::string(found->name) : std::string();
  }
  // Of the activations around the loop's the one that is so many further up; behind a library, which is one activation
  // here, the only one that has a variable there.
  std::string name_in_caller(const Carrier& c) {
    const auto& contexts = with_.regions.contexts;
    std::string name;
    bool by_library = false;
    uint32_t up = 1;
    if (c.rows.empty()) return {};
    for (auto at = contexts[with_.regions.rows[c.rows[0]].context].parent; at && up <= c.object.id;
         at = contexts[at].parent, ++up) {
      by_library |= contexts[at].library;
      if (contexts[at].library || (!by_library && up != c.object.id)) continue;
      const std::string found = local_at(contexts[at].function, c);
      if (!found.empty() && !name.empty()) return {};
      if (!found.empty()) name = found;
    }
    return name;
  }
  std::string local_at(CodeAddr function, const Carrier& c) {
    const symbols::LocalName* best = nullptr;
    const auto locals = symbols_.locals_of(function.module.value, function.addr);
    for (const symbols::LocalName& n : locals) {
      if (n.reg != symbols::LocalName::kInFrame || c.lowest < n.offset) continue;
      if (c.highest >= n.offset + static_cast<int64_t>(n.size)) continue;
      if (!best || n.scope.end - n.scope.begin < best->scope.end - best->scope.begin) best = &n;
    }
    return best ? std::string(best->name) : std::string();
  }

  // Unless a variable of the function has that name.
  std::string name_in_source(const regions::Loop& l, const std::string& name) {
    std::string found = source_.unqualified(name);
    const auto& locals = locals_of(l);
    const bool hides = std::any_of(locals.begin(), locals.end(), [&](const auto& n) { return n.name == found; });
    return hides ? name : found;
  }
  Variable static_variable(const regions::Loop& l, uint32_t id) {
    const AdviseFacts::Variable& known = facts_.variable(id);
    Variable v{name_in_source(l, known.name), 0, known.size};
    set_type(v, known.type, known.traits);
    v.has_members = known.has_members;
    v.is_class_data = known.is_member;
    return v;
  }
  static void set_type(Variable& v, std::string_view type, const symbols::TypeTraits& traits) {
    v.has_type = !type.empty();
    v.traits = traits;
    v.is_complex = type.find("complex") != type.npos && type.find("::") == type.npos;
    v.is_bool = type == "bool" || type == "_Bool" || type.starts_with("logical");  // the last: Fortran's
    v.is_array = type.find('[') != type.npos;
    v.is_pointer = !v.is_array && type.find('*') != type.npos;
  }
  // gfortran calls a function's result otherwise than the source does.
  static std::string source_name(std::string_view name) {
    constexpr std::string_view kResult = "__result_";
    return std::string(name.starts_with(kResult) ? name.substr(kResult.size()) : name);
  }
  Variable of_local(const regions::Loop& l, const symbols::LocalName& n) const {
    Variable v{source_name(n.name), static_cast<uint64_t>(n.offset), n.size, false, std::string(n.path)};
    const symbols::TypeInfo known = symbols_.type(l.header.module.value, n.type);
    const std::string_view type = known.name;
    set_type(v, type, known.traits);
    v.has_members = symbols_.type_part(l.header.module.value, n.type, 0).path.starts_with('.');
    v.is_descriptor = fortran_form(place_.file) && type.ends_with("[]");
    // A block around the loop has all of its code. Some of a block in it, or of what is inlined there, compilers put
    // before the loop, or behind. They give a range's element the scope of the whole statement.
    const bool is_around =
        n.scope.begin <= l.body.front() && n.scope.end > l.body.back() && n.scope_size >= least_size_;
    const bool is_within = n.scope.begin >= l.body.front() && n.scope.end <= l.body.back() + kLongestInsn;
    const bool stands_in_body = !fortran_form(place_.file) && !source_.head.counters.empty() &&
                                place_.line < n.decl_line && n.decl_line <= last_line_;
    // Of a block around, the compiler may have kept no more code than the loop's.
    const bool stands_before =
        source_.function_line > 0 && source_.function_line <= n.decl_line && n.decl_line < place_.line;
    v.of_body = (is_within || !is_around || stands_in_body || source_.head.elements.contains(v.name)) && !stands_before;
    return v;
  }
  // Bytes of its code, but for the last instruction of each piece.
  static uint64_t least_size_of(const regions::Loop& l) {
    uint64_t size = l.body.size();
    for (size_t i = 0; i + 1 < l.body.size(); ++i)
      if (const auto& next = l.next[i]; std::find(next.begin(), next.end(), l.body[i + 1]) != next.end())
        size += std::min(l.body[i + 1] - l.body[i], kLongestInsn) - 1;
    return size;
  }
  // That lies there where one of the ends is.
  Variable local_in_frame(const regions::Loop& l, const Carrier& c, const AdviceItem& item) {
    const symbols::LocalName* best = nullptr;
    for (const symbols::LocalName& n : locals_of(l)) {
      if (n.reg != symbols::LocalName::kInFrame || c.lowest < n.offset) continue;
      const auto is_in = [&](const AdviceEnd& e) { return n.code.begin <= e.ip && e.ip <= n.code.end; };
      if (std::none_of(item.rows.begin(), item.rows.end(),
                       [&](const AdviceRow& r) { return is_in(r.source) || is_in(r.target); }))
        continue;
      if (c.highest >= n.offset + static_cast<int64_t>(n.size) || !overlaps(n.scope, l)) continue;
      if (!best || n.scope.end - n.scope.begin < best->scope.end - best->scope.begin) best = &n;
    }
    return best ? of_local(l, *best) : Variable();
  }
  // That has the register where the loop reads it. What counts besides the loop's counter has it also behind what
  // writes it: else the value is another's, which the variable only begins with.
  Variable local_in_register(const regions::Loop& l, const Carrier& c, const AdviceItem& item) {
    const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(c.object.id));
    const auto& locals = locals_of(l);
    const auto has_register = [&](const symbols::LocalName& n, uint64_t at) {
      return n.reg == reg && n.reg < 32 && n.code.begin <= at && at <= n.code.end;
    };
    for (const AdviceRow& row : item.rows)
      for (const symbols::LocalName& n : locals) {
        if (!has_register(n, row.target.ip)) continue;
        const auto next = std::upper_bound(l.body.begin(), l.body.end(), row.source.ip);
        const uint64_t behind = next == l.body.end() ? row.source.ip + 1 : *next;
        const auto is_same = [&](const auto& other) { return other.name == n.name && has_register(other, behind); };
        if (c.carried_as != Class::kInduction || source_.head.counts_by(std::string(n.name)) ||
            std::any_of(locals.begin(), locals.end(), is_same))
          return of_local(l, n);
      }
    return c.carried_as == Class::kReduction ? sum_in_register(l, reg, item) : Variable();
  }
  // The only variable from outside that the loop's text assigns, of those that the register holds right behind where it
  // is written: debug information may lose it until then.
  Variable sum_in_register(const regions::Loop& l, uint8_t reg, const AdviceItem& item) {
    Variable found;
    for (const AdviceRow& row : item.rows) {
      const auto behind = std::upper_bound(l.body.begin(), l.body.end(), row.source.ip);
      if (row.source.call || behind == l.body.end() || *behind - row.source.ip > kLongestInsn) return {};
      for (const symbols::LocalName& n : locals_of(l)) {
        if (n.reg != reg || n.reg >= 32 || *behind < n.code.begin || *behind >= n.code.end) continue;
        Variable v = of_local(l, n);
        if (v.of_body || !source_.names.assigned.contains(v.name)) continue;
        if (!found.name.empty() && found.name != v.name) return {};
        found = std::move(v);
      }
    }
    return found;
  }
  static bool overlaps(const symbols::DataRange& scope, const regions::Loop& l) {
    return scope.begin <= l.body.back() && l.body.front() < scope.end;
  }
  const std::vector<symbols::LocalName>& locals_of(const regions::Loop& l) {
    const auto [known, is_new] = locals_.try_emplace(l.function);
    if (is_new) known->second = symbols_.locals_of(l.header.module.value, l.function);
    return known->second;
  }

  // What the line for OpenMP needs, or what is to be done where it cannot say it.
  void set_clause(const regions::Loop& l, const Carrier& c, const Variable& v, AdviceItem& to) {
    to.shares_clause = v.is_complex;
    to.of_all_iterations = is_of_all_iterations(c, v);
    const std::string sign = sources_.operator_of(advise::sign_of(c.operation, c.logical), place_, source_, v.name);
    if (c.carried_as == Class::kReduction) to.note = sign.empty() ? "min or max" : sign;
    if (c.carried_as == Class::kLastprivate && c.conditional) to.note = "conditional";
    if (c.carried_as == Class::kInduction) set_counter(c, v, to);
    if (c.carried_as < Class::kReduction || c.carried_as > Class::kFirstprivate || v.of_body) return;
    // Compilers keep what has no name in the source in registers and frames.
    const bool made_up = c.object.kind == Object::Kind::kFrame || c.object.kind == Object::Kind::kRegister;
    if (v.name.empty() && c.object.kind == Object::Kind::kFrame && c.carried_as != Class::kReduction &&
        is_array_of_frame(c, with_, symbols_)) {
      to.edit = "an array without a name here: declare it in the loop's body";
      return;
    }
    if (v.name.empty() && (made_up || c.object.kind == Object::Kind::kLibrary)) {
      if (c.carried_as == Class::kReduction) to.edit = "name it, and make it a reduction";
      return;
    }
    // A copy of its own does not hold what the iteration before has left there.
    if (c.object.kind == Object::Kind::kRegister && c.carried_as == Class::kPrivate) {
      to.edit = c.made_ahead ? "it holds what the iteration before has made of the counter: make that in the iteration"
                             : "it holds what the iteration before has loaded: load that again";
      return;
    }
    if (c.object.kind == Object::Kind::kCaller && v.name.empty() && is_compilers_argument(l, c)) return;
    // Reached by a pointer it is nobody's copy.
    const bool by_name = source_.has_word(v.name) && !is_pointers_name(l, v);
    const bool part = v.size > 0 && c.highest + 1 - c.lowest < static_cast<int64_t>(v.size);
    const bool whole = (c.one_place && !part) || (c.lowest <= static_cast<int64_t>(v.begin) &&
                                                  c.highest + 1 >= static_cast<int64_t>(v.begin + v.size));
    const bool fits =
        c.carried_as == Class::kReduction ? !sign.empty() && !v.has_members && (!c.of_truth || v.is_bool) : whole;
    if (c.object.kind == Object::Kind::kStatic && source_.names.declared.contains(v.name)) {
      to.edit = "it is static in the loop's body: give each iteration its own";
      return;
    }
    if (by_name && is_reached_otherwise(l, c, v)) {
      to.edit = "something else leads to it, too (a pointer, a reference, a lambda): give each iteration its own";
      return;
    }
    const bool in_part =
        !v.name.empty() && v.path.empty() && !whole && by_name && c.carried_as == Class::kPrivate && v.size > 0;
    const std::string refusal = refusal_of(c, v);
    if (in_part && refusal.empty())
      to.part = {c.lowest - static_cast<int64_t>(v.begin),
                 c.highest + 1 - static_cast<int64_t>(v.begin),
                 static_cast<int64_t>(v.size),
                 v.is_descriptor,
                 v.is_array && c.object.kind == Object::Kind::kFrame && !fortran_form(place_.file),
                 static_cast<int64_t>(v.begin)};
    const bool may_have_clause = v.path.empty() && fits && by_name;
    if (!refusal.empty() && (in_part || v.is_class_data || may_have_clause))
      to.edit = refusal;
    else if (v.name.empty() || !may_have_clause)
      to.edit = edit_of(c);
    else if (c.carried_as == Class::kReduction)
      to.clause = fmt::format("reduction({}:{})", sign, v.name);
    else if (c.carried_as == Class::kLastprivate && c.conditional)
      to.clause = fmt::format("lastprivate(conditional:{})", v.name);
    else
      to.clause = fmt::format("{}({})", name_of(c.carried_as), v.name);
  }
  // Whether the name that the text has is a pointer's to the variable, or another's of that name.
  bool is_pointers_name(const regions::Loop& l, const Variable& v) {
    return !v.is_pointer && source_.function_line > 0 &&
           is_nearer_pointer(v.name, l, place_.line, locals_of(l), sources_.functions_of(place_.file), symbols_);
  }
  // Whether it lies where the function has its arguments, reached from RSP, and the loop's text changes no parameter:
  // the compiler keeps there what it has in registers, until it copies the whole for a call.
  bool is_compilers_argument(const regions::Loop& l, const Carrier& c) {
    if (c.object.id != 1 || (c.carried_as != Class::kPrivate && c.carried_as != Class::kFirstprivate)) return false;
    const auto& contexts = with_.regions.contexts;
    const auto is_by_frame = [&](regions::SiteIndex s) {
      const regions::Site& site = contexts.site(s);
      if (!site.is_access() || contexts[site.context].function.addr != l.function) return false;
      const auto& operands = insn_of_access(with_, site.superblock, site.access).operands;
      return std::any_of(operands.begin(), operands.end(), [](const regions::Operand& o) {
        return o.kind == regions::Operand::Kind::kMemory && o.reg == regions::kRegisterRsp &&
               o.index == regions::kNoRegister;
      });
    };
    if (source_.function_line == 0 || !std::all_of(c.rows.begin(), c.rows.end(), [&](uint32_t r) {
          return is_by_frame(with_.regions.rows[r].source) && is_by_frame(with_.regions.rows[r].target);
        }))
      return false;
    std::set<std::string> changed = InlinedCalls(l, *lines_).assigned(source_.body, sources_.plain());
    changed.insert(source_.names.assigned.begin(), source_.names.assigned.end());
    changed.insert(source_.names.in_part.begin(), source_.names.in_part.end());
    changed.insert(source_.exposed.anything.begin(), source_.exposed.anything.end());
    for (const ChangedPlace& p : source_.changed) changed.insert(p.object);
    if (source_.body.find("[&") != std::string::npos) return false;
    bool any = false;
    for (const symbols::LocalName& n : locals_of(l)) {
      if (n.decl_line == 0 || n.decl_line > source_.function_line) continue;
      any = true;
      const bool points = symbols_.type(l.header.module.value, n.type).name.find('*') != std::string_view::npos;
      if (!points && changed.contains(std::string(n.name))) return false;
    }
    return any;
  }
  // Whether the text has another name of it; or accesses to it go where a pointer leads that was loaded, or happen in
  // what the loop calls, where the text hands it to nothing.
  bool is_reached_otherwise(const regions::Loop& l, const Carrier& c, const Variable& v) {
    if (v.name.empty() || source_.body.empty()) return false;
    const bool in_frame = c.object.kind == Object::Kind::kFrame;
    if (!sources_.other_names_in(place_, source_, v.name, v.is_array).empty()) return true;
    if (v.has_members || v.is_array || source_.hands_on(v.name) ||
        (!in_frame && c.object.kind != Object::Kind::kStatic))
      return false;
    const auto& contexts = with_.regions.contexts;
    bool by_name = false, otherwise = false;
    for (const uint32_t r : c.rows)
      for (const regions::SiteIndex s : {with_.regions.rows[r].source, with_.regions.rows[r].target}) {
        const regions::Site& site = contexts.site(s);
        const bool is_own = site.is_access() && contexts[site.context].function.addr == l.function;
        (is_own && !is_behind_pointer(with_, site.superblock, site.access, in_frame) ? by_name : otherwise) = true;
      }
    return otherwise && (in_frame || by_name);
  }
  // Why no clause takes the variable, whatever is done to it; empty: one may.
  std::string refusal_of(const Carrier& c, const Variable& v) const {
    if (fortran_form(place_.file) || v.name.empty()) return {};
    if (v.is_class_data) return "a static member, of which OpenMP makes no copies: use a local variable instead";
    if (c.carried_as == Class::kReduction)
      return v.has_type && !v.traits.is_arithmetic ? "OpenMP has no reduction of its type: declare one" : "";
    const bool needs_default = c.carried_as != Class::kFirstprivate, needs_copy = c.carried_as != Class::kPrivate;
    if ((needs_default && v.traits.lacks_default) || (needs_copy && v.traits.lacks_copy))
      return "its class may have no constructor for a copy in each thread: declare it in the loop's body";
    if (c.carried_as == Class::kLastprivate && c.may_stay && (v.has_members || !c.one_place))
      return "the loop may have no iteration, and the clause then loses what was there: give each iteration its own";
    if (c.carried_as == Class::kLastprivate && c.conditional && v.has_members)
      return "OpenMP takes no structure whose last value some iterations leave: give each iteration its own";
    return {};
  }
  // A callee's frame, registers, and what has no name in the loop's own frame are an iteration's own, or may be.
  static bool is_of_all_iterations(const Carrier& c, const Variable& v) {
    switch (c.object.kind) {
      case Object::Kind::kRegister:
      case Object::Kind::kLibrary:
      case Object::Kind::kCallee:
        return false;
      case Object::Kind::kFrame:
        return !v.name.empty() && !v.of_body;
      default:
        return true;
    }
  }
  // OpenMP counts by one variable; others would have to be computed from it. What has no name in the source, a compiler
  // has made of it. In other languages the text does not tell what it counts by.
  void set_counter(const Carrier& c, const Variable& v, AdviceItem& to) const {
    const bool made_up = c.object.kind == Object::Kind::kFrame || c.object.kind == Object::Kind::kRegister;
    if (v.of_body || (v.name.empty() && made_up) || !has_openmp(place_.file)) return;
    if (!v.name.empty() && source_.head.counts_by(v.name)) return;
    const bool shows_none = source_.head.counters.empty() && (!source_.body.empty() || source_.words.contains("while"));
    to.edit = !source_.head.elements.empty() ? "compute it from the element's place in the range"
              : !shows_none                  ? "compute it from the loop's counter"
              : fortran_form(place_.file)    ? "write the loop as a 'do' that counts by one variable"
                                             : "write the loop as a 'for' that counts by one variable";
  }
  std::string edit_of(const Carrier& c) const {
    const bool openmp = has_openmp(place_.file);
    if (c.carried_as == Class::kReduction)
      return fmt::format("update it {}, or give each thread its own",
                         openmp ? "by '" + directive_text(place_.file, "atomic") + "'" : "atomically");
    if (c.object.kind == Object::Kind::kHeap) return "allocate it inside the loop";
    if (c.object.kind == Object::Kind::kStatic)
      return fortran_form(place_.file) ? "make it threadprivate, or give each iteration its own"
             : openmp                  ? "make it _Thread_local, or a variable of the loop's body"
                                       : "make it a thread's own, or a variable of the loop's body";
    return "give each iteration its own";
  }

  static std::string register_name(uint8_t chunk) {
    const uint32_t n = register_of(chunk * 8u);
    if (n >= kGuestRegisterCount || (chunk >= kStateCcOp / 8 && chunk <= kStateCcNdep / 8)) return "flags";
    std::string name(guest_register(n).name);
    if (name.starts_with("ymm")) name[0] = 'x';
    return name;
  }
  std::string heap_name(uint32_t allocation) {
    const std::vector<CodeAddr>& calls = with_.regions.allocations[allocation];
    if (calls.empty()) return "a heap block";
    const HeapName typed = heap_names_.name(std::span(&calls.back(), 1), 1, kAnySize, 0);
    if (typed.typed) return typed.object;
    const SourcePlace line = source_place_of(std::span(&calls.back(), 1), modules_, symbols_);
    const std::string where = short_place(line);
    // A line of a template's allocator says nothing of whose block it is.
    return where.empty() || of_the_system(line.file) ? "a heap block" : "heap block of " + where;
  }
  // Those of the heaviest rows first.
  std::vector<std::pair<std::string, std::string>> library_functions(const Carrier& c) {
    std::vector<std::pair<std::string, std::string>> functions;
    const auto& contexts = with_.regions.contexts;
    for (const uint32_t r : c.rows)
      for (const regions::SiteIndex s : {with_.regions.rows[r].target, with_.regions.rows[r].source}) {
        const regions::Context& context = contexts[contexts.site(s).context];
        if (!context.library || !context.function.module) continue;
        const auto info = symbols_.function_of(context.function.module.value, context.function.addr);
        if (!info.known()) continue;
        const LibraryFunction f = facts_.function_of(context.function);
        const bool is_known = f.state != advise::LibraryState::kUnknown;
        const std::pair function(std::string(is_known ? f.name : info.name), std::string(f.advice));
        if (std::find(functions.begin(), functions.end(), function) == functions.end()) functions.push_back(function);
      }
    // Parts of others' work say nothing beside these.
    const auto says_nothing = [](const auto& f) { return f.first == "transfer"; };
    if (!std::all_of(functions.begin(), functions.end(), says_nothing)) std::erase_if(functions, says_nothing);
    return functions;
  }

  void set_openmp(const regions::Loop& l, AdviceLoop& named) {
    // Nobody edits the system's headers.
    if (source_.head.counters.size() != 1 || !source_.head.canonical || of_the_system(place_.file)) return;
    named.is_counted_for = true;
    named.counter_name = *source_.head.counters.begin();
    // Each thread counts by its own.
    if (!source_.head.declares) named.counter = fmt::format("lastprivate({})", named.counter_name);
    if (source_.names.assigned.contains(named.counter_name) && !source_.body.empty()) {
      named.counter_edit = fmt::format("OpenMP takes no loop whose body changes {}", named.counter_name);
    } else if (!source_.head.refused.empty()) {
      named.counter_edit = source_.head.refused;
    } else if (!source_.head.wanted.empty()) {
      named.counter_edit = fmt::format("OpenMP wants it to begin by '{}'", source_.head.wanted);
    }
    if (named.verdict == Verdict::kParallel) {
      auto [unseen, in_registers] = unseen_names({l, *lines_, place_, source_, variables_of(l),
                                                  code_stores_ ? *code_stores_ : code_stores_.emplace(with_, symbols_)},
                                                 named, sources_);
      named.unseen = std::move(unseen);
      named.in_registers = in_registers;
      for (const ChangedPlace& p : source_.changed) named.assigned.insert(p.object);
      for (const std::string& name : named.unseen)
        if (is_plain(l, name) && sources_.is_loops_own(place_, source_, name)) named.own_names.insert(name);
      std::erase_if(named.unseen, [&](const std::string& n) { return named.own_names.contains(n); });
    }
    named.pragma = openmp_line(named);
  }

  // Whether no variable of that name has members, or is a reference: copies of these may be none, or not be made.
  bool is_plain(const regions::Loop& l, const std::string& name) {
    const auto& locals = locals_of(l);
    return std::none_of(locals.begin(), locals.end(), [&](const symbols::LocalName& n) {
      const symbols::TypeInfo type = symbols_.type(l.header.module.value, n.type);
      return n.name == name && (symbols_.type_part(l.header.module.value, n.type, 0).path.starts_with('.') ||
                                type.name.ends_with('&') || (type.traits.lacks_default && !type.name.empty()));
    });
  }

  // The function's variables, as the loop has them.
  std::vector<LoopVariable> variables_of(const regions::Loop& l) {
    std::vector<LoopVariable> all;
    for (const symbols::LocalName& n : locals_of(l)) {
      const Variable v = of_local(l, n);
      const symbols::TypeInfo type = symbols_.type(l.header.module.value, n.type);
      all.push_back({&n, type.name, v.of_body, v.is_array, v.is_descriptor, v.has_members, type.traits.is_arithmetic});
    }
    return all;
  }

  const advise::Advisor& with_;
  AdviseFacts& facts_;
  const ModuleTable& modules_;
  // Of the loop that is being named:
  LoopPlace* lines_ = nullptr;
  SourcePlace place_;
  uint32_t last_line_ = 0;
  uint64_t least_size_ = 0;
  LoopSource source_;
  static constexpr uint64_t kLongestInsn = 16;
  symbols::Symbols& symbols_;
  LoopSources sources_;
  LoopPlaces places_;
  std::map<uint32_t, Named> named_;        // loops, by number
  std::optional<CodeStores> code_stores_;  // made when it is needed
  HeapNames heap_names_;
  CallingPlaces calling_places_;
  static constexpr uint64_t kAnySize = uint64_t{1} << 48;
  std::map<uint64_t, std::vector<symbols::LocalName>> locals_;  // by function
};

}  // namespace

std::vector<AdviceLoop> name_loops(const std::vector<advise::LoopAdvice>& advice, const advise::Advisor& with,
                                   AdviseFacts& facts, const ModuleTable& modules, symbols::Symbols& symbols) {
  Namer namer(with, facts, modules, symbols);
  std::vector<AdviceLoop> loops;
  for (const advise::LoopAdvice& a : advice) loops.push_back(namer.loop(a));
  forget_inner_heads(loops);
  namer.add_between_parts(loops);
  return loops;
}

}  // namespace cdr::report

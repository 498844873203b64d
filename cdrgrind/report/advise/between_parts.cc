// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/between_parts.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "cdrgrind/report/advise/loop_parts.h"

namespace cdr::report {
namespace {

using regions::Between;
using regions::LoopId;
using regions::Site;
using regions::SiteIndex;

class Parts {
 public:
  Parts(std::vector<AdviceLoop>& loops, const advise::Advisor& with, AdviseFacts& facts, symbols::Symbols& symbols,
        LoopSources& sources, LoopPlaces& places, const NameBetween& name)
      : loops_(loops),
        with_(with),
        facts_(facts),
        symbols_(symbols),
        sources_(sources),
        places_(places),
        name_(name),
        statements_(statements_of(loops)) {
    for (size_t i = 0; i < loops_.size(); ++i) {
      by_number_[loops_[i].number] = i;
      of_functions_[with_.loops[LoopId(loops_[i].number)].function].push_back(i);
    }
  }

  void add(const Between& b) {
    if (b.object.kind == regions::Object::Kind::kLibrary) return;
    if (b.from && b.to) return add_of_loops(b);
    if (b.from || b.to) {
      for (const LoopId l : b.from ? loops_around(b, b.source, b.from) : loops_around(b, b.target, b.to))
        if (const auto loop = by_number_.find(l.value); loop != by_number_.end()) add_beside(b, loop->second);
      return;
    }
    const auto loops = of_functions_.find(with_.regions.contexts[b.context].function.addr);
    if (loops == of_functions_.end()) return;
    for (const size_t l : loops->second) add_beside(b, l);
  }

 private:
  static constexpr uint8_t kCall = 0xe8, kJump = 0xe9;

  // Of nests that are parts of one it is not known which of the nest's loops would carry it: all of them are said to.
  void add_of_loops(const Between& b) {
    for (const LoopId from : loops_around(b, b.source, b.from))
      for (const LoopId to : loops_around(b, b.target, b.to)) add_of_loops(b, from, to);
  }
  void add_of_loops(const Between& b, LoopId from, LoopId to) {
    const auto f = by_number_.find(from.value), t = by_number_.find(to.value);
    if (f == by_number_.end() || t == by_number_.end() || statements_[f->second] != statements_[t->second]) return;
    if (has_code(from, end_of(b, b.target).ip) && has_code(to, end_of(b, b.source).ip)) return;
    add_between(loops_[f->second], name_(b, from));
    add_between(loops_[t->second], name_(b, to));
  }
  // From the innermost one around the end to the outermost one below what the ends have in common.
  std::vector<LoopId> loops_around(const Between& b, SiteIndex s, LoopId outermost) const {
    std::vector<LoopId> loops;
    for (LoopId l = with_.loops.innermost(outermost, end_of(b, s).ip); l; l = with_.loops[l].parent) {
      loops.push_back(l);
      if (l == outermost) break;
    }
    return loops;
  }

  // One end, or both, beside the loop.
  void add_beside(const Between& b, size_t l) {
    AdviceLoop& loop = loops_[l];
    if (loop.head_columns.empty() || (!loop.has_head && !body_of(l))) return;
    const LoopId id(loop.number);
    const uint64_t source = b.from ? 0 : place_beside(b, b.source, l);
    const uint64_t target = b.to ? 0 : place_beside(b, b.target, l);
    if ((!b.from && !source) || (!b.to && !target)) return;
    AdviceItem item = name_(b, id);
    // What has no name in the frame is the compiler's own; so is one place of what each iteration has for itself.
    if (b.object.kind == regions::Object::Kind::kFrame &&
        (item.variable.empty() || item.of_body || is_handed_in(id, source)))
      return;
    // An induction goes on from what it is given.
    if (std::any_of(loop.items.begin(), loop.items.end(), [&](const AdviceItem& i) {
          return i.carried_as == advise::Class::kInduction && i.name == item.name;
        }))
      return;
    const auto set = [&](AdviceEnd& end, SiteIndex site, uint64_t ip) {
      if (!ip) return;
      end.ip = ip;
      end.call = made_by(site).library;
      end.line = places_.at(id.value).line_of(ip);
      loop.last_line = std::max(loop.last_line, end.line);
    };
    set(item.rows[0].source, b.source, source);
    set(item.rows[0].target, b.target, target);
    add_between(loop, std::move(item));
  }

  regions::Contexts::Endpoint end_of(const Between& b, SiteIndex s) const {
    return with_.regions.contexts.seen_from(s, with_.regions.contexts[b.context].depth);
  }

  // The instruction beside the loop that does what the end does, if it stands in the loop's source; 0: it does not.
  uint64_t place_beside(const Between& b, SiteIndex site, size_t l) {
    const auto& contexts = with_.regions.contexts;
    const auto end = end_of(b, site);
    if (end.call) return is_in_source(l, end.ip) && is_copier(l, end.ip, kCall, made_by(site).function) ? end.ip : 0;
    if (!made_by(site).library) {
      // A load may stand before a loop that goes on in a register.
      const bool is_early = b.kind == regions::Kind::kWar && site == b.source;
      const bool counts = contexts.repeats_insn(site) || (!is_early && is_body_beside(l, end.ip));
      return counts && is_in_source(l, end.ip) ? end.ip : 0;
    }
    // The function has become it, by a jump.
    const LoopId id(loops_[l].number);
    for (const uint64_t addr : with_.loops.code_of(contexts[b.context].function).addrs)
      if (!with_.loops.innermost(id, addr) && is_in_source(l, addr) && is_copier(l, addr, kJump, {})) return addr;
    return 0;
  }

  // Whether the instruction stores to a place in the frame that no instruction of the loop names as its target: what
  // stands there is for all iterations, made by what compilers have moved out of the body.
  bool is_handed_in(LoopId id, uint64_t source) {
    const regions::Loop& loop = with_.loops[id];
    const auto target_of = [&](uint64_t addr) -> const regions::Operand& {
      return with_.values.insns().at({loop.header.module, addr}).operands[0];
    };
    if (!source) return false;
    const regions::Operand place = target_of(source);
    return place.is_in_frame() && place.index == regions::kNoRegister &&
           std::none_of(loop.body.begin(), loop.body.end(), [&](uint64_t addr) { return target_of(addr) == place; });
  }

  TextPosition position_of(size_t l, uint64_t ip) {
    const symbols::SourcePos pos = places_.at(loops_[l].number).pos_of(ip);
    return {pos.line, pos.column};
  }
  const std::optional<TextLoop>& body_of(size_t l) {
    const auto [known, is_new] = bodies_.try_emplace(l);
    const AdviceLoop& loop = loops_[l];
    if (is_new) known->second = sources_.loop_with_head(loop.place.file, loop.head_line, loop.head_columns);
    return known->second;
  }
  bool is_in_source(size_t l, uint64_t ip) {
    const AdviceLoop& loop = loops_[l];
    if (!places_.at(loop.number).has_beside(ip)) return false;
    const TextPosition at = position_of(l, ip);
    const auto& body = body_of(l);
    if (body && at.second) return body->begin <= at && at < body->end;
    if (body) return body->begin.first <= at.first && at.first <= body->end.first;
    return sources_.is_in_loop(loop.place, loop.last_line, at.first);
  }
  // Code of the body beside the loop, if not for ways out of it, nor the same once more.
  bool is_body_beside(size_t l, uint64_t ip) {
    return body_of(l) && position_of(l, ip).second && loops_[l].exit_lines.empty() &&
           !has_code(LoopId(loops_[l].number), ip);
  }
  bool has_code(LoopId id, uint64_t ip) {
    const size_t l = by_number_.at(id.value);
    const auto [known, is_new] = positions_.try_emplace(l);
    if (is_new)
      for (const uint64_t addr : with_.loops[id].body) known->second.insert(position_of(l, addr));
    return known->second.contains(position_of(l, ip));
  }

  const regions::Context& made_by(SiteIndex s) const {
    return with_.regions.contexts[with_.regions.contexts.site(s).context];
  }
  // `by`: the instruction's first byte, if the target stands in it.
  bool is_copier(size_t l, uint64_t call, uint8_t by, CodeAddr called) {
    const ModuleId module = loops_[l].header.module;
    constexpr uint32_t kLength = 5;
    const auto code = facts_.code_at(module, call, kLength);
    if (code.size() == kLength && code[0] == by) {
      int32_t distance = 0;
      std::memcpy(&distance, code.data() + 1, sizeof distance);
      const auto target = symbols_.function_of(module.value, call + kLength + static_cast<uint64_t>(int64_t{distance}));
      if (target.known()) return copies_or_fills(target.name);
    }
    if (!called.module) return false;
    const auto info = symbols_.function_of(called.module.value, called.addr);
    return !info.known() || copies_or_fills(info.name);
  }

  std::vector<AdviceLoop>& loops_;
  const advise::Advisor& with_;
  AdviseFacts& facts_;
  symbols::Symbols& symbols_;
  LoopSources& sources_;
  LoopPlaces& places_;
  const NameBetween& name_;
  std::vector<size_t> statements_;
  std::map<uint32_t, size_t> by_number_;
  std::map<uint64_t, std::vector<size_t>> of_functions_;
  std::map<size_t, std::set<TextPosition>> positions_;  // of a loop's code
  std::map<size_t, std::optional<TextLoop>> bodies_;
};

}  // namespace

void add_between_parts(std::vector<AdviceLoop>& loops, const advise::Advisor& with, AdviseFacts& facts,
                       symbols::Symbols& symbols, LoopSources& sources, LoopPlaces& places, const NameBetween& name) {
  Parts parts(loops, with, facts, symbols, sources, places, name);
  for (const Between& b : with.regions.between) parts.add(b);
}

}  // namespace cdr::report

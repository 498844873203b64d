// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/unseen_names.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "cdrgrind/report/advise/inlined_calls.h"
#include "cdrgrind/report/common/source_words.h"

namespace cdr::report {
namespace {

constexpr uint64_t kMostInRegisters = 512;  // bytes of an array, all of whose loops are unrolled

class Unseen {
 public:
  Unseen(const LoopCode& code, const AdviceLoop& named, LoopSources& sources)
      : code_(code), source_(code.source), named_(named), sources_(sources) {}

  UnseenNames all() {
    add_assigned();
    add_exposed();
    add_inlined();
    add_made_ahead();
    add_without_stores();
    return {std::move(unseen_), in_registers_};
  }

 private:
  using Unstored = std::map<std::string, std::vector<const ChangedPlace*>>;  // by object
  using StoresByLine = std::map<uint32_t, size_t>;                           // StorePlaces::lines()

  void add(const std::string& name) {
    if (std::find(unseen_.begin(), unseen_.end(), name) == unseen_.end()) unseen_.push_back(name);
  }

  bool is_item(const std::string& name) const {
    return std::any_of(named_.items.begin(), named_.items.end(), [&](const AdviceItem& i) {
      return i.variable == name || (!i.edit.empty() && (i.name == name || i.name.ends_with("::" + name)));
    });
  }
  bool is_declared(const std::string& name) const {
    return source_.names.declared.contains(name) && !source_.names.kept.contains(name);
  }
  static bool is_of_body(const LoopVariable& v) { return v.of_body; }
  // Whether it is neither, nor a variable of the function of which that is so, and no other has that name.
  template <class F>
  bool lacks(const std::string& name, F is_other) const {
    if (is_item(name)) return false;
    bool other = false, hidden = false;
    for (const LoopVariable& v : code_.variables) {
      if (!v.is_named(name)) continue;
      if (v.local->reg == symbols::LocalName::kDeclared)
        hidden |= !v.of_body && !is_other(v);
      else
        other |= is_other(v);
    }
    return !other || hidden;
  }
  // Whether it is a variable from outside the loop that has no place in the frame for all of it: what is done to it
  // need not be seen.
  bool is_hidden(const std::string& name, bool arrays) const {
    const auto& all = code_.variables;
    const auto has_place = [&](const LoopVariable& v) {
      const symbols::LocalName& n = *v.local;
      return v.is_named(name) && n.reg == symbols::LocalName::kInFrame && n.code.begin <= code_.loop.body.front() &&
             code_.loop.body.back() < n.code.end;
    };
    return std::any_of(all.begin(), all.end(), [&](const LoopVariable& v) {
      if (!v.is_named(name) || v.local->reg != symbols::LocalName::kDeclared || v.points()) return false;
      if (v.of_body || v.is_descriptor) return false;
      const bool is_array = (v.type.find('[') != v.type.npos || v.type.starts_with("std::array<")) &&
                            v.local->size > 0 && v.local->size <= kMostInRegisters;
      return (is_array || !arrays) && !v.type.starts_with("const ") && std::none_of(all.begin(), all.end(), has_place);
    });
  }
  void add_hidden(const std::string& name, bool arrays) {
    if (!is_item(name) && !source_.head.counters.contains(name) && !source_.names.declared.contains(name) &&
        is_hidden(name, arrays))
      add(name);
  }

  void add_assigned() {
    for (const std::string& name : source_.names.assigned)
      if (!is_declared(name) && lacks(name, is_of_body)) add(name);
    for (const std::string& name : source_.names.by_calls)
      if (!is_item(name)) add(name);
    for (const std::string& name : source_.names.in_part)
      if (!is_declared(name) && lacks(name, [&](const LoopVariable& v) { return v.of_body || v.points(); })) add(name);
  }

  void add_exposed() {
    for (const std::string& name : source_.exposed.arrays) add_hidden(name, true);
    for (const std::string& name : source_.exposed.anything) add_hidden(name, false);
    std::set<std::string> through = assigned_through_pointers(source_.body);
    through.insert(source_.exposed.arrays.begin(), source_.exposed.arrays.end());
    through.insert(source_.exposed.anything.begin(), source_.exposed.anything.end());
    for (const LoopVariable& v : code_.variables) {
      if (v.local->reg != symbols::LocalName::kDeclared) continue;
      const std::string name(v.local->name);
      const auto others = sources_.other_names_in(code_.place, source_, name, v.is_array);
      if (std::any_of(others.begin(), others.end(), [&](const std::string& o) { return through.contains(o); }))
        add_hidden(name, false);
    }
  }

  void add_inlined() {
    const InlinedCalls inlined(code_.loop, code_.lines);
    for (const std::string& name : inlined.assigned(source_.body, sources_.plain())) add_hidden(name, false);
    // What is read, by this name or by another, and loaded nowhere, goes from iteration to iteration in registers.
    std::set<std::string> filled = source_.names.both_ways;
    filled.merge(arrays_filled_from_others(source_.body, source_.head.counters));
    if (!filled.empty() && !loads())
      for (const std::string& name : filled)
        if (!is_item(name) && !source_.names.in_part.contains(name)) {
          add(name);
          in_registers_ = true;
        }
    for (const InlinedCount& c : inlined.counted(source_.body, sources_.plain())) {
      const std::string name = c.object.empty() ? std::string(c.function) : c.object;
      if (!source_.names.declared.contains(name) && lacks(name, is_of_body) && !shows(c)) add(name);
    }
  }
  // Whether memory is carried where the function that counts is put in line.
  bool shows(const InlinedCount& count) const {
    const auto is_there = [&](const AdviceEnd& e) {
      const auto frames = code_.lines.frames_within(e.ip);
      return frames.size() > 1 && frames[0].pos.line == count.line && frames[1].function == count.function;
    };
    return std::any_of(named_.items.begin(), named_.items.end(), [&](const AdviceItem& i) {
      return !i.in_register && std::any_of(i.rows.begin(), i.rows.end(), [&](const AdviceRow& r) {
        return is_there(r.source) || is_there(r.target);
      });
    });
  }
  // Whether the loop reads memory besides the frame, or may do so.
  bool loads() const {
    return std::any_of(code_.loop.body.begin(), code_.loop.body.end(), [&](uint64_t addr) {
      const regions::MachineInsn& m = code_.stores.insn({code_.loop.header.module, addr});
      if (m.calls) return true;
      for (uint8_t i = 0; i < m.operand_count; ++i)
        if (const regions::Operand& o = m.operands[i]; o.kind == regions::Operand::Kind::kMemory &&
                                                       (!o.is_in_frame() || o.index != regions::kNoRegister) &&
                                                       (i > 0 || m.operation != regions::Operation::kMove))
          return true;
      return false;
    });
  }

  // Which of the source's variables it is that the iteration before has made is not known.
  void add_made_ahead() {
    if (std::any_of(named_.items.begin(), named_.items.end(), [](const AdviceItem& i) { return i.made_ahead; }))
      for (const auto& names : {assigned_through_pointers(source_.body), source_.names.both_ways})
        for (const std::string& name : names)
          if (!is_item(name)) add(name);
  }

  // Objects none of whose changes in the text the code stores.
  void add_without_stores() {
    Unstored places;
    for (const ChangedPlace& p : source_.changed)
      if (may_be_unseen(p)) places[p.object].push_back(&p);
    if (places.empty()) return;
    const StorePlaces stores(code_.loop, code_.lines, code_.stores);
    std::erase_if(places, [&](const auto& p) {
      const auto& [object, all] = p;
      const bool in_frame = lies_in_frame(object);
      auto lost = all;
      std::erase_if(lost,
                    [&](const ChangedPlace* place) { return stores.shows(*place, in_frame, stands_alone(*place)); });
      const bool any = lost.size() < all.size();
      // Stores into the same elements would be carried, whatever the other ones do.
      const auto is_same = [](const ChangedPlace* place) { return place->same_elements; };
      if (any && in_frame && std::any_of(lost.begin(), lost.end(), is_same)) add(object);
      return any;
    });
    const StoresByLine lines = stores.lines();
    std::vector<std::string> copied;
    for (const auto& [object, all] : places)
      if (std::any_of(all.begin(), all.end(),
                      [&](const ChangedPlace* p) { return is_stored_before(*p, places, lines); }))
        copied.push_back(object);
    std::erase_if(places,
                  [&](const auto& p) { return std::find(copied.begin(), copied.end(), p.first) != copied.end(); });
    std::erase_if(places, [&, wanted = places.size()](const auto& p) {
      return std::any_of(p.second.begin(), p.second.end(),
                         [&](const ChangedPlace* c) { return is_stored_in_head(*c, wanted, lines); });
    });
    for (const auto& [object, all] : places) add(object);
  }
  // Stores that compilers move behind an inner loop, or make of two, have the line of its head: whether as many as such
  // objects have those of the heads above the place, between which no other statement stands.
  bool is_stored_in_head(const ChangedPlace& place, size_t wanted, const StoresByLine& found) const {
    const auto lines = sources_.plain().of(code_.place.file);
    size_t count = 0;
    bool below_head = false;
    for (uint32_t line = place.begin.first - 1; line >= std::max(code_.place.line, 1u); --line) {
      if (line > lines.size()) return false;
      const std::string_view text = lines[line - 1];
      if (!is_head(text)) {
        if (below_head && std::any_of(text.begin(), text.end(), is_word)) break;
        continue;
      }
      below_head = true;
      const auto at = found.find(line);
      if (at != found.end() && !is_changed_in(line)) count += at->second;
    }
    return count >= wanted;
  }
  static bool is_head(std::string_view text) {
    constexpr std::string_view kWords[] = {"for", "do", "while"};
    return std::any_of(std::begin(kWords), std::end(kWords),
                       [&](std::string_view word) { return find_word(text, word) != text.npos; });
  }
  // Whether something else than a whole variable is changed there.
  bool is_changed_in(uint32_t line) const {
    return std::any_of(source_.changed.begin(), source_.changed.end(),
                       [&](const ChangedPlace& p) { return !p.whole && p.has(line); });
  }
  // A store of `a[i] = x' may have the line where x is made, if that changes nothing: whether as many are there as such
  // objects.
  bool is_stored_before(const ChangedPlace& place, const Unstored& unseen, const StoresByLine& found) const {
    if (place.value.empty()) return false;
    const auto copies = [&](const ChangedPlace* p) { return p->value == place.value; };
    const auto wanted = static_cast<size_t>(std::count_if(unseen.begin(), unseen.end(), [&](const auto& p) {
      return std::any_of(p.second.begin(), p.second.end(), copies);
    }));
    const auto lines = sources_.plain().of(code_.place.file);
    return std::any_of(found.begin(), found.end(), [&](const auto& f) {
      const auto [line, count] = f;
      const bool is_claimed = std::any_of(source_.changed.begin(), source_.changed.end(),
                                          [&, at = line](const ChangedPlace& p) { return p.has(at); });
      return !is_claimed && count >= wanted && code_.place.line < line && line < place.begin.first &&
             line <= lines.size() && find_word(lines[line - 1], place.value) != std::string::npos;
    });
  }
  bool may_be_unseen(const ChangedPlace& p) const {
    if (source_.head.counters.contains(p.object) || source_.head.elements.contains(p.object)) return false;
    if (std::any_of(named_.items.begin(), named_.items.end(), [&](const AdviceItem& i) {
          return i.variable == p.object && (!i.in_register || i.carried_as != advise::Class::kInduction);
        }))
      return false;
    bool from_outside = false, of_body = false, is_scalar = false;
    for (const LoopVariable& v : code_.variables) {
      if (!v.is_named(p.object) || !v.local->path.empty() || is_inlined(v)) continue;
      (v.of_body ? of_body : from_outside) = true;
      is_scalar |= !v.has_members && !v.is_array && !v.is_descriptor;
    }
    // What a plain assignment does to a scalar is looked at elsewhere.
    if (p.whole && (is_scalar || !from_outside)) return false;
    // Of what is inlined in the loop others may have the name; Fortran's text says what the body declares.
    return from_outside || !of_body || fortran_form(code_.place.file);
  }
  // Whether a function put in line declares it: the loop's text means another one.
  bool is_inlined(const LoopVariable& v) const {
    const uint32_t line = v.local->decl_line;
    return v.of_body && line > 0 && !fortran_form(code_.place.file) &&
           (line < code_.place.line || line > named_.last_line);
  }
  bool lies_in_frame(const std::string& object) const {
    return std::any_of(code_.variables.begin(), code_.variables.end(), [&](const LoopVariable& v) {
      const bool has_place =
          v.local->reg == symbols::LocalName::kInFrame || v.local->reg == symbols::LocalName::kByStackPointer;
      return v.is_named(object) && has_place && !v.points();
    });
  }
  // In its lines nothing else is changed.
  bool stands_alone(const ChangedPlace& p) const {
    return std::none_of(source_.changed.begin(), source_.changed.end(), [&](const ChangedPlace& other) {
      return other.object != p.object && other.begin.first <= p.end.first && p.begin.first <= other.end.first;
    });
  }

  const LoopCode& code_;
  const LoopSource& source_;
  const AdviceLoop& named_;
  LoopSources& sources_;
  std::vector<std::string> unseen_;
  bool in_registers_ = false;
};

}  // namespace

UnseenNames unseen_names(const LoopCode& code, const AdviceLoop& named, LoopSources& sources) {
  return Unseen(code, named, sources).all();
}

}  // namespace cdr::report

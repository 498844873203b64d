// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/fortran_names.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

// Behind the parenthesis that closes the one at the front.
std::string_view behind_parentheses(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth == 0) return trimmed(text.substr(i + 1));
  }
  return {};
}

// `if (...) x = 1' is `x = 1'.
std::string_view without_condition(std::string_view text) {
  if (!text.starts_with("if")) return text;
  const std::string_view rest = trimmed(text.substr(2));
  return rest.starts_with('(') ? behind_parentheses(rest) : text;
}

std::string_view first_word(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(0, end);
}

// The scalar that the statement assigns to; empty: none.
std::string_view assigned(std::string_view statement) {
  const std::string_view text = without_condition(statement), name = first_word(text);
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return {};
  const std::string_view rest = trimmed(text.substr(name.size()));
  return rest.starts_with('=') && !rest.starts_with("==") ? name : std::string_view();
}

bool is_declaration(const FortranStatement& s) {
  if (s.text.find("::") != s.text.npos) return true;
  for (const std::string_view word : {"integer", "implicit"})
    if (s.text.starts_with(word)) return true;
  return false;
}

bool begins_unit(const FortranStatement& s) {
  return begins_procedure(s) || (!s.is_directive && (s.text.starts_with("program") || s.text.starts_with("module")));
}

bool is_contains(const FortranStatement& s) { return !s.is_directive && s.text == "contains"; }

// The unit around a loop: from behind the statement that begins it, or from the first one on, to where it ends.
struct ProgramUnit {
  size_t begin = 0, end = 0;
  size_t contains = 0;       // what it has of procedures begins there; `end`: none
  bool is_internal = false;  // a procedure in another unit
};

ProgramUnit unit_around(const FortranSource& source, const FortranLoop& loop) {
  const auto& all = source.statements;
  ProgramUnit unit{loop.begin, loop.end, 0, false};
  while (unit.begin > 0 && !begins_unit(all[unit.begin - 1]) && !is_contains(all[unit.begin - 1]) &&
         !ends_program_unit(all[unit.begin - 1]))
    --unit.begin;
  if (unit.begin > 0 && begins_procedure(all[unit.begin - 1])) {
    // Of what has ended before it, it is in none.
    size_t ended = 0;
    for (size_t i = unit.begin - 1; i-- > 0 && !unit.is_internal;) {
      if (ends_program_unit(all[i])) ++ended;
      if (begins_unit(all[i]) && ended > 0) --ended;
      unit.is_internal = is_contains(all[i]) && ended == 0;
    }
  }
  size_t depth = 0;
  while (unit.end < all.size() && (depth > 0 || !ends_program_unit(all[unit.end]))) {
    const FortranStatement& s = all[unit.end++];
    if (is_contains(s) && unit.contains == 0) unit.contains = unit.end;
    depth += begins_procedure(s) && unit.contains > 0;
    depth -= depth > 0 && ends_program_unit(s);
  }
  if (unit.contains == 0) unit.contains = unit.end;
  return unit;
}

// Whether an `end' belongs to the statement.
bool opens_block(std::string_view text) {
  const std::string_view first = first_word(text);
  if (text.ends_with("then")) return !first.starts_with("else");
  constexpr std::string_view kWords[] = {"do", "select", "block", "associate", "critical"};
  if (std::find(std::begin(kWords), std::end(kWords), first) != std::end(kWords)) return true;
  return (first == "where" || first == "forall" || text.find(": ") != text.npos) && !text.empty() &&
         (text.ends_with(')') || text.find(": do") != text.npos);
}

// Whether all of the unit's words of that name stand in loops that count by it, and others have none of it.
bool is_used_in_loops_alone(const FortranSource& source, const FortranLoop& loop) {
  const auto& all = source.statements;
  const ProgramUnit unit = unit_around(source, loop);
  const auto in_loop = [&](size_t i) {
    return std::any_of(source.loops.begin(), source.loops.end(), [&](const FortranLoop& l) {
      return l.counter == loop.counter && i + 1 >= l.begin && i < l.end;
    });
  };
  const auto has_counter = [&](size_t i) {
    return !all[i].is_directive && words_of(all[i].text).contains(loop.counter);
  };
  bool is_declared = false;
  for (size_t i = unit.begin; i < unit.contains; ++i) {
    if (!has_counter(i)) continue;
    if (is_declaration(all[i]))
      is_declared = true;
    else if (!in_loop(i))
      return false;
  }
  for (size_t i = unit.contains; i < unit.end; ++i)
    if (has_counter(i)) return false;
  return is_declared || !unit.is_internal;
}

std::set<std::string_view> words_in(const FortranSource& source, size_t begin, size_t end, bool of_declarations) {
  std::set<std::string_view> words;
  for (size_t i = begin; i < end; ++i)
    if (const FortranStatement& s = source.statements[i]; !s.is_directive && (!of_declarations || is_declaration(s)))
      words.merge(words_of(s.text));
  return words;
}

// What stands between commas, in the parentheses at the front.
std::vector<std::string_view> list_in_parentheses(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  for (size_t i = 0, begin = 1; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    const bool ends = depth == 0;
    if (!ends && (depth != 1 || text[i] != ',')) continue;
    parts.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
    if (ends) break;
  }
  return parts;
}

bool is_only_got(const FortranSource& source, const FortranProcedure& p, std::string_view dummy) {
  for (size_t i = p.begin; i < p.end; ++i) {
    const FortranStatement& s = source.statements[i];
    if (is_declaration(s) && words_of(s.text).contains(dummy))
      return s.text.find("intent(in)") != s.text.npos || s.text.find("intent (in)") != s.text.npos;
  }
  return false;
}

// `split(x(i), high, low)'
void add_arguments(const FortranSource& source, std::string_view call, ExposedNames& to) {
  const std::string_view name = first_word(call), list = trimmed(call.substr(name.size()));
  if (!list.starts_with('(')) return;
  const auto known = std::find_if(source.procedures.begin(), source.procedures.end(),
                                  [&](const FortranProcedure& p) { return p.name == name; });
  std::vector<std::string_view> dummies;
  if (known != source.procedures.end()) {
    const std::string_view header = source.statements[known->begin - 1].text;
    const size_t open = header.find('(');
    if (open != header.npos) dummies = list_in_parentheses(header.substr(open));
  }
  const auto arguments = list_in_parentheses(list);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view variable = first_word(arguments[i]);
    if (variable.empty() || (i < dummies.size() && is_only_got(source, *known, dummies[i]))) continue;
    to.anything.emplace(variable);
    to.arrays.emplace(variable);
  }
}

// Scalars, and whole arrays, from elsewhere.
std::set<std::string> assigned_in(const FortranSource& source, const FortranProcedure& p) {
  std::set<std::string> names;
  std::set<std::string_view> own = words_in(source, p.begin, p.end, true);
  own.merge(words_of(source.statements[p.begin - 1].text));
  for (size_t i = p.begin; i < p.end; ++i)
    if (const std::string_view name = assigned(source.statements[i].text); !name.empty() && !own.contains(name))
      names.emplace(name);
  return names;
}

// A procedure within the loop's unit that the loop calls works on the unit's own variables, not on a thread's.
std::string internal_procedure(const FortranSource& source, const FortranLoop& loop) {
  const ProgramUnit unit = unit_around(source, loop);
  const auto in_loop = words_in(source, loop.begin, loop.end, false);
  std::set<std::string> changed = fortran_assigned_names(source, loop);
  changed.insert(loop.counter);
  for (const FortranProcedure& p : source.procedures) {
    if (p.begin <= unit.contains || p.begin > unit.end || !in_loop.contains(p.name)) continue;
    std::set<std::string> all = changed;
    all.merge(assigned_in(source, p));
    const auto own = words_in(source, p.begin, p.end, true), words = words_in(source, p.begin, p.end, false);
    for (const std::string& name : all)
      if (words.contains(name) && !own.contains(name))
        return fmt::format("{}, which it calls, works on {} from outside: hand that on", p.name, name);
  }
  return {};
}

// OpenMP's directives may not stand in such a procedure.
bool is_in_pure_procedure(const FortranSource& source, const FortranLoop& loop) {
  const ProgramUnit unit = unit_around(source, loop);
  if (unit.begin == 0 || !begins_procedure(source.statements[unit.begin - 1])) return false;
  const auto words = words_of(source.statements[unit.begin - 1].text);
  return !words.contains("impure") && (words.contains("pure") || words.contains("elemental"));
}

}  // namespace

ForHead fortran_head(const FortranSource& source, uint32_t line) {
  const FortranLoop* const loop = source.loop_of(line);
  if (!loop || loop->counter.empty()) return {};
  ForHead head{{loop->counter}, is_used_in_loops_alone(source, *loop), true, {}, {}, {}};
  if (is_in_pure_procedure(source, *loop)) head.refused = "OpenMP's lines may not stand in a pure procedure";
  if (head.refused.empty()) head.refused = internal_procedure(source, *loop);
  return head;
}

std::set<std::string> fortran_assigned_names(const FortranSource& source, const FortranLoop& loop) {
  std::set<std::string> names;
  for (size_t i = loop.begin; i < loop.end; ++i)
    if (const FortranStatement& s = source.statements[i]; !s.is_directive)
      if (const std::string_view name = assigned(s.text); !name.empty()) names.emplace(name);
  for (const FortranLoop& l : source.loops)
    if (l.begin >= loop.begin && l.end <= loop.end) names.erase(l.counter);
  return names;
}

ExposedNames fortran_exposed_names(const FortranSource& source, const FortranLoop& loop) {
  ExposedNames found;
  for (size_t i = loop.begin; i < loop.end; ++i) {
    if (source.statements[i].is_directive) continue;
    const std::string_view text = without_condition(source.statements[i].text);
    if (text.starts_with("call ")) {
      add_arguments(source, trimmed(text.substr(5)), found);
      continue;
    }
    const std::string_view name = first_word(text), rest = trimmed(text.substr(name.size()));
    if (name.empty() || !rest.starts_with('(')) continue;
    const std::string_view sign = behind_parentheses(rest);
    if (sign.starts_with('=') && !sign.starts_with("==")) found.arrays.emplace(name);
  }
  for (const FortranLoop& l : source.loops) {
    const bool is_within = l.begin >= loop.begin && l.end <= loop.end;
    if (!is_within && (l.begin > loop.begin || l.end < loop.end)) continue;
    found.anything.erase(l.counter);
    found.arrays.erase(l.counter);
  }
  return found;
}

std::vector<ChangedPlace> fortran_changed_places(const FortranSource& source, const FortranLoop& loop) {
  std::vector<ChangedPlace> found;
  const std::set<std::string> declared = fortran_declared_names(source, loop);
  for (size_t i = loop.begin; i < loop.end; ++i) {
    const FortranStatement& s = source.statements[i];
    if (s.is_directive || is_declaration(s)) continue;
    const std::string_view text = without_condition(s.text), name = first_word(text);
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || declared.contains(std::string(name)))
      continue;
    std::string_view rest = trimmed(text.substr(name.size()));
    bool is_whole = true;
    for (; rest.starts_with('(') || rest.starts_with('%'); is_whole = false) {
      if (rest.starts_with('(')) {
        rest = behind_parentheses(rest);
      } else {
        rest = trimmed(rest.substr(1));
        rest = trimmed(rest.substr(first_word(rest).size()));
      }
    }
    if (rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>"))
      found.push_back({std::string(name), {s.first, 0}, {s.last, 0}, {}, is_whole});
  }
  return found;
}

namespace {

// Around the statement and the loop.
const FortranLoop* innermost(const FortranSource& source, size_t statement, const FortranLoop& loop) {
  const FortranLoop* found = nullptr;
  for (const FortranLoop& l : source.loops) {
    const bool has_both = l.begin <= statement + 1 && statement < l.end && l.begin < loop.begin && loop.end <= l.end;
    if (has_both && (!found || found->begin < l.begin)) found = &l;
  }
  return found;
}

}  // namespace

bool fortran_is_loops_own(const FortranSource& source, const FortranLoop& loop, std::string_view name) {
  const auto& all = source.statements;
  const ProgramUnit unit = unit_around(source, loop);
  if (unit.begin > 0 && words_of(all[unit.begin - 1].text).contains(name)) return false;
  const auto has_name = [&](size_t i) { return !all[i].is_directive && words_of(all[i].text).contains(name); };
  // Whether it counts the loop, or what that says of it first is a statement of its own that assigns something else.
  const auto owns = [&](const FortranLoop& l) {
    if (l.counter == name) return true;
    int depth = 0;
    for (size_t i = l.begin; i < l.end; ++i) {
      const std::string_view text = all[i].text;
      if (has_name(i))
        return depth == 0 && assigned(text) == name && first_word(text) == name &&
               !words_of(text.substr(text.find('=') + 1)).contains(name);
      if (all[i].is_directive) continue;
      if (first_word(text).starts_with("end"))
        --depth;
      else if (opens_block(text))
        ++depth;
    }
    return false;
  };
  std::vector<const FortranLoop*> owners;
  for (const FortranLoop& l : source.loops)
    if (l.begin >= unit.begin && l.end <= unit.contains && owns(l)) owners.push_back(&l);
  bool is_declared = false;
  for (size_t i = unit.begin; i < unit.end; ++i) {
    if (!has_name(i)) continue;
    if (i >= unit.contains) return false;
    if (is_declaration(all[i])) {
      if (words_of(all[i].text).contains("target")) return false;
      is_declared = true;
      continue;
    }
    const bool is_here = i >= loop.begin && i < loop.end, is_behind = i >= loop.end;
    // What the loop leaves in it nothing behind may read; before it the innermost loop around both assigns it first.
    if (std::none_of(owners.begin(), owners.end(), [&](const FortranLoop* l) {
          const size_t head = l->counter == name ? 1 : 0;
          const bool is_within = l->begin >= loop.begin && l->end <= loop.end;
          const bool is_around = !is_within && l->begin <= loop.begin && loop.end <= l->end;
          return i + head >= l->begin && i < l->end && (!is_here || is_within) &&
                 (!is_around || (!is_behind && l == innermost(source, i, loop)));
        }))
      return false;
  }
  return is_declared;
}

std::set<std::string> fortran_declared_names(const FortranSource& source, const FortranLoop& loop) {
  std::set<std::string> names;
  for (const std::string_view w : words_in(source, loop.begin, loop.end, true)) names.emplace(w);
  return names;
}

std::set<std::string> fortran_called_assignments(const FortranSource& source, const FortranLoop& loop) {
  std::set<std::string> names;
  const auto in_loop = words_in(source, loop.begin, loop.end, false);
  for (const FortranProcedure& p : source.procedures)
    if (in_loop.contains(p.name)) names.merge(assigned_in(source, p));
  return names;
}

std::string fortran_extreme(const FortranSource& source, const FortranLoop& loop, std::string_view variable) {
  std::string found;
  for (size_t i = loop.begin; i < loop.end; ++i) {
    const FortranStatement& s = source.statements[i];
    if (s.is_directive || assigned(s.text) != variable) continue;
    const auto words = words_of(s.text);
    const bool greatest = words.contains("max"), least = words.contains("min");
    const std::string here = greatest ? "max" : "min";
    if (greatest == least || (!found.empty() && found != here)) return {};
    found = here;
  }
  return found;
}

std::string fortran_operator(std::string_view sign, const FortranSource& source, const FortranLoop& loop) {
  const bool bits =
      std::any_of(source.statements.begin() + static_cast<std::ptrdiff_t>(loop.begin),
                  source.statements.begin() + static_cast<std::ptrdiff_t>(loop.end), [](const FortranStatement& s) {
                    const auto words = words_of(s.text);
                    return words.contains("iand") || words.contains("ior") || words.contains("ieor");
                  });
  if (sign == "&" || sign == "&&") return bits ? "iand" : ".and.";
  if (sign == "|" || sign == "||") return bits ? "ior" : ".or.";
  if (sign == "^") return bits ? "ieor" : ".neqv.";
  return std::string(sign);
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/inlined_calls.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "cdrgrind/report/advise/assigned_names.h"
#include "cdrgrind/report/advise/counted_objects.h"
#include "cdrgrind/report/advise/exposed_names.h"
#include "cdrgrind/report/common/source_words.h"

namespace cdr::report {
namespace {

// By a function: its own object, its parameters, by number, and what it neither declares nor is handed.
struct Changed {
  bool own() const { return !others.empty(); }
  std::set<size_t> parameters;
  std::set<std::string> others;
};

void add_call(InlinedCall& to, std::span<const symbols::InlineFrame> frames) {
  if (frames.empty()) return;
  to.file = frames[0].pos.file;
  to.line = frames[0].pos.line;
  if (frames.size() > 1) add_call(to.calls[{frames[1].function, frames[0].pos.line}], frames.subspan(1));
}

// What the calls of a function with that name in the code change.
std::set<std::string> objects_of(std::string_view code, std::string_view function, const Changed& changed) {
  std::set<std::string> found;
  if (!changed.own() && changed.parameters.empty()) return found;
  for (const ObjectCall& c : calls_of(code, function)) {
    if (changed.own()) found.insert(c.object);
    for (const size_t p : changed.parameters)
      if (p < c.arguments.size() && !c.arguments[p].empty()) found.insert(c.arguments[p]);
  }
  return found;
}

// Of a text: names, and of pointers and arrays what they lead to.
struct TextChanges {
  std::set<std::string> names, behind_names;
};
using ChangesOf = TextChanges (*)(std::string_view body);

TextChanges counted_in(std::string_view body) { return {counted_names(body), {}}; }

TextChanges assigned_in(std::string_view body) {
  BodyNames own = body_names(body);
  own.assigned.merge(own.in_part);
  TextChanges found{std::move(own.assigned), exposed_names(body).arrays};
  found.behind_names.merge(assigned_through_pointers(body));
  return found;
}

std::optional<FunctionText> text_of(std::string_view function, const InlinedCall& call, PlainSources& sources) {
  const bool is_operator = function.find("operator()") != function.npos;
  const std::string_view name = is_operator ? "operator" : plain_function_name(function);
  auto text = function_text(sources.of(call.file), name, call.line);
  return text || !is_operator ? text : lambda_text(sources.of(call.file), call.line);
}

Changed changed_by(std::string_view function, const InlinedCall& call, PlainSources& sources, ChangesOf changes_of) {
  Changed changed;
  const auto text = text_of(function, call, sources);
  if (!text) return changed;
  auto [names, behind_names] = changes_of(text->body);
  for (const auto& [key, inner] : call.calls)
    names.merge(
        objects_of(text->body, plain_function_name(key.first), changed_by(key.first, inner, sources, changes_of)));
  for (size_t p = 0; p < text->parameters.size(); ++p) {
    const auto& [name, by_reference] = text->parameters[p];
    const bool is_changed = names.erase(name) > 0 || behind_names.contains(name);
    if (by_reference && is_changed) changed.parameters.insert(p);
  }
  const std::set<std::string> declared = declared_names(text->body);
  std::set_difference(names.begin(), names.end(), declared.begin(), declared.end(),
                      std::inserter(changed.others, changed.others.end()));
  return changed;
}

// Whether the text of one of them, or of what is put in line in it, means by that name what it neither declares nor is
// handed.
bool any_names(const InlinedCall& call, std::string_view variable, PlainSources& sources) {
  return std::any_of(call.calls.begin(), call.calls.end(), [&](const auto& c) {
    const auto& [key, inner] = c;
    const auto text = text_of(key.first, inner, sources);
    const bool is_own = text && std::any_of(text->parameters.begin(), text->parameters.end(),
                                            [&](const Parameter& p) { return p.name == variable; });
    if (text && !is_own && find_word(text->body, variable) != std::string::npos &&
        !declared_names(text->body).contains(std::string(variable)))
      return true;
    return any_names(inner, variable, sources);
  });
}

}  // namespace

InlinedCalls::InlinedCalls(const regions::Loop& loop, const LoopPlace& place) {
  for (const uint64_t addr : loop.body) add_call(all_, place.frames_within(addr));
}

std::set<std::string> InlinedCalls::assigned(std::string_view body, PlainSources& sources) const {
  std::set<std::string> found;
  for (const auto& [key, call] : all_.calls) {
    const Changed changed = changed_by(key.first, call, sources, assigned_in);
    found.merge(objects_of(body, plain_function_name(key.first), changed));
    found.insert(changed.others.begin(), changed.others.end());
  }
  return found;
}

bool InlinedCalls::names(std::string_view variable, PlainSources& sources) const {
  const size_t sign = variable.rfind(':');
  return any_names(all_, sign == variable.npos ? variable : variable.substr(sign + 1), sources);
}

std::set<InlinedCount> InlinedCalls::counted(std::string_view body, PlainSources& sources) const {
  std::set<InlinedCount> found;
  for (const auto& [key, call] : all_.calls)
    for (const std::string& object :
         objects_of(body, plain_function_name(key.first), changed_by(key.first, call, sources, counted_in)))
      found.insert({object, key.first, key.second});
  return found;
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/inlined_counts.h"

#include <map>
#include <span>
#include <utility>

#include "cdrgrind/report/advise/assigned_names.h"
#include "cdrgrind/report/advise/counted_objects.h"
#include "cdrgrind/report/advise/exposed_names.h"

namespace cdr::report {
namespace {

// A function put in line at one place, and what is put in line in it.
struct InlinedCall {
  std::string_view file;
  uint32_t line = 0;                                                   // of some of its code
  std::map<std::pair<std::string_view, uint32_t>, InlinedCall> calls;  // by function and line
};

// By a function: its own object, or its parameters, by number.
struct Counted {
  bool own = false;
  std::set<size_t> parameters;
};

void add_call(InlinedCall& to, std::span<const symbols::InlineFrame> frames) {
  if (frames.empty()) return;
  to.file = frames[0].pos.file;
  to.line = frames[0].pos.line;
  if (frames.size() > 1) add_call(to.calls[{frames[1].function, frames[0].pos.line}], frames.subspan(1));
}

// What the calls of a function with that name in the code count up.
std::set<std::string> objects_of(std::string_view code, std::string_view function, const Counted& counted) {
  std::set<std::string> found;
  if (!counted.own && counted.parameters.empty()) return found;
  for (const ObjectCall& c : calls_of(code, function)) {
    if (counted.own) found.insert(c.object);
    for (const size_t p : counted.parameters)
      if (p < c.arguments.size() && !c.arguments[p].empty()) found.insert(c.arguments[p]);
  }
  return found;
}

Counted counted_by(std::string_view function, const InlinedCall& call, PlainSources& sources) {
  Counted counted;
  const auto text = function_text(sources.of(call.file), plain_function_name(function), call.line);
  if (!text) return counted;
  std::set<std::string> names = counted_names(text->body);
  for (const auto& [key, inner] : call.calls)
    names.merge(objects_of(text->body, plain_function_name(key.first), counted_by(key.first, inner, sources)));
  const std::set<std::string> declared = declared_names(text->body);
  for (const std::string& name : names) {
    size_t p = 0;
    while (p < text->parameters.size() && text->parameters[p].name != name) ++p;
    if (p == text->parameters.size())
      counted.own |= !declared.contains(name);
    else if (text->parameters[p].by_reference)
      counted.parameters.insert(p);
  }
  return counted;
}

// The same of what is assigned; and what the function neither declares nor is handed.
struct Assigned : Counted {
  std::set<std::string> others;
};

Assigned assigned_by(std::string_view function, const InlinedCall& call, PlainSources& sources) {
  Assigned assigned;
  const bool is_operator = function.find("operator()") != function.npos;
  const std::string_view name = is_operator ? "operator" : plain_function_name(function);
  auto text = function_text(sources.of(call.file), name, call.line);
  if (!text && is_operator) text = lambda_text(sources.of(call.file), call.line);
  if (!text) return assigned;
  const BodyNames own = body_names(text->body);
  std::set<std::string> names = own.assigned;
  names.insert(own.in_part.begin(), own.in_part.end());
  std::set<std::string> by_pointer = exposed_names(text->body).arrays;
  by_pointer.merge(assigned_through_pointers(text->body));
  for (const auto& [key, inner] : call.calls) {
    const Assigned by = assigned_by(key.first, inner, sources);
    names.merge(objects_of(text->body, plain_function_name(key.first), by));
  }
  for (size_t p = 0; p < text->parameters.size(); ++p) {
    const Parameter& parameter = text->parameters[p];
    const bool changed = names.contains(parameter.name) || by_pointer.contains(parameter.name);
    if (parameter.by_reference && changed) assigned.parameters.insert(p);
    names.erase(parameter.name);
  }
  for (const std::string& name : names)
    if (!own.declared.contains(name)) assigned.others.insert(name);
  assigned.own = !assigned.others.empty();
  return assigned;
}

}  // namespace

std::set<std::string> inlined_assignments(const regions::Loop& loop, const LoopPlace& place, std::string_view body,
                                          PlainSources& sources) {
  InlinedCall all;
  for (const uint64_t addr : loop.body) add_call(all, place.frames_within(addr));
  std::set<std::string> found;
  for (const auto& [key, call] : all.calls) {
    const Assigned assigned = assigned_by(key.first, call, sources);
    found.merge(objects_of(body, plain_function_name(key.first), assigned));
    found.insert(assigned.others.begin(), assigned.others.end());
  }
  return found;
}

std::set<InlinedCount> inlined_counts(const regions::Loop& loop, const LoopPlace& place, std::string_view body,
                                      PlainSources& sources) {
  InlinedCall all;
  for (const uint64_t addr : loop.body) add_call(all, place.frames_within(addr));
  std::set<InlinedCount> found;
  for (const auto& [key, call] : all.calls)
    for (const std::string& object :
         objects_of(body, plain_function_name(key.first), counted_by(key.first, call, sources)))
      found.insert({object, key.first, key.second});
  return found;
}

}  // namespace cdr::report

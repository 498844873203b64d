// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/inlined_counts.h"

#include <map>
#include <span>
#include <utility>

#include "cdrgrind/report/advise/assigned_names.h"
#include "cdrgrind/report/advise/counted_objects.h"

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

}  // namespace

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

// SPDX-License-Identifier: GPL-2.0-or-later
// Objects that the functions which a loop calls count up: `out.put(x)`, where put() has `*at++ = x`. Put in line, their
// code keeps the object in registers, or does without it, where the source has it all the same. By text alone, as
// assigned_names.h is.
#ifndef CDRGRIND_REPORT_ADVISE_COUNTED_OBJECTS_H
#define CDRGRIND_REPORT_ADVISE_COUNTED_OBJECTS_H

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cdr::report {

struct Parameter {
  std::string name;
  bool by_reference = false;  // or a pointer
};
// A function's definition, without comments and literals.
struct FunctionText {
  std::vector<Parameter> parameters;
  std::string body;  // with its braces
};
// That has the line (from 1 on); `name`: without qualifiers.
std::optional<FunctionText> function_text(std::span<const std::string> lines, std::string_view name, uint32_t line);

// The innermost lambda that has the line.
std::optional<FunctionText> lambda_text(std::span<const std::string> lines, uint32_t line);

// Of `a.b.f(…)` and `a->f(…)` the object is a; "" is the object whose function the text is. What has an index, or
// results of calls, counts for none.
struct ObjectCall {
  std::string object;
  std::vector<std::string> arguments;  // the objects of `x`, `&x`, `x.y`, `*x`; "" stands for what is more than that
};
std::vector<ObjectCall> calls_of(std::string_view code, std::string_view function);

// What the text counts up or down (`x++`, `x.y += …`, `this->z--`) and does not declare; `this` for its members.
std::set<std::string> counted_names(std::string_view code);

// The innermost function's name in what demangling gives: "put" of "ns::Out<int>::put(int)".
std::string_view plain_function_name(std::string_view demangled);

}  // namespace cdr::report

#endif

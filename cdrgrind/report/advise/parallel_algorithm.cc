// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/parallel_algorithm.h"

#include <algorithm>
#include <iterator>

#include "cdrgrind/report/common/bare_name.h"

namespace cdr::report {
namespace {

struct Form {
  std::string_view name, parallel;
  bool reduces = false;  // to the value that it returns
};
constexpr Form kForms[] = {
    {"std::accumulate", "std::reduce", true},
    {"std::adjacent_difference", "std::adjacent_difference"},
    {"std::copy", "std::copy"},
    {"std::copy_n", "std::copy_n"},
    {"std::count", "std::count", true},
    {"std::count_if", "std::count_if", true},
    {"std::fill", "std::fill"},
    {"std::fill_n", "std::fill_n"},
    {"std::for_each", "std::for_each"},
    {"std::for_each_n", "std::for_each_n"},
    {"std::generate", "std::generate"},
    {"std::generate_n", "std::generate_n"},
    {"std::inner_product", "std::transform_reduce", true},
    {"std::max_element", "std::max_element", true},
    {"std::min_element", "std::min_element", true},
    {"std::minmax_element", "std::minmax_element", true},
    {"std::reduce", "std::reduce", true},
    {"std::replace", "std::replace"},
    {"std::replace_copy", "std::replace_copy"},
    {"std::replace_copy_if", "std::replace_copy_if"},
    {"std::replace_if", "std::replace_if"},
    {"std::reverse", "std::reverse"},
    {"std::reverse_copy", "std::reverse_copy"},
    {"std::swap_ranges", "std::swap_ranges"},
    {"std::transform", "std::transform"},
    {"std::transform_reduce", "std::transform_reduce", true},
};

const Form* form_of(std::string_view callee) {
  std::string_view name = bare_name(callee);
  name = name.substr(0, name.find('<'));
  const auto form = std::find_if(std::begin(kForms), std::end(kForms), [&](const Form& f) { return f.name == name; });
  return form == std::end(kForms) ? nullptr : form;
}

// The library's variables have names that are the implementation's.
bool is_algorithms_own(const AdviceItem& i) { return i.variable.starts_with("__") || !i.of_all_iterations; }

bool is_handed_on(const AdviceItem& i, const Form& form) {
  using advise::Class;
  if (!i.edit.empty() && i.of_all_iterations) return false;
  switch (i.carried_as) {
    case Class::kInduction:
    case Class::kPrivate:
      return is_algorithms_own(i);
    case Class::kReduction:
      return form.reduces && is_algorithms_own(i);
    default:
      return false;
  }
}

}  // namespace

std::string_view parallel_algorithm(const AdviceLoop& loop, const CallingPlace& call) {
  const Form* const form = form_of(call.callee);
  if (!form || loop.verdict != advise::Verdict::kParallel || loop.beside > 0) return {};
  const bool all =
      std::all_of(loop.items.begin(), loop.items.end(), [&](const AdviceItem& i) { return is_handed_on(i, *form); });
  return all ? form->parallel : std::string_view();
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/atomic_functions.h"

#include <algorithm>
#include <string>

namespace cdr::report {

namespace {

std::string_view without_parameters(std::string_view name) { return name.substr(0, name.find('(')); }

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return name.ends_with(end); });
}

}  // namespace

bool is_atomic_function(std::string_view name) {
  for (const std::string_view prefix :
       {"std::atomic<", "std::__atomic_base<", "std::atomic_ref<", "std::__atomic_ref<",
        "std::atomic_flag::", "std::__atomic_float<", "std::_Sp_counted_base<", "std::atomic_",
        "std::__atomic_impl::", "__gnu_cxx::__exchange_and_add", "__gnu_cxx::__atomic_add", "core::sync::atomic::"})
    if (name.starts_with(prefix) || name.find(' ' + std::string(prefix)) < name.find('(')) return true;
  return false;
}

bool is_store_function(std::string_view name) {
  return ends_with_any(without_parameters(name), {"::store", "::operator=", "::clear", "::atomic_store"});
}

bool is_exchange_function(std::string_view name) {
  return ends_with_any(without_parameters(name), {"::exchange", "::swap", "::atomic_swap"});
}

bool is_atomic_operator(std::string_view name) {
  return without_parameters(name).find("::operator") != std::string_view::npos;
}

bool is_atomic_constructor(std::string_view name) {
  return ends_with_any(without_parameters(name), {"::atomic", "::__atomic_base", "::atomic_flag", "::__atomic_float",
                                                  "::atomic_ref", "::__atomic_ref", "::__atomic_flag_base", "::new"});
}

bool is_count_function(std::string_view name) {
  return name.starts_with("__gnu_cxx::__exchange_and_add") || name.starts_with("__gnu_cxx::__atomic_add");
}

bool is_count_reader(std::string_view name) {
  return name.starts_with("std::_Sp_counted_base<") && name.find("::_M_get_use_count(") != std::string_view::npos;
}

}  // namespace cdr::report

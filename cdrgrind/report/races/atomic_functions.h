// SPDX-License-Identifier: GPL-2.0-or-later
// Functions of the C++ library, and of Rust's, that are atomic operations, by their demangled names.
#ifndef CDRGRIND_REPORT_RACES_ATOMIC_FUNCTIONS_H
#define CDRGRIND_REPORT_RACES_ATOMIC_FUNCTIONS_H

#include <string_view>

namespace cdr::report {

// Members of std::atomic and its like, and of Rust's core::sync::atomic, and free functions: their plain loads and
// stores are atomic, too.
bool is_atomic_function(std::string_view name);
// Of an atomic function: it stores, and reads nothing.
bool is_store_function(std::string_view name);
bool is_exchange_function(std::string_view name);
// It takes no memory order and is sequentially consistent: an operator, or a conversion.
bool is_atomic_operator(std::string_view name);
// It makes the object: no atomic operation in the language.
bool is_atomic_constructor(std::string_view name);
// Of a count of references: it acquires and releases.
bool is_count_function(std::string_view name);
// Of such a count: it tells the value, and is relaxed.
bool is_count_reader(std::string_view name);

}  // namespace cdr::report

#endif

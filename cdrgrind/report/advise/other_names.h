// SPDX-License-Identifier: GPL-2.0-or-later
// By what other names a function's text may name a variable: those of pointers, references, and lambdas that have
// captured it.
#ifndef CDRGRIND_REPORT_ADVISE_OTHER_NAMES_H
#define CDRGRIND_REPORT_ADVISE_OTHER_NAMES_H

#include <set>
#include <string>
#include <string_view>

namespace cdr::report {

// Of C, without comments and literals. What functions are handed they are taken not to keep. Of an array the name alone
// leads there.
std::set<std::string> other_names(std::string_view code, const std::string& name, bool is_array);

}  // namespace cdr::report

#endif

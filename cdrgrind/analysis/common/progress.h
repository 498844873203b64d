// SPDX-License-Identifier: GPL-2.0-or-later
// How far a long computation is: called now and then with the name of the part under way; `all` is 0 if it is not
// known. May be empty.
#ifndef CDRGRIND_ANALYSIS_COMMON_PROGRESS_H
#define CDRGRIND_ANALYSIS_COMMON_PROGRESS_H

#include <cstdint>
#include <functional>
#include <string_view>

namespace cdr::analysis {

using Progress = std::function<void(std::string_view part, uint64_t done, uint64_t all)>;

}  // namespace cdr::analysis

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
// The variables, and members of variables, in a range of addresses: a wide access covers several.
#ifndef CDRGRIND_REPORT_RACES_COVERED_DATA_H
#define CDRGRIND_REPORT_RACES_COVERED_DATA_H

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cdrgrind/base/range.h"
#include "cdrgrind/symbols/common/names.h"

namespace cdr::report {

using NameAt = std::function<std::optional<symbols::DataName>(uint64_t)>;

// By address, as `name_at` calls them; several elements of an array are one, called by its pattern ("A[…]"), and the
// padding of a record with named members is none. Of very many those with the lowest addresses.
std::vector<symbols::DataName> data_covered(AddrRange range, const NameAt& name_at);

}  // namespace cdr::report

#endif

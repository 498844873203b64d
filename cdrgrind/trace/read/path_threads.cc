// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/path_threads.h"

#include "cdrgrind/base/bytes.h"
#include "cdrgrind/encode/epoch.h"

namespace cdr::trace {

bool read_path_threads(const Columns& control, uint32_t max_serial, std::vector<uint32_t>& serials) {
  ByteReader in(control[kPathThreads]);
  uint64_t serial = 0;
  serials.clear();
  while (!in.at_end()) {
    serial += in.bounded(max_serial);
    if (!in.ok() || serial > max_serial || (!serials.empty() && serial == serials.back())) return false;
    serials.push_back(static_cast<uint32_t>(serial));
  }
  return true;
}

}  // namespace cdr::trace

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/processes.h"

namespace cdr::mpi {

std::vector<Bytes> OneProcess::exchange(std::vector<ByteWriter> to) {
  const auto own = to.at(0).bytes();
  return {Bytes(own.begin(), own.end())};
}

std::vector<Bytes> told_by_all(Processes& all, const ByteWriter& mine) {
  return all.exchange(std::vector<ByteWriter>(all.count(), mine));
}

}  // namespace cdr::mpi

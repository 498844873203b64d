// SPDX-License-Identifier: GPL-2.0-or-later
// The processes that an MPI launcher has started. The only file that knows mpi.h is mpi_processes.cc.
#ifndef CDRGRIND_CLI_MPI_PROCESSES_H
#define CDRGRIND_CLI_MPI_PROCESSES_H

#include "cdrgrind/analysis/mpi/processes.h"

namespace cdr::cli {

// One in a program; between MPI_Init and MPI_Finalize.
class MpiProcesses : public mpi::Processes {
 public:
  MpiProcesses(int* argc, char*** argv);
  ~MpiProcesses() override;

  uint32_t count() const override { return count_; }
  uint32_t self() const override { return self_; }
  void send(uint32_t to, std::span<const uint8_t> bytes) override;
  mpi::Bytes receive(uint32_t from) override;
  std::vector<mpi::Bytes> exchange(std::vector<ByteWriter> to) override;

  // Ends all processes at once: others may be waiting for this one.
  [[noreturn]] void abort(int status);

 private:
  uint32_t count_ = 1, self_ = 0;
};

}  // namespace cdr::cli

#endif

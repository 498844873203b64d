// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/mpi_processes.h"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstdlib>

namespace cdr::cli {

namespace {

// MPI counts in ints.
constexpr size_t kPiece = size_t{1} << 30;

template <class F>
void in_pieces(size_t bytes, F&& f) {
  for (size_t at = 0; at < bytes; at += kPiece) f(at, static_cast<int>(std::min(kPiece, bytes - at)));
}

}  // namespace

MpiProcesses::MpiProcesses(int* argc, char*** argv) {
  int count = 1, self = 0;
  MPI_Init(argc, argv);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  count_ = static_cast<uint32_t>(count), self_ = static_cast<uint32_t>(self);
}

MpiProcesses::~MpiProcesses() { MPI_Finalize(); }

void MpiProcesses::send(uint32_t to, std::span<const uint8_t> bytes) {
  const uint64_t size = bytes.size();
  MPI_Send(&size, 1, MPI_UINT64_T, static_cast<int>(to), 0, MPI_COMM_WORLD);
  in_pieces(size, [&](size_t at, int n) {
    MPI_Send(bytes.data() + at, n, MPI_BYTE, static_cast<int>(to), 0, MPI_COMM_WORLD);
  });
}

mpi::Bytes MpiProcesses::receive(uint32_t from) {
  uint64_t size = 0;
  MPI_Recv(&size, 1, MPI_UINT64_T, static_cast<int>(from), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  mpi::Bytes bytes(size);
  in_pieces(size, [&](size_t at, int n) {
    MPI_Recv(bytes.data() + at, n, MPI_BYTE, static_cast<int>(from), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
  return bytes;
}

std::vector<mpi::Bytes> MpiProcesses::exchange(std::vector<ByteWriter> to) {
  std::vector<uint64_t> sizes, incoming(count_);
  for (const ByteWriter& bytes : to) sizes.push_back(bytes.size());
  MPI_Alltoall(sizes.data(), 1, MPI_UINT64_T, incoming.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
  std::vector<mpi::Bytes> from(count_);
  std::vector<MPI_Request> requests;
  for (uint32_t p = 0; p < count_; ++p) {
    if (p == self_) continue;
    from[p].resize(incoming[p]);
    in_pieces(incoming[p], [&](size_t at, int n) {
      MPI_Irecv(from[p].data() + at, n, MPI_BYTE, static_cast<int>(p), 1, MPI_COMM_WORLD, &requests.emplace_back());
    });
  }
  for (uint32_t p = 0; p < count_; ++p) {
    if (p == self_) continue;
    in_pieces(to[p].size(), [&](size_t at, int n) {
      MPI_Isend(to[p].bytes().data() + at, n, MPI_BYTE, static_cast<int>(p), 1, MPI_COMM_WORLD,
                &requests.emplace_back());
    });
  }
  const auto own = to[self_].bytes();
  from[self_].assign(own.begin(), own.end());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return from;
}

void MpiProcesses::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();
}

}  // namespace cdr::cli

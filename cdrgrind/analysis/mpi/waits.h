// SPDX-License-Identifier: GPL-2.0-or-later
// Who waited for whom, and how long, on a machine on which all ranks execute one instruction a unit of time and
// messages take none. The recorded times say nothing: under Valgrind the clock is the recorder's, and a library waits
// by turning in a loop. So the run is carried out again from the logs:
//
//  * A rank's time goes on by the instructions that it executes outside of MPI.
//  * What completes a receive waits until the message has been sent: a *late sender*. What completes a synchronous
//    send, or a standard one of more than `eager` bytes, until the receive is ready: a *late receiver*.
//  * Collectives wait until those have come on whom they depend: all; the root; at the root all; the ranks below
//    (scans). Neighbourhood collectives and one-sided calls do not wait.
//
// Of several that a call waits for the last counts; of several that come last the lowest rank. Nothing depends on the
// schedule that was recorded, but what a program itself makes of it: from whom it received, and which tests of requests
// found something.
//
// Each process goes on with its ranks as far as what it knows takes them; then all tell each other from when on
// messages are there and parts of collectives have come, and go on, until nobody has news. Nor does anything depend on
// that.
#ifndef CDRGRIND_ANALYSIS_MPI_WAITS_H
#define CDRGRIND_ANALYSIS_MPI_WAITS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/mpi/collectives.h"

namespace cdr::mpi {

enum class LateKind : uint8_t { kSender, kReceiver, kCollective };

struct Late {
  LateKind kind = LateKind::kSender;
  CallSpot at;        // who waited
  uint32_t call = 0;  // number of that
  CallSpot peer;      // who was late
  uint64_t instructions = 0;
};

// Of the ranks of this process.
struct Times {
  uint32_t first_rank = 0;
  std::vector<std::vector<uint64_t>> begin, end;  // by rank and call; an unfinished call ends where it begins
  std::vector<Late> late;                         // by rank and call
  uint64_t total_waited = 0;
  uint64_t length = 0;  // until the last rank has ended
  uint64_t forced = 0;  // calls that would have waited for ever, and went on

  uint64_t begin_of(uint32_t rank, uint32_t call) const { return begin[rank - first_rank][call]; }
  uint64_t end_of(uint32_t rank, uint32_t call) const { return end[rank - first_rank][call]; }
};

// `eager`: bytes up to which a standard send does not wait.
Times replayed_times(const Program& program, const Collectives& collectives, uint64_t eager);

}  // namespace cdr::mpi

#endif

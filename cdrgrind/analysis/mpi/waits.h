// SPDX-License-Identifier: GPL-2.0-or-later
// Who waited for whom, and how long, on a machine on which all ranks execute one instruction a unit of time and
// messages take none. The recorded times say nothing: under Valgrind the clock is the recorder's, and a library waits
// by turning in a loop. So the run is carried out again from the logs:
//
//  * A rank's time goes on by the instructions that it executes outside of MPI.
//  * What completes a receive waits until the message has been sent: a *late sender*. What completes a synchronous
//  send,
//    or a standard one of more than `eager` bytes, until the receive is ready: a *late receiver*.
//  * Collectives wait until those have come on whom they depend: all; the root; at the root all; the ranks below
//  (scans).
//    Neighbourhood collectives and one-sided calls do not wait.
//
// Of several that a call waits for the last counts. Nothing depends on the schedule that was recorded, but what a
// program itself makes of it: from whom it received, and which tests of requests found something.
#ifndef CDRGRIND_ANALYSIS_MPI_WAITS_H
#define CDRGRIND_ANALYSIS_MPI_WAITS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/mpi/collectives.h"

namespace cdr::mpi {

enum class LateKind : uint8_t { kSender, kReceiver, kCollective };

struct Late {
  LateKind kind = LateKind::kSender;
  uint32_t rank = 0, call = 0;       // who waited
  uint32_t peer = 0, peer_call = 0;  // who was late
  uint64_t instructions = 0;
};

struct Times {
  std::vector<std::vector<uint64_t>> begin, end;  // by rank and call; an unfinished call ends where it begins
  std::vector<Late> late;                         // by rank and call
  uint64_t total_waited = 0;
  uint64_t length = 0;  // until the last rank has ended
  uint64_t forced = 0;  // calls that would have waited for ever, and went on
};

// `eager`: bytes up to which a standard send does not wait.
Times replayed_times(const Program& program, const Collectives& collectives, uint64_t eager);

}  // namespace cdr::mpi

#endif

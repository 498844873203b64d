// SPDX-License-Identifier: GPL-2.0-or-later
// Invariant of compact traces: each epoch begins with its threads as the events before it left them. Seeking starts
// from what THREAD frames say, reading in order does not need them: this is what makes both the same.
#ifndef CDRGRIND_TRACE_CHECK_CHECK_EPOCHS_H
#define CDRGRIND_TRACE_CHECK_CHECK_EPOCHS_H

#include <optional>
#include <vector>

#include "cdrgrind/trace/check/check_report.h"
#include "cdrgrind/trace/read/thread_state_reader.h"

namespace cdr::trace {

// That what is read from any place of an epoch is whole, too. Throws TraceError where it is not.
void check_indices(const TraceFile& file);

class CheckEpochs final : public StreamCheck {
 public:
  CheckEpochs(const TraceFile& file, CheckReport& report) : file_(file), report_(report), models_(file.blocks()) {}
  void see(const Sight& s) override;
  void again(const Sight& s, uint64_t times) override;

 private:
  struct ModelledThread {
    ThreadModel model;
    ThreadCounts counts;
    bool ended = false;
  };

  void begin_epoch(uint64_t index);
  void compare(const ThreadAtStart& told, uint64_t index);
  void apply(ModelledThread& t, const Event& e);

  const TraceFile& file_;
  CheckReport& report_;
  BlockModels models_;
  std::vector<ModelledThread> threads_;  // by serial
  size_t next_ = 0;                      // epoch
};

}  // namespace cdr::trace

#endif

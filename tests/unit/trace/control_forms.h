// SPDX-License-Identifier: GPL-2.0-or-later
// Every form that control paths can be recorded in, for tests that go through them.
#ifndef CDRGRIND_TESTS_UNIT_TRACE_CONTROL_FORMS_H
#define CDRGRIND_TESTS_UNIT_TRACE_CONTROL_FORMS_H

#include "cdrgrind/encode/recording.h"

namespace cdr::test {

// Compact, with the form number n modulo 4: a grammar, runs, predicted, pieces of grammar and prediction in turn.
inline RecordingOptions compact_in_form(uint64_t n, uint64_t epoch_blocks = 1 << 24) {
  RecordingOptions o;
  o.form = RecordingForm::kCompact;
  o.epoch_blocks = epoch_blocks;
  constexpr ControlForm kForms[] = {ControlForm::kGrammar, ControlForm::kRuns, ControlForm::kPredicted,
                                    ControlForm::kAuto};
  o.control = kForms[n % 4];
  o.control_window = static_cast<uint32_t>(1 + n / 4 % 3);
  return o;
}

}  // namespace cdr::test

#endif

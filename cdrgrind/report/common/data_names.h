// SPDX-License-Identifier: GPL-2.0-or-later
// The variable at an address, for whoever has to name data.
#ifndef CDRGRIND_REPORT_COMMON_DATA_NAMES_H
#define CDRGRIND_REPORT_COMMON_DATA_NAMES_H

#include <cstdint>
#include <optional>
#include <string>

#include "cdrgrind/base/module_table.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// The static variable at an address, if any module has one there.
std::optional<symbols::DataName> static_data_at(uint64_t addr, symbols::Symbols& symbols);

// The program's own thread-local variable at an address of the thread whose control block is at `pthread`; 0: none.
std::optional<symbols::DataName> thread_local_data_at(uint64_t addr, uint64_t pthread, const ModuleTable& modules,
                                                      symbols::Symbols& symbols);

// The same of an instruction that names it by its distance from the thread's control block: that of the first thread is
// not known.
std::optional<symbols::DataName> thread_local_data_of(CodeAddr insn, const ModuleTable& modules,
                                                      symbols::Symbols& symbols);

// "queue.lock" of "queue.lock.__data.__lock": what a pthread_mutex_t or a std::mutex is made of does not matter.
std::string without_insides(const std::string& name);

}  // namespace cdr::report

#endif

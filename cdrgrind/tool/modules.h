// SPDX-License-Identifier: GPL-2.0-or-later
// Watches Valgrind's list of debug infos and records modules as they come and go.
#ifndef CDRGRIND_TOOL_MODULES_H
#define CDRGRIND_TOOL_MODULES_H

#include <cstdint>

#include "cdrgrind/base/id.h"
#include "cdrgrind/base/range.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

struct MappedModule {
  ModuleId id;
  const DebugInfo* info = nullptr;
  AddrRange text;
  AddrRange plt;
  uint8_t flags = 0;
};

// Mappings changed: look at the list at the next occasion.
void note_mappings_changed();
// Records what is new and what has gone.
void update_modules();
// The module whose code is at `addr`, or null.
const MappedModule* module_at(Addr addr);

}  // namespace cdr::tool

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/name_match.h"

#include "cdrgrind/tool/vg.h"

extern "C" {
Bool __wrap_vgPlain_string_match(const HChar* pattern, const HChar* name);

// In the place of Valgrind's own, for Valgrind too.
Bool __wrap_vgPlain_string_match(const HChar* pattern, const HChar* name) {
  return cdr::tool::name_matches(pattern, name);
}
}

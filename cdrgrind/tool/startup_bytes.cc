// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/startup_bytes.h"

#include "cdrgrind/tool/auxiliary_vector.h"

namespace cdr::tool {
namespace {

constexpr SizeT kRandomBytes = 16;

}  // namespace

void fix_startup_bytes(Addr sp) {
  for (const UWord* p = auxiliary_vector(sp); p[0] != kAtNull; p += 2) {
    if (p[0] != kAtRandom || !VG_(am_is_valid_for_client)(p[1], kRandomBytes, VKI_PROT_WRITE)) continue;
    for (SizeT i = 0; i < kRandomBytes; ++i) reinterpret_cast<UChar*>(p[1])[i] = static_cast<UChar>(0x5a ^ (i * 29));
  }
}

}  // namespace cdr::tool

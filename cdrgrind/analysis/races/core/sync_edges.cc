// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/sync_edges.h"

template class cdr::sync::SyncMachine<cdr::races::Knowledge>;
template void cdr::sync::SyncMachine<cdr::races::Knowledge>::event(const cdr::Event& e, bool ignored);

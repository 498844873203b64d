// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/strand_clocks.h"

template class cdr::strands::StrandMachine<cdr::races::Knowledge>;

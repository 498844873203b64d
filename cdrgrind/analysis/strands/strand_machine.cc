// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/strands/strand_machine.h"

template class cdr::strands::StrandMachine<cdr::strands::NoRelease>;

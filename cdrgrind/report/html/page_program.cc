// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/html/page_program.h"

namespace cdr::report {

namespace {
#include "cdrgrind/report/html/page_program.inc"
}  // namespace

PageProgram page_program() { return {kPageScript, kPageStyle, kPageScriptHash, kPageStyleHash, kPageVersion}; }

}  // namespace cdr::report

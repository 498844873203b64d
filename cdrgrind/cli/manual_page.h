// SPDX-License-Identifier: GPL-2.0-or-later
// Manual pages, shown by man.
#ifndef CDRGRIND_CLI_MANUAL_PAGE_H
#define CDRGRIND_CLI_MANUAL_PAGE_H

#include <string>

namespace cdr::cli {

// Becomes man, if standard output is a terminal and man has such a page in section 1; else returns.
void show_manual_page(const std::string& name);

}  // namespace cdr::cli

#endif

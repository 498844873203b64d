// SPDX-License-Identifier: GPL-2.0-or-later
// The program of the page: what web/ was bundled into when this was built, and what the page's Content-Security-Policy
// calls it by. Empty if there was no bundler.
#ifndef CDRGRIND_REPORT_HTML_PAGE_PROGRAM_H
#define CDRGRIND_REPORT_HTML_PAGE_PROGRAM_H

#include <string_view>

namespace cdr::report {

struct PageProgram {
  std::string_view script, style;            // as they stand between their tags
  std::string_view script_hash, style_hash;  // SHA-256 of these, in Base64
  std::string_view version;                  // of cdrgrind
  bool is_there() const { return !script.empty(); }
};

PageProgram page_program();

}  // namespace cdr::report

#endif

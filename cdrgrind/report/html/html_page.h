// SPDX-License-Identifier: GPL-2.0-or-later
// A page of one file: a head that lets nothing run but the page's own program, the documents as data, the program.
// Documents hold names and texts of strangers. They stand in one element that no browser executes, as JSON in which
// nothing can end that element: there is no `<` in it. The page makes text of them, never markup.
#ifndef CDRGRIND_REPORT_HTML_HTML_PAGE_H
#define CDRGRIND_REPORT_HTML_HTML_PAGE_H

#include <string>
#include <string_view>

#include "cdrgrind/report/html/page_program.h"

namespace cdr::report {

// JSON as it may stand in an HTML element: the same document.
std::string json_for_html(std::string_view json);

// What a page is made of, in this order; documents have names, each a different one. Pieces are to be written one after
// the other.
class HtmlPage {
 public:
  explicit HtmlPage(const PageProgram& program) : program_(program) {}

  std::string head() const;
  std::string document(std::string_view name, std::string_view json);
  std::string foot() const;

 private:
  const PageProgram program_;
  bool any_ = false;
};

}  // namespace cdr::report

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/html/html_page.h"

#include <fmt/format.h>

#include "cdrgrind/report/common/escape.h"

namespace cdr::report {

std::string json_for_html(std::string_view json) {
  constexpr std::string_view kSeparator = "\xe2\x80";  // and a8 or a9: line ends for JavaScript
  std::string text;
  text.reserve(json.size() + json.size() / 64);
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    const char third = i + 2 < json.size() ? json[i + 2] : '\0';
    if (c == '<') {
      text += "\\u003c";
    } else if (json.substr(i, 2) == kSeparator && (third == '\xa8' || third == '\xa9')) {
      text += third == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      text += c;
    }
  }
  return text;
}

std::string HtmlPage::head() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; "
      "style-src 'sha256-{}'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light "
      "dark\">\n<title>cdrgrind</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<noscript>This page shows its data by a program of its own: let it run.</noscript>\n"
      "<script type=\"application/json\" id=\"cdrgrind-data\">{{",
      program_.script_hash, program_.style_hash, program_.style);
}

std::string HtmlPage::document(std::string_view name, std::string_view json) {
  while (json.ends_with('\n')) json.remove_suffix(1);
  const char* separator = any_ ? ",\n" : "\n";
  any_ = true;
  return fmt::format("{}{}:{}", separator, json_for_html(json_string(name)), json_for_html(json));
}

std::string HtmlPage::foot() const {
  return fmt::format("\n}}</script>\n<script>{}</script>\n</body>\n</html>\n", program_.script);
}

}  // namespace cdr::report

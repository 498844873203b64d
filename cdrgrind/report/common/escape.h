// SPDX-License-Identifier: GPL-2.0-or-later
// Whatever comes from a trace, from debug information or from a source file is data of strangers; before it is written
// it goes through one of these, by the kind of output. Text for people is what base/visible_text.h makes of it.
//
// Formats for programs hold text in UTF-8 only. There a byte that is no UTF-8 stands as `\xff`, and a text that has
// such four characters itself as `\x5cxff`; so the bytes can be had back, by replacing each `\x` with its two digits.
#ifndef CDRGRIND_REPORT_COMMON_ESCAPE_H
#define CDRGRIND_REPORT_COMMON_ESCAPE_H

#include <map>
#include <string>
#include <string_view>

namespace cdr::report {

// For terminals and for formats of one line each; ordinary UTF-8 stays.
std::string visible(std::string_view text);

// A line of source code; tabs become blanks up to the next multiple of 8 columns.
std::string visible_source(std::string_view line);

// UTF-8, as said above.
std::string utf8_text(std::string_view text);

// `text` as a JSON string with its quotes; what a terminal would obey stands as \u0085.
std::string json_string(std::string_view text);

// Between tags and in attributes of XML 1.0; characters that it cannot have stand as bytes that are no UTF-8 do.
std::string xml_text(std::string_view text);
// The same for people, in a picture.
std::string svg_text(std::string_view text);

// A path in a URI, percent-encoded.
std::string uri_path(std::string_view path);
// In a message of SARIF, where [text](target) is a link.
std::string sarif_text(std::string_view text);

// Inside the quotes of a DOT string.
std::string dot_text(std::string_view text);
// In a label of a Mermaid diagram.
std::string mermaid_text(std::string_view text);

// As a pattern of a suppression's line that fits the text: `?` for what such a line cannot have.
std::string suppression_pattern(std::string_view text);

// Names of a callgrind file, each in a line of its own. Readers take "(7) name" for a number that stands for the name,
// and cut blanks off, so names that would be read wrongly get numbers, or an escape.
class CallgrindNames {
 public:
  // Of objects and files: the number alone says it once more.
  std::string object(std::string_view path) { return numbered(path, objects_); }
  std::string file(std::string_view path) { return numbered(path, files_); }
  // A function, written once for each file and object; so is its number.
  std::string function(std::string_view name);

 private:
  using Numbers = std::map<std::string, unsigned>;
  static std::string numbered(std::string_view text, Numbers& numbers);

  Numbers objects_, files_;
  unsigned functions_ = 0;
};

// A word as a shell reads it back; where it could not be shown, in the form $'\x1b'.
std::string shell_word(std::string_view word);

}  // namespace cdr::report

#endif

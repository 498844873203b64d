// SPDX-License-Identifier: GPL-2.0-or-later

#include "cdrgrind/report/common/escape.h"

#include <nlohmann/json.hpp>
#include <string>

#include "cdrgrind/base/text_pattern.h"
#include "cdrgrind/base/visible_text.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/races/suppressions.h"
#include "tests/unit/catch.h"

using namespace cdr::report;
using cdr::matches_pattern;
using Json = nlohmann::ordered_json;

namespace {

const std::string kOverride = "\u202e", kNextLine = "\u0085";
// What a terminal obeys, what ends a line, markup, and what is no UTF-8.
const std::string kHostile = "\x1b[2J\n\"><script>]]>\xff" + kNextLine + kOverride + "\r\t&\\";

// Every byte, one after another, and some that only look like UTF-8.
std::vector<std::string> odd_texts() {
  std::vector<std::string> texts = {kHostile,   "",      "ü漢😀",     "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80",
                                    "\xe2\x80", "\\xff", "\\x5cxff", "\\x",      "\xef\xbf\xbe", "a\xff\\x41"};
  for (int c = 1; c < 256; ++c) texts.push_back("a" + std::string(1, static_cast<char>(c)) + "b");
  return texts;
}

bool is_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const cdr::CodePoint c = cdr::first_code_point(text.substr(at));
    if (!c.valid) return false;
    at += c.bytes;
  }
  return true;
}

// Written anew, by the rule alone: `\xNN` is a byte.
std::string bytes_of(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string digits(text.substr(std::min(at + 2, text.size()), 2));
    if (text.substr(at, 2) == "\\x" && digits.size() == 2 &&
        digits.find_first_not_of("0123456789abcdef") == std::string::npos) {
      out += static_cast<char>(std::stoi(digits, nullptr, 16));
      at += 3;
    } else {
      out += text[at];
    }
  }
  return out;
}

}  // namespace

TEST_CASE("text for people shows what a terminal would obey, and leaves words as they are") {
  CHECK(visible("f(int), ü漢😀 \\n") == "f(int), ü漢😀 \\n");
  CHECK(visible("\x1b[2J\a\x7f") == "\\x1b[2J\\x07\\x7f");
  CHECK(visible("a\nb\r\tc") == "a\\nb\\r\\tc");
  CHECK(visible(kNextLine + kOverride + "\u2066\u2028\ufeff") == "\\u0085\\u202e\\u2066\\u2028\\ufeff");
  CHECK(visible("\xff\xc3 \xe2\x80") == "\\xff\\xc3 \\xe2\\x80");
  CHECK(visible("\xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80") == "\\xc0\\x80 \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80");
  CHECK(visible(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("text for people is UTF-8 without controls, and stays as it is when it is shown once more") {
  for (const std::string& text : odd_texts()) {
    const std::string shown = visible(text);
    CHECK(is_utf8(shown));
    for (const char c : shown) CHECK((static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
    CHECK(visible(shown) == shown);
  }
}

TEST_CASE("tabs of source lines become blanks, and columns count characters") {
  CHECK(visible_source("\tx\ty\r") == "        x       y");
  CHECK(visible_source("ü\tx") == "ü       x");
  CHECK(visible_source("\x1b[2J\tx") == "\\x1b[2J x");
}

TEST_CASE("formats for programs have UTF-8 from which the bytes can be had back") {
  for (const std::string& text : odd_texts()) {
    CHECK(is_utf8(utf8_text(text)));
    CHECK(bytes_of(utf8_text(text)) == text);
  }
  CHECK(utf8_text("ü\\n") == "ü\\n");
}

TEST_CASE("a string of JSON is what its parser reads back") {
  for (const std::string& text : odd_texts()) {
    const std::string written = json_string(text);
    CHECK(bytes_of(Json::parse(written).get<std::string>()) == text);
    CHECK(visible(written) == written);
  }
}

TEST_CASE("a document of JSON may have any bytes in its strings and keys") {
  for (const std::string& text : odd_texts()) {
    cdr::report::Output out;
    JsonWriter to(out);
    to.object().members("a", text).key(text + ".").array().value(text).value(7).null().end();
    to.key("e").object().end().end();
    const std::string written = out.text();
    CHECK(visible(written) == written);
    const Json read = Json::parse(written);
    REQUIRE(read.size() == 3);
    CHECK(bytes_of(read.at("a").get<std::string>()) == text);
    CHECK(bytes_of(read.at(utf8_text(text + ".")).at(0).get<std::string>()) == text);
    CHECK(read.at(utf8_text(text + ".")).at(2).is_null());
    CHECK(read.at("e").is_object());
  }
}

TEST_CASE("text of XML has entities, and no character that XML 1.0 has not") {
  CHECK(xml_text("<a b=\"c\">&]]>") == "&lt;a b=&quot;c&quot;&gt;&amp;]]&gt;");
  CHECK(xml_text("\x1b\xff\xef\xbf\xbe") == "\\x1b\\xff\\xef\\xbf\\xbe");
  CHECK(xml_text("a\n\r\t" + kNextLine + "ü") == "a&#10;&#13;&#9;&#133;ü");
  CHECK(xml_text("\\xff") == "\\x5cxff");
  CHECK(svg_text("<a\n\xff") == "&lt;a\\n\\xff");
}

TEST_CASE("a path in a URI is encoded byte by byte") {
  CHECK(uri_path("/a b/ü\xff\n%.c") == "/a%20b/%C3%BC%FF%0A%25.c");
}

TEST_CASE("a message of SARIF has no links") { CHECK(sarif_text("operator[](int) A[1]") == "operator[\\](int) A[1]"); }

TEST_CASE("labels of diagrams") {
  CHECK(dot_text("\"\\\n" + kOverride) == "\\\"\\\\\\\\n\\\\u202e");
  CHECK(mermaid_text("a;#<b>%%{\n") == "a#59;#35;#lt;b#gt;#37;#37;{\\n");
}

TEST_CASE("a suppression's pattern fits what it was made of") {
  for (const std::string& text : odd_texts()) {
    const std::string pattern = suppression_pattern(text);
    CHECK(matches_pattern(pattern, text));
    CHECK(visible(pattern) == pattern);
    CHECK(pattern.find_first_not_of(' ') == 0);
    CHECK_FALSE(pattern.ends_with(' '));
  }
  CHECK(suppression_pattern(" a b ") == "?a b?");
  CHECK(suppression_pattern("f(char const*)") == "f(char const*)");
}

TEST_CASE("names of a callgrind file are never taken for numbers") {
  CallgrindNames names;
  CHECK(names.file("a.c") == "a.c");
  CHECK(names.file("(1) a.c") == "(1) (1) a.c");
  CHECK(names.file("(2)") == "(2) (2)");
  CHECK(names.file("(1) a.c") == "(1)");
  CHECK(names.object("(2)") == "(1) (2)");
  CHECK(names.function("(nothing executed)") == "(1) (nothing executed)");
  CHECK(names.function("(nothing executed)") == "(2) (nothing executed)");
  CHECK(names.function(" f\n") == "\\x20f\\n");
  CHECK(names.function("f ") == "f\\x20");
  CHECK(names.function("") == "???");
}

TEST_CASE("a word for a shell shows nothing that a terminal obeys") {
  CHECK(shell_word("a-b=c") == "a-b=c");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("ü \\") == "'ü \\'");
  CHECK(shell_word("\x1b[2J\n1'\\\xff" + kOverride + "ü") == "$'\\033[2J\\0121\\'\\\\\\377\\342\\200\\256ü'");
}

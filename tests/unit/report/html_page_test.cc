// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/html/html_page.h"

#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/report/html/packed_numbers.h"
#include "tests/unit/catch.h"

using namespace cdr::report;

TEST_CASE("JSON in a page has nothing that ends its element, and says the same") {
  CHECK(json_for_html(R"({"a":"</script><!--"})") == R"({"a":"\u003c/script>\u003c!--"})");
  CHECK(json_for_html("\"\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\"") == "\"\\u2028\\u2029\xe2\x80\xaa\"");
  CHECK(json_for_html("\xe2\x80") == "\xe2\x80");
}

TEST_CASE("documents of a page are the members of one object") {
  HtmlPage page({"run()", "p{}", "S=", "T=", "1"});
  std::string text = page.head();
  text += page.document("a/1", "{}\n");
  text += page.document("b<", "[1]");
  text += page.foot();
  CHECK(text.find("script-src 'sha256-S='; style-src 'sha256-T='") != std::string::npos);
  CHECK(text.find("id=\"cdrgrind-data\">{\n\"a/1\":{},\n\"b\\u003c\":[1]\n}</script>\n<script>run()</script>") !=
        std::string::npos);
}

TEST_CASE("Base64 is that of RFC 4648") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foobar") == "Zm9vYmFy");
}

TEST_CASE("numbers are packed seven bits a byte, the lowest first") {
  PackedNumbers numbers;
  numbers.add(1).add(127).add(128).add(300).add_signed(-1).add_signed(2);
  CHECK(numbers.text() == base64(std::string("\x01\x7f\x80\x01\xac\x02\x01\x04", 8)));
  PackedNumbers most;
  most.add(UINT64_MAX);
  CHECK(most.text() == base64("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"));
}

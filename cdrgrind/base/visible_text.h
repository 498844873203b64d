// SPDX-License-Identifier: GPL-2.0-or-later
// Names, paths and arguments are data of strangers: a terminal must not obey them, and a line must stay one line. Here
// is decided which characters can be shown as they are, and how the others are written: `\n`, `\t`, `\r`; `\x1b`, a
// byte (control characters, and what is no UTF-8); `\u202e`, a character (controls above ASCII, and what turns the
// direction of text or breaks lines). Text that is shown once more stays as it is.
#ifndef CDRGRIND_BASE_VISIBLE_TEXT_H
#define CDRGRIND_BASE_VISIBLE_TEXT_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cdr {

struct CodePoint {
  uint32_t code = 0;  // the byte, if it is not valid
  uint32_t bytes = 1;
  bool valid = false;
};

// The first of a text that is not empty. UTF-8 as in RFC 3629: no overlong forms, no surrogates.
constexpr CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const uint32_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {lead, 1, false};
  uint32_t code = lead & (0x7fu >> length);
  for (uint32_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {lead, 1, false};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool fine = code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return fine ? CodePoint{code, length, true} : CodePoint{lead, 1, false};
}

// Controls, directions, separators of lines and paragraphs, and what annotates between lines.
constexpr bool is_unseen(uint32_t code) {
  if (code < 0xa0) return code < 0x20 || code >= 0x7f;
  return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb);
}

// An escape for one character or byte.
class EscapeText {
 public:
  constexpr explicit EscapeText(CodePoint c) {
    put('\\');
    if (c.code == '\n' || c.code == '\t' || c.code == '\r')
      put(c.code == '\n' ? 'n' : c.code == '\t' ? 't' : 'r');
    else if (!c.valid || c.code < 0x80)
      put('x'), digits(c.code, 2);
    else
      put('u'), digits(c.code, 4);
  }
  constexpr std::string_view view() const { return {text_, size_}; }

 private:
  constexpr void put(char c) { text_[size_++] = c; }
  constexpr void digits(uint32_t v, unsigned n) {
    while (n-- > 0) put("0123456789abcdef"[v >> 4 * n & 15]);
  }

  char text_[8] = {};
  size_t size_ = 0;
};

// Calls put(piece) with the pieces of what is to be shown of the text.
template <class Put>
void put_visible(std::string_view text, Put put) {
  size_t shown = 0, at = 0;
  while (at < text.size()) {
    const CodePoint c = first_code_point(text.substr(at));
    if (!c.valid || is_unseen(c.code)) {
      put(text.substr(shown, at - shown));
      put(EscapeText(c).view());
      shown = at + c.bytes;
    }
    at += c.bytes;
  }
  put(text.substr(shown));
}

}  // namespace cdr

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/escape.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/base/visible_text.h"
#include "cdrgrind/report/common/style.h"

namespace cdr::report {

namespace {

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// Looks like one of our own escapes.
bool is_byte_escape(std::string_view text) {
  return text.size() >= 4 && text[0] == '\\' && text[1] == 'x' && is_hex(text[2]) && is_hex(text[3]);
}

std::string byte_escape(uint8_t byte) { return fmt::format("\\x{:02x}", byte); }

// XML 1.0, 2.2: neither most of the controls, nor the last two code points of the first plane.
bool can_be_in_xml(uint32_t code) {
  return code >= 0x20 ? code != 0xfffe && code != 0xffff : code == '\t' || code == '\n' || code == '\r';
}

// Calls put(CodePoint, std::string_view) with each character, those of utf8_text() in place of what is none.
template <class Put>
void each_character(std::string_view text, Put put) {
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = first_code_point(text.substr(at));
    put(c, text.substr(at, c.bytes));
    at += c.bytes;
  }
}

// What a format that wants UTF-8 gets of a text; `wanted` says which characters it can have.
template <class Wanted>
std::string clean(std::string_view text, Wanted wanted) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = first_code_point(text.substr(at));
    if (!c.valid || !wanted(c.code) || is_byte_escape(text.substr(at)))
      for (const char byte : text.substr(at, c.bytes)) out += byte_escape(static_cast<uint8_t>(byte));
    else
      out += text.substr(at, c.bytes);
    at += c.bytes;
  }
  return out;
}

// Of characters that XML can have.
std::string with_entities(std::string_view text) {
  std::string out;
  each_character(text, [&](CodePoint c, std::string_view bytes) {
    switch (c.code) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // A parser makes blanks of newlines in attributes, and newlines of carriage returns, unless they stand so.
        if (is_unseen(c.code))
          out += fmt::format("&#{};", c.code);
        else
          out += bytes;
    }
  });
  return out;
}

std::string utf16_escape(uint32_t code) { return fmt::format("\\u{:04x}", code); }

// UTF-8 without the quotes.
std::string json_inside(std::string_view text) {
  std::string out;
  each_character(text, [&](CodePoint c, std::string_view bytes) {
    if (c.code == '"' || c.code == '\\')
      (out += '\\') += bytes;
    else if (c.code == '\n')
      out += "\\n";
    else if (c.code == '\t')
      out += "\\t";
    else if (c.code == '\r')
      out += "\\r";
    else if (is_unseen(c.code))
      out += utf16_escape(c.code);
    else
      out += bytes;
  });
  return out;
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  put_visible(text, [&](std::string_view piece) { out += piece; });
  return out;
}

std::string visible_source(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  std::string out;
  for (size_t tab; (tab = line.find('\t')) != std::string_view::npos; line.remove_prefix(tab + 1)) {
    out += visible(line.substr(0, tab));
    out.append(8 - columns_of(out) % 8, ' ');
  }
  return out + visible(line);
}

std::string utf8_text(std::string_view text) {
  return clean(text, [](uint32_t) { return true; });
}

std::string json_string(std::string_view text) { return "\"" + json_inside(utf8_text(text)) + "\""; }

std::string xml_text(std::string_view text) { return with_entities(clean(text, can_be_in_xml)); }

std::string svg_text(std::string_view text) { return with_entities(visible(text)); }

std::string uri_path(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("/-._~").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string sarif_text(std::string_view text) {
  std::string out(text);
  for (size_t at = 0; (at = out.find("](", at)) != std::string::npos; at += 3) out.insert(at, 1, '\\');
  return out;
}

std::string dot_text(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string mermaid_text(std::string_view text) {
  std::string out;
  for (const char c : visible(text)) {
    if (c == '#')
      out += "#35;";
    else if (c == ';')
      out += "#59;";
    else if (c == '%')
      out += "#37;";
    else if (c == '<')
      out += "#lt;";
    else if (c == '>')
      out += "#gt;";
    else
      out += c;
  }
  return out;
}

std::string suppression_pattern(std::string_view text) {
  std::string out;
  each_character(text, [&](CodePoint c, std::string_view bytes) {
    if (!c.valid || is_unseen(c.code))
      out.append(bytes.size(), '?');
    else
      out += bytes;
  });
  if (out.ends_with(' ')) out.back() = '?';  // blanks around a line are cut off
  if (out.starts_with(' ')) out.front() = '?';
  return out.empty() ? "*" : out;
}

std::string CallgrindNames::numbered(std::string_view text, Numbers& numbers) {
  std::string name = visible(text);
  if (name.empty()) return "???";
  if (name.front() == ' ') name.replace(0, 1, "\\x20");
  if (name.back() == ' ') name.replace(name.size() - 1, 1, "\\x20");
  if (name.front() != '(') return name;
  const auto [known, is_new] = numbers.try_emplace(name, static_cast<unsigned>(numbers.size() + 1));
  return is_new ? fmt::format("({}) {}", known->second, name) : fmt::format("({})", known->second);
}

std::string CallgrindNames::function(std::string_view name) {
  Numbers none;
  const std::string text = numbered(name, none);
  return none.empty() ? text : fmt::format("({}) {}", ++functions_, none.begin()->first);
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=%@:,./";
  if (!word.empty() && word.find_first_not_of(safe) == std::string_view::npos) return std::string(word);
  bool plain = true;
  std::string quoted, escaped;
  each_character(word, [&](CodePoint c, std::string_view bytes) {
    quoted += bytes == "'" ? std::string_view("'\\''") : bytes;
    if (!c.valid || is_unseen(c.code)) {
      plain = false;
      // Octal: with three digits always, so that what follows is not taken for one more.
      for (const char byte : bytes) escaped += fmt::format("\\{:03o}", static_cast<uint8_t>(byte));
    } else {
      if (bytes == "'" || bytes == "\\") escaped += '\\';
      escaped += bytes;
    }
  });
  return plain ? "'" + quoted + "'" : "$'" + escaped + "'";
}

}  // namespace cdr::report

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/common/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <utility>

namespace cdr::symbols {

bool is_mangled(std::string_view linkage_name) { return linkage_name.starts_with("_Z"); }

bool is_part_of_coroutine(std::string_view linkage_name) {
  if (!is_mangled(linkage_name)) return false;
  for (const std::string_view part : {".actor", ".resume", ".destroy", ".cleanup"}) {
    const std::size_t at = linkage_name.rfind(part);
    if (at == std::string_view::npos) continue;
    const std::size_t end = at + part.size();
    if (end == linkage_name.size() || linkage_name[end] == '.') return true;
  }
  return false;
}

namespace {

// "foo(foo(int)::_Z3fooi.Frame*) [clone .actor]", as g++ calls the parts of a coroutine, is "foo(int) [clone .actor]".
std::string without_frame(std::string text) {
  const std::string_view frame = ".Frame*)";
  const std::size_t end = text.find(frame);
  const std::size_t begin = end == std::string::npos ? end : text.rfind("::_Z", end);
  if (begin == std::string::npos) return text;
  return demangle(text.substr(begin + 2, end - begin - 2)) + text.substr(end + frame.size());
}

// Rust's names (but for its newer mangling, `_R…') end in a hash, and have words for what C++'s cannot hold.
constexpr std::pair<std::string_view, std::string_view> kRustWords[] = {
    {"$LT$", "<"},  {"$GT$", ">"},  {"$LP$", "("},  {"$RP$", ")"},  {"$RF$", "&"},  {"$BP$", "*"},
    {"$C$", ","},   {"$SP$", "@"},  {"$u20$", " "}, {"$u27$", "'"}, {"$u3d$", "="}, {"$u5b$", "["},
    {"$u5d$", "]"}, {"$u7b$", "{"}, {"$u7d$", "}"}, {"$u7e$", "~"}, {"..", "::"},
};

bool is_rust(std::string_view text) {
  constexpr std::size_t kHash = 16;
  if (text.size() < kHash + 3 || text.substr(text.size() - kHash - 3, 3) != "::h") return false;
  return text.find_first_not_of("0123456789abcdef", text.size() - kHash) == text.npos;
}

std::string rust_name(std::string_view text) {
  std::string name;
  text = text.substr(0, text.rfind("::h"));
  while (!text.empty()) {
    // A name that begins with a word has a line before it.
    if (text.starts_with("_$") && (name.empty() || name.ends_with("::"))) text.remove_prefix(1);
    const auto word = std::find_if(std::begin(kRustWords), std::end(kRustWords),
                                   [&](const auto& w) { return text.starts_with(w.first); });
    name += word == std::end(kRustWords) ? text.substr(0, 1) : word->second;
    text.remove_prefix(word == std::end(kRustWords) ? 1 : word->first.size());
  }
  return name;
}

}  // namespace

std::string demangle(std::string_view linkage_name) {
  if (const std::size_t at = linkage_name.find('@'); is_mangled(linkage_name) && at != std::string_view::npos) {
    return demangle(linkage_name.substr(0, at)).append(linkage_name.substr(at));  // "…@plt"
  }
  std::string plain(linkage_name);
  if (!is_mangled(linkage_name)) return plain;
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(plain.c_str(), nullptr, nullptr, &status),
                                                   &std::free);
  if (!text || status != 0) return plain;
  return is_rust(text.get()) ? rust_name(text.get()) : without_frame(text.get());
}

std::string_view Demangler::name(StringId linkage_name) {
  if (!is_mangled(pool_->text(linkage_name))) return pool_->text(linkage_name);
  auto [place, is_new] = done_.try_emplace(linkage_name);
  if (is_new) place->second = pool_->intern(demangle(pool_->text(linkage_name)));
  return pool_->text(place->second);
}

}  // namespace cdr::symbols

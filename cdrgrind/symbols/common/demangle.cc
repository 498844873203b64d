// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/common/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

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
  return text && status == 0 ? without_frame(text.get()) : plain;
}

std::string_view Demangler::name(StringId linkage_name) {
  if (!is_mangled(pool_->text(linkage_name))) return pool_->text(linkage_name);
  auto [place, is_new] = done_.try_emplace(linkage_name);
  if (is_new) place->second = pool_->intern(demangle(pool_->text(linkage_name)));
  return pool_->text(place->second);
}

}  // namespace cdr::symbols

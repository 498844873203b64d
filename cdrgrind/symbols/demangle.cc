// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace cdr::symbols {

bool is_mangled(std::string_view linkage_name) { return linkage_name.starts_with("_Z"); }

std::string demangle(std::string_view linkage_name) {
  if (const std::size_t at = linkage_name.find('@'); is_mangled(linkage_name) && at != std::string_view::npos) {
    return demangle(linkage_name.substr(0, at)).append(linkage_name.substr(at));  // "…@plt"
  }
  std::string plain(linkage_name);
  if (!is_mangled(linkage_name)) return plain;
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(plain.c_str(), nullptr, nullptr, &status),
                                                   &std::free);
  return text && status == 0 ? std::string(text.get()) : plain;
}

std::string_view Demangler::name(StringId linkage_name) {
  if (!is_mangled(pool_->text(linkage_name))) return pool_->text(linkage_name);
  auto [place, is_new] = done_.try_emplace(linkage_name);
  if (is_new) place->second = pool_->intern(demangle(pool_->text(linkage_name)));
  return pool_->text(place->second);
}

}  // namespace cdr::symbols

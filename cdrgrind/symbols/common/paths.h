// SPDX-License-Identifier: GPL-2.0-or-later
//
// Path arithmetic on text alone: no file is looked at. So a path that was
// recorded elsewhere means the same here.
#ifndef CDRGRIND_SYMBOLS_COMMON_PATHS_H
#define CDRGRIND_SYMBOLS_COMMON_PATHS_H

#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/symbols/common/options.h"

namespace cdr::symbols {

// `name` seen from `dir`; an absolute `name` stays what it is.
std::string join_path(std::string_view dir, std::string_view name);

// Without empty, "." and ".." parts, as far as the text allows.
std::string normal_path(std::string_view path);

// With the first map that matches applied. Maps match whole path parts.
std::string map_path(std::string_view path, const std::vector<PathMap>& maps);

// Everything before the last '/'; "/" for "/a", "." for "a".
std::string_view folder_of(std::string_view path);

// Everything after the last '/'.
std::string_view base_name(std::string_view path);

// Whether `path` is `wanted` or ends with it, at a path part's begin.
bool path_matches(std::string_view path, std::string_view wanted);

}  // namespace cdr::symbols

#endif

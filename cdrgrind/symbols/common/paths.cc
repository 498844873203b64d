// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::symbols {

std::string join_path(std::string_view dir, std::string_view name) {
  if (dir.empty() || name.starts_with('/')) return std::string(name);
  if (name.empty()) return std::string(dir);
  std::string joined(dir);
  if (!joined.ends_with('/')) joined += '/';
  joined += name;
  return joined;
}

namespace {

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t end = path.find('/');
    parts.push_back(path.substr(0, end));
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
  }
  return parts;
}

// Removes the last kept part for a "..", when there is one to remove.
void step_up(std::vector<std::string_view>& kept, bool absolute) {
  if (!kept.empty() && kept.back() != "..") {
    kept.pop_back();
  } else if (!absolute) {
    kept.push_back("..");
  }
}

}  // namespace

std::string normal_path(std::string_view path) {
  const bool absolute = path.starts_with('/');
  std::vector<std::string_view> kept;
  for (std::string_view part : parts_of(path)) {
    if (part == "..") {
      step_up(kept, absolute);
    } else if (!part.empty() && part != ".") {
      kept.push_back(part);
    }
  }
  std::string normal = absolute ? "/" : "";
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (i != 0) normal += '/';
    normal += kept[i];
  }
  return normal;
}

std::string map_path(std::string_view path, const std::vector<PathMap>& maps) {
  for (const PathMap& map : maps) {
    if (map.from.empty() || !path.starts_with(map.from)) continue;
    const std::string_view rest = path.substr(map.from.size());
    if (!rest.empty() && rest.front() != '/' && !map.from.ends_with('/')) continue;
    if (rest.empty()) return map.to;
    const std::size_t slashes = rest.find_first_not_of('/');
    return slashes == std::string_view::npos ? map.to : join_path(map.to, rest.substr(slashes));
  }
  return std::string(path);
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool path_matches(std::string_view path, std::string_view wanted) {
  if (wanted.starts_with("./")) wanted.remove_prefix(2);
  if (wanted.empty() || !path.ends_with(wanted)) return false;
  if (path.size() == wanted.size()) return true;
  return !wanted.starts_with('/') && path[path.size() - wanted.size() - 1] == '/';
}

}  // namespace cdr::symbols

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/listeners.h"

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr::tool {
namespace {

constexpr size_t kFamilyBytes = 2, kPortBytes = 2;

constexpr size_t kMostOfName = 8;

constinit FlatMap<uint64_t, Listens> listeners;        // by identity
constinit FlatMap<uint64_t, uint32_t> listener_names;  // numbers in `of_name`
constinit std::vector<std::vector<uint64_t>> of_name;  // identities
constinit const std::vector<uint64_t> no_listeners;

uint64_t hash_of(std::string_view bytes, uint64_t seed) {
  uint64_t hash = seed;
  for (const char c : bytes) hash = mix64(hash ^ static_cast<unsigned char>(c));
  return hash;
}

// The address without its port: of an IPv4 one in an IPv6 one that.
std::string_view host_of(int family, std::string_view name) {
  constexpr std::string_view kMapped("\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);
  constexpr size_t kAt = 4, kBytes = 4, kAt6 = 8, kBytes6 = 16;
  if (family == kInternetFamily) return name.size() < kAt + kBytes ? "" : name.substr(kAt, kBytes);
  if (name.size() < kAt6 + kBytes6) return {};
  const std::string_view host = name.substr(kAt6, kBytes6);
  return host.starts_with(kMapped) ? host.substr(kMapped.size()) : host;
}

// 0: no name of a known family.
struct Keys {
  uint64_t exact = 0, any_host = 0;
};
Keys keys_of(Listens f, std::string_view name) {
  const uint64_t seed = 2 * static_cast<uint64_t>(f);
  if (name.size() <= kFamilyBytes) return {};
  const int family = static_cast<unsigned char>(name[0]) | static_cast<unsigned char>(name[1]) << 8;
  const std::string_view rest = name.substr(kFamilyBytes);
  // What stands behind a path is none of it; abstract names have a 0 in front, and all bytes count.
  if (family == kUnixFamily) return {hash_of(rest[0] ? rest.substr(0, rest.find('\0')) : rest, seed + 1), 0};
  if (family != kInternetFamily && family != kInternet6Family) return {};
  const std::string_view host = host_of(family, name);
  if (host.empty()) return {};
  const std::string_view port = rest.substr(0, kPortBytes);
  if (port == std::string_view("\0\0", kPortBytes)) return {};
  const uint64_t any_host = hash_of(port, seed + 2);
  const bool is_any = host.find_first_not_of('\0') == std::string_view::npos;
  return {is_any ? any_host : hash_of(host, any_host), any_host};
}

}  // namespace

bool note_listener(Listens f, uint64_t identity, std::string_view name) {
  listeners[identity] = f;
  const Keys keys = keys_of(f, name);
  if (!keys.exact) return false;
  const auto [number, is_new] = listener_names.insert(keys.exact);
  if (is_new) {
    *number = static_cast<uint32_t>(of_name.size());
    of_name.emplace_back();
  }
  std::vector<uint64_t>& all = of_name[*number];
  std::erase(all, identity);
  if (all.size() >= kMostOfName) all.erase(all.begin());
  all.push_back(identity);
  return true;
}

bool is_listener(Listens f, uint64_t identity) {
  const Listens* const known = listeners.find(identity);
  return known && *known == f;
}

const std::vector<uint64_t>& listeners_at(Listens f, std::string_view name) {
  const Keys keys = keys_of(f, name);
  const uint32_t* at = keys.exact ? listener_names.find(keys.exact) : nullptr;
  if (!at && keys.any_host) at = listener_names.find(keys.any_host);
  return at ? of_name[*at] : no_listeners;
}

}  // namespace cdr::tool

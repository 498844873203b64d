// SPDX-License-Identifier: GPL-2.0-or-later
// Sockets at which this process accepts connections, or gets datagrams: by what they are, and by the name that others
// connect, or send, to. Several may have one name: which of them gets something the kernel decides.
#ifndef CDRGRIND_TOOL_LISTENERS_H
#define CDRGRIND_TOOL_LISTENERS_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace cdr::tool {

// Of Linux.
constexpr int kUnixFamily = 1, kInternetFamily = 2, kInternet6Family = 10;

enum class Listens : uint8_t { kForConnections, kForDatagrams };

// `name`: its bytes as the kernel has them, struct sockaddr and what follows. `identity`: not 0. Whether it has a name.
bool note_listener(Listens f, uint64_t identity, std::string_view name);
bool is_listener(Listens f, uint64_t identity);
// The identities of the last ones that have got this name, or listen at all addresses of its port, the last one last.
const std::vector<uint64_t>& listeners_at(Listens f, std::string_view name);

}  // namespace cdr::tool

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/locked_files.h"

#include <algorithm>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr::tool {
namespace {

using Of = FileLock::Of;
using Kind = FileLock::Kind;

constexpr uint64_t kAnybody = 0, kProcess = 1;  // owners; descriptions have the numbers from 2 on
constexpr int kOwnGrants = 4;                   // descriptions of which each has one of its own, for the same bytes
constexpr size_t kMostGrants = 64;              // of a file, until its parts are not asked any more

struct Description {
  uint64_t identity = 0;
  uint32_t descriptors = 0;
};
// Locked bytes, or such that were.
struct Part {
  uint64_t file = 0;  // and whether it is flock's, or fcntl's
  uint64_t owner = 0;
  uint64_t begin = 0, end = 0;
  bool exclusive = false;
};
struct Granted {
  Part part;
  uint64_t grant = 0;
};

constinit uint64_t owners = kProcess;
constinit FlatMap<uint64_t, uint64_t> descriptions;       // by descriptor
constinit FlatMap<uint64_t, Description> description_at;  // by number
constinit std::vector<Part> held;
constinit FlatMap<uint64_t, uint64_t> file_numbers;           // in `granted_by_file`
constinit std::vector<std::vector<Granted>> granted_by_file;  // what was given back of each

uint64_t file_of(Of of, uint64_t identity) { return mix64(identity ^ (of == Of::kWhole ? 1 : 2)); }

// 0: it is not known.
uint64_t description_of(UWord fd, uint64_t identity) {
  const uint64_t* const number = descriptions.find(fd);
  const Description* const found = number ? description_at.find(*number) : nullptr;
  return found && found->identity == identity ? *number : 0;
}

void forget_descriptor(UWord fd) {
  const uint64_t* const number = descriptions.find(fd);
  if (!number) return;
  if (Description* const d = description_at.find(*number); d && --d->descriptors == 0) {
    const uint64_t gone = *number;
    std::erase_if(held, [&](const Part& p) { return p.owner == gone; });
    description_at.erase(gone);
  }
  descriptions.erase(fd);
}

std::vector<Granted>& granted_of(uint64_t file) {
  const auto [number, is_new] = file_numbers.insert(file);
  if (is_new) {
    *number = granted_by_file.size();
    granted_by_file.emplace_back();
  }
  return granted_by_file[*number];
}

bool is_of_whole(const Part& p) { return p.exclusive && p.begin == 0 && p.end == UINT64_MAX; }
bool same_bytes(const Part& a, const Part& b) {
  return a.begin == b.begin && a.end == b.end && a.exclusive == b.exclusive;
}
uint64_t grant_of(const Part& p) {
  if (p.owner == kAnybody && is_of_whole(p)) return p.file;
  return mix64(p.file ^ mix64(p.begin ^ mix64(p.end ^ mix64(2 * p.owner + p.exclusive))));
}

// `ends`: its owner is no more, so that nobody locks by it.
void give(Part p, bool ends, Grants& given) {
  std::vector<Granted>& granted = granted_of(p.file);
  if (granted.size() >= kMostGrants) p.begin = 0, p.end = UINT64_MAX, p.exclusive = true;
  if (ends && p.owner != kProcess) p.owner = kAnybody;
  const auto find = [&] {
    return std::find_if(granted.begin(), granted.end(),
                        [&](const Granted& g) { return same_bytes(g.part, p) && g.part.owner == p.owner; });
  };
  auto found = find();
  if (found == granted.end() && p.owner > kProcess) {
    const auto alike = std::count_if(granted.begin(), granted.end(), [&](const Granted& g) {
      return same_bytes(g.part, p) && g.part.owner > kProcess;
    });
    if (alike >= kOwnGrants) {
      p.owner = kAnybody;
      found = find();
    }
  }
  if (found == granted.end()) found = granted.insert(found, {p, grant_of(p)});
  given.push_back(found->grant);
}

uint64_t owner_of(const FileLock& lock) {
  return lock.of == Of::kProcess ? kProcess : description_of(lock.fd, lock.identity);
}
Part part_of(const FileLock& lock, uint64_t owner) {
  return {file_of(lock.of, lock.identity), owner, lock.begin, lock.end, lock.kind == Kind::kExclusive};
}
bool meet(const Part& a, const Part& b) { return a.file == b.file && a.begin < b.end && b.begin < a.end; }
bool owner_has(const Part& p, const Part& wanted) { return p.owner == wanted.owner && meet(p, wanted); }

// The owner's locks of these bytes are no more.
void cut(const Part& out) {
  std::vector<Part> left;
  std::erase_if(held, [&](const Part& p) {
    if (!owner_has(p, out)) return false;
    if (p.begin < out.begin) left.push_back({p.file, p.owner, p.begin, out.begin, p.exclusive});
    if (p.end > out.end) left.push_back({p.file, p.owner, out.end, p.end, p.exclusive});
    return true;
  });
  held.insert(held.end(), left.begin(), left.end());
}

// Neighbours that are held alike are one.
void hold(Part in) {
  std::erase_if(held, [&](const Part& p) {
    const bool joins = p.file == in.file && p.owner == in.owner && p.exclusive == in.exclusive &&
                       (p.end == in.begin || p.begin == in.end);
    if (joins) in.begin = std::min(in.begin, p.begin), in.end = std::max(in.end, p.end);
    return joins;
  });
  held.push_back(in);
}

}  // namespace

void descriptor_opened(UWord fd, uint64_t identity) {
  forget_descriptor(fd);
  descriptions[fd] = ++owners;
  description_at[owners] = {identity, 1};
}

void descriptor_copied(UWord from, UWord to) {
  if (from == to) return;
  forget_descriptor(to);
  const uint64_t* const known = descriptions.find(from);
  if (!known) return;
  const uint64_t number = *known;
  descriptions[to] = number;
  ++description_at[number].descriptors;
}

bool any_file_locked() { return !held.empty(); }

void descriptor_closed(UWord fd, uint64_t identity, Grants& given) {
  const uint64_t number = description_of(fd, identity);
  const bool is_last = number && description_at.find(number)->descriptors == 1;
  const uint64_t of_process = file_of(Of::kProcess, identity);
  for (const Part& p : held)
    if ((is_last && p.owner == number) || (p.owner == kProcess && p.file == of_process)) give(p, true, given);
  std::erase_if(held, [&](const Part& p) { return p.owner == kProcess && p.file == of_process; });
  forget_descriptor(fd);
}

void lock_begins(const FileLock& lock, Grants& given) {
  const uint64_t owner = owner_of(lock);
  Part wanted = part_of(lock, owner);
  const bool unlocks = lock.kind == Kind::kNone;
  if (owner == 0) {
    // A copy that came from elsewhere.
    wanted.exclusive = true;
    if (unlocks) give(wanted, true, given);
    return;
  }
  const bool gives_first = lock.of == Of::kWhole;
  const auto gives = [&](const Part& p) {
    if (!owner_has(p, wanted)) return false;
    return unlocks || (gives_first ? p.exclusive != wanted.exclusive : p.exclusive && !wanted.exclusive);
  };
  bool any = false;
  for (const Part& p : held) {
    if (!gives(p)) continue;
    give({p.file, owner, std::max(p.begin, wanted.begin), std::min(p.end, wanted.end), p.exclusive}, false, given);
    any = true;
  }
  if (any && (unlocks || gives_first)) cut(wanted);
}

void lock_ends(const FileLock& lock, Grants& got) {
  uint64_t owner = owner_of(lock);
  if (owner == 0) {
    descriptor_opened(lock.fd, lock.identity);
    owner = owners;
  }
  const Part wanted = part_of(lock, owner);
  cut(wanted);
  hold(wanted);
  for (const Granted& g : granted_of(wanted.file)) {
    const bool excluded = meet(g.part, wanted) && (g.part.exclusive || wanted.exclusive) && g.part.owner != owner;
    if (excluded && g.grant != wanted.file) got.push_back(g.grant);
  }
}

uint64_t first_grant(const FileLock& lock) { return file_of(lock.of, lock.identity); }

}  // namespace cdr::tool

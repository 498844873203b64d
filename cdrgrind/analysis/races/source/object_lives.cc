// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/object_lives.h"

#include <algorithm>

namespace cdr::races {

// Another thread whose earlier use is not ordered with it; none if all are.
ThreadId ObjectLives::use(uint64_t object, ThreadId t, bool store) {
  Object& o = objects_[object];
  ThreadId other;
  if (o.written.thread && !knows(t, o.written)) other = o.written.thread;
  const Moment now{t, at(t).now};
  if (!store) {
    const auto mine = std::find_if(o.read.begin(), o.read.end(), [&](const Moment& m) { return m.thread == t; });
    if (mine == o.read.end())
      o.read.push_back(now);
    else
      *mine = now;
    return other;
  }
  for (const Moment& m : o.read)
    if (!knows(t, m)) other = m.thread;
  o.written = now;
  o.read.clear();
  return other;
}

VectorClock ObjectLives::release(ThreadId by) {
  Thread& t = at(by);
  VectorClock given = t.known;
  given.set(by, t.now++);
  return given;
}

}  // namespace cdr::races

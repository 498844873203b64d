// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/export/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "cdrgrind/analysis/diff/turn_order.h"
#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/report/common/event_names.h"

namespace cdr::report {
namespace {

using sync::ChartRow;
using sync::ChartWhat;
using sync::SyncKey;

class Timeline {
 public:
  Timeline(const SyncNames& names, const TimelineRange& range, cdr::Output& to)
      : names_(names), range_(range), to_(to) {}

  void begin() { text_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":["; }
  uint64_t end() {
    for (const ThreadId t : lanes_)
      put(fmt::format(R"({{"ph":"M","pid":1,"tid":{0},"name":"thread_name","args":{{"name":"thread {0}"}}}})",
                      t.value));
    text_ += "\n]}\n";
    flush();
    return left_out_;
  }

  void turn(ThreadId thread, uint64_t begin, uint64_t end) {
    begin = std::max(begin, range_.first);
    end = std::min(end, range_.end);
    if (begin >= end || is_full()) return;
    slice(thread, "runs", begin, end, "");
  }
  void row(const ChartRow& r) {
    if (r.index < range_.first || r.index >= range_.end) return;
    switch (r.what) {
      case ChartWhat::kStart:
      case ChartWhat::kEnd:
        if (!is_full()) instant(r.thread, r.what == ChartWhat::kStart ? "thread starts" : "thread ends", r.index);
        break;
      case ChartWhat::kEnter:
        entered_[r.thread] = r.index;
        break;
      default:
        operation(r);
    }
    for (const SyncKey& key : r.let_go) let_go_[{r.thread, key}] = r.index;
  }

 private:
  void operation(const ChartRow& r) {
    const auto entered = entered_.find(r.thread);
    const bool waited = r.what == ChartWhat::kLeave && entered != entered_.end();
    const uint64_t begin = waited ? entered->second : r.index;
    if (waited) entered_.erase(entered);
    if (is_full()) return;
    const SyncKey key = sync::key_of(r.sync);
    const std::string object = key.kind == sync::SyncKind::kThread ? "" : names_.object(key);
    const std::string name =
        object.empty() ? std::string(name_of(r.sync.op)) : fmt::format("{} {}", name_of(r.sync.op), object);
    slice(r.thread, name, begin, r.index + 1,
          fmt::format(R"("object":{},"waited":{},"number":{})", json_string(object), waited, r.number));
    for (const sync::SyncGot& got : r.got)
      for (const ThreadId from : got.from) arrow(from, got.of, r);
  }
  void arrow(ThreadId from, const SyncKey& of, const ChartRow& to) {
    const auto found = let_go_.find({from, of});
    if (found == let_go_.end() || from == to.thread) return;
    ++arrows_;
    const char* kFlow = R"({{"ph":"{}","pid":1,"tid":{},"ts":{},"id":{},"name":"hand-over","cat":"sync"{}}})";
    put(fmt::format(fmt::runtime(kFlow), 's', from.value, found->second, arrows_, ""));
    put(fmt::format(fmt::runtime(kFlow), 'f', to.thread.value, to.index, arrows_, R"(,"bp":"e")"));
  }
  void slice(ThreadId thread, std::string_view name, uint64_t begin, uint64_t end, std::string_view arguments) {
    put(fmt::format(R"({{"ph":"X","pid":1,"tid":{},"ts":{},"dur":{},"name":{},"args":{{{}}}}})", thread.value, begin,
                    end - begin, json_string(name), arguments));
    lanes_.insert(thread);
  }
  void instant(ThreadId thread, std::string_view name, uint64_t at) {
    put(fmt::format(R"({{"ph":"i","s":"t","pid":1,"tid":{},"ts":{},"name":{}}})", thread.value, at, json_string(name)));
    lanes_.insert(thread);
  }
  bool is_full() {
    if (put_ < range_.most) return ++put_, false;
    ++left_out_;
    return true;
  }
  void put(const std::string& event) {
    text_ += any_ ? ",\n" : "\n";
    any_ = true;
    text_ += event;
    if (text_.size() > (1 << 17)) flush();
  }
  void flush() {
    to_.write({reinterpret_cast<const uint8_t*>(text_.data()), text_.size()});
    text_.clear();
  }

  const SyncNames& names_;
  const TimelineRange& range_;
  cdr::Output& to_;
  std::string text_;
  bool any_ = false;
  std::set<ThreadId> lanes_;
  std::map<ThreadId, uint64_t> entered_;
  std::map<std::pair<ThreadId, SyncKey>, uint64_t> let_go_;
  uint64_t arrows_ = 0, put_ = 0, left_out_ = 0;
};

}  // namespace

uint64_t write_timeline(const trace::TraceFile& file, const sync::SyncChart& chart, const SyncNames& names,
                        const TimelineRange& range, cdr::Output& to) {
  Timeline timeline(names, range, to);
  timeline.begin();
  for (const ChartRow& r : chart.rows) timeline.row(r);
  diff::TurnReader turns(file);
  diff::Turn at{ThreadId(1), 0};
  do {
    const diff::Turn next = turns.next();
    timeline.turn(at.thread, at.event, next.event);
    at = next;
  } while (at.thread && at.event < range.end);
  return timeline.end();
}

}  // namespace cdr::report

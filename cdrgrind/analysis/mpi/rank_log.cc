// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/rank_log.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <string_view>

namespace cdr::mpi {
namespace {

struct Function {
  int kind = 0;
  bool request = false;     // makes one
  bool persistent = false;  // which is started later
};

constexpr std::array<Function, CDR_MPI_CALL_COUNT> functions() {
  std::array<Function, CDR_MPI_CALL_COUNT> table = {};
#define CDR_MPI_ROW(number, Name, name, kind, parameters)                                            \
  table[number] = {CDR_MPI_##kind, std::string_view(parameters).find('q') != std::string_view::npos, \
                   std::string_view(#name).ends_with("_init")};
  CDR_MPI_CALLS(CDR_MPI_ROW)
#undef CDR_MPI_ROW
  return table;
}
constexpr std::array<Function, CDR_MPI_CALL_COUNT> kFunctions = functions();

const Function& function_of(uint32_t number) { return kFunctions[number < kFunctions.size() ? number : 0]; }

bool is_collective(int kind) {
  return kind == CDR_MPI_COLLECTIVE || kind == CDR_MPI_FROM_ROOT || kind == CDR_MPI_TO_ROOT || kind == CDR_MPI_PREFIX ||
         kind == CDR_MPI_NEIGHBOURS || kind == CDR_MPI_COMMUNICATOR || kind == CDR_MPI_WINDOW ||
         kind == CDR_MPI_FINALIZE;
}
bool is_send(int kind) { return kind == CDR_MPI_SEND || kind == CDR_MPI_SYNC_SEND; }

int32_t narrow(int64_t v) { return static_cast<int32_t>(std::clamp<int64_t>(v, INT32_MIN, INT32_MAX)); }

class LogReader {
 public:
  RankLog read(const std::vector<RawCall>& calls) {
    log_.communicators.resize(2);
    for (const RawCall& raw : calls) add(raw);
    return std::move(log_);
  }

 private:
  // What a call says in words, besides what stands in Call.
  struct Words {
    std::vector<uint64_t> requests, made;  // handles: given, new
    std::vector<uint64_t> done;            // triples
    std::optional<uint64_t> comm, message, new_message, window, new_window, new_comm;
    std::optional<std::pair<int64_t, int64_t>> status;  // source, tag
    Communicator communicator;
    bool has_flag = false, flag = false;
  };

  void add(const RawCall& raw) {
    const Function& f = function_of(raw.function);
    Call c;
    c.function = raw.function;
    c.thread = raw.thread.value;
    c.site = raw.site;
    c.clock = raw.clock;
    c.open = raw.open;
    Words w;
    read_arguments(raw, c, w);
    read_results(raw, w);
    if (w.window) c.comm = windows_.contains(*w.window) ? windows_[*w.window] : kNone;
    if (w.comm) c.comm = comm_of(*w.comm);
    if (f.kind == CDR_MPI_FINALIZE) c.comm = kWorld;
    c.requests = static_cast<uint32_t>(w.requests.size());
    c.first_post = static_cast<uint32_t>(log_.posts.size());
    c.first_done = static_cast<uint32_t>(log_.completions.size());
    number_ = static_cast<uint32_t>(log_.calls.size());
    log_.instructions = std::max(log_.instructions, raw.clock);
    if (raw.result == 0 || raw.open) {
      dispatch(f, raw, c, w);
      made(c, w);
    }
    c.posts = static_cast<uint32_t>(log_.posts.size()) - c.first_post;
    c.done = static_cast<uint32_t>(log_.completions.size()) - c.first_done;
    c.in_vain = w.has_flag && !w.flag;
    log_.in_vain += c.in_vain;
    log_.calls.push_back(c);
  }

  static void read_arguments(const RawCall& raw, Call& c, Words& w) {
    for (KeyedWords k(raw.arguments); k.next();) {
      if (k.key() == CDR_MPI_REQUESTS) {
        for (size_t i = 0; i < k.count(); ++i) w.requests.push_back(k[i]);
        continue;
      }
      if (k.count() == 0) continue;
      const auto value = static_cast<int64_t>(k[0]);
      switch (k.key()) {
        case CDR_MPI_COMM:
          w.comm = k[0];
          break;
        case CDR_MPI_PEER:
          c.peer = narrow(value), c.has_peer = true;
          break;
        case CDR_MPI_TAG:
          c.tag = value;
          break;
        case CDR_MPI_BYTES:
          c.bytes = k[0], c.has_bytes = true;
          break;
        case CDR_MPI_RECEIVE_PEER:
          c.receive_peer = narrow(value), c.has_receive = true;
          break;
        case CDR_MPI_RECEIVE_TAG:
          c.receive_tag = value;
          break;
        case CDR_MPI_RECEIVE_BYTES:
          c.receive_bytes = k[0];
          break;
        case CDR_MPI_ROOT:
          c.root = narrow(value), c.has_root = true;
          break;
        case CDR_MPI_MESSAGE:
          w.message = k[0];
          break;
        case CDR_MPI_WINDOW_HANDLE:
          w.window = k[0];
          break;
        default:
          break;
      }
    }
  }

  // What no library says is damage, and left out.
  static constexpr uint64_t kMostRanks = 1 << 24;
  static void add_members(const KeyedWords& k, std::vector<MemberRun>& to) {
    if (k.count() != 3) return;
    const MemberRun r{static_cast<int64_t>(k[0]), static_cast<int64_t>(k[1]), static_cast<int64_t>(k[2])};
    constexpr auto kMost = static_cast<int64_t>(kMostRanks);
    const auto near = [](int64_t v) { return -kMost <= v && v <= kMost; };
    if (near(r.first) && near(r.step) && r.count >= 0 && near(r.count)) to.push_back(r);
  }

  void read_results(const RawCall& raw, Words& w) {
    for (KeyedWords k(raw.results); k.next();) {
      switch (k.key()) {
        case CDR_MPI_REQUESTS:
          for (size_t i = 0; i < k.count(); ++i) w.made.push_back(k[i]);
          break;
        case CDR_MPI_DONE:
          for (size_t i = 0; i < k.count(); ++i) w.done.push_back(k[i]);
          break;
        case CDR_MPI_MEMBERS:
          add_members(k, w.communicator.members);
          break;
        case CDR_MPI_LOCAL_MEMBERS:
          add_members(k, w.communicator.local);
          break;
        case CDR_MPI_SELF:
          if (k.count() != 3 || k[0] >= kMostRanks || k[1] > kMostRanks) break;
          w.communicator.rank = static_cast<int64_t>(k[0]);
          w.communicator.size = static_cast<int64_t>(k[1]);
          w.communicator.inter = k[2] != 0;
          break;
        case CDR_MPI_NEW_COMM:
          if (k.count() == 1) w.new_comm = k[0];
          break;
        case CDR_MPI_FLAG:
          w.has_flag = true;
          w.flag = k.count() > 0 && k[0] != 0;
          break;
        case CDR_MPI_STATUS:
          if (k.count() == 2) w.status = {static_cast<int64_t>(k[0]), static_cast<int64_t>(k[1])};
          break;
        case CDR_MPI_MESSAGE:
          if (k.count() == 1) w.new_message = k[0];
          break;
        case CDR_MPI_WINDOW_HANDLE:
          if (k.count() == 1) w.new_window = k[0];
          break;
        case CDR_MPI_LIBRARY:
          if (k.count() == 3) log_.library = static_cast<int>(k[0]), comms_[k[1]] = kWorld, comms_[k[2]] = kSelf;
          break;
        default:
          break;
      }
    }
  }

  void dispatch(const Function& f, const RawCall& raw, Call& c, Words& w) {
    switch (f.kind) {
      case CDR_MPI_INIT:
        if (!w.new_comm || w.communicator.rank < 0) return;
        log_.rank = w.communicator.rank;
        log_.ranks = w.communicator.size;
        log_.communicators[kWorld] = w.communicator;
        log_.communicators[kSelf] = {{{log_.rank, 0, 1}}, {}, 0, 1, false};
        w.new_comm.reset();
        return;
      case CDR_MPI_SEND:
      case CDR_MPI_SYNC_SEND:
      case CDR_MPI_RECEIVE:
        return point_to_point(f, c, w);
      case CDR_MPI_SEND_RECEIVE:
        send_receive(c, w);
        return;
      case CDR_MPI_MATCHED_PROBE:
        if (!c.open && (!w.has_flag || w.flag)) matched_probe(c, w);
        return;
      case CDR_MPI_MATCHED_RECEIVE:
        return matched_receive(f, c, w);
      case CDR_MPI_START:
        for (const uint64_t h : w.requests)
          if (const auto p = persistent_.find(h); p != persistent_.end()) start(p->second);
        return;
      case CDR_MPI_WAIT:
      case CDR_MPI_TEST:
        return completion(raw, c, w);
      case CDR_MPI_REQUEST_FREE:
        if (!w.requests.empty()) persistent_.erase(w.requests[0]), open_.erase(w.requests[0]);
        return;
      case CDR_MPI_CANCEL:
        if (!w.requests.empty()) cancel(w.requests[0]);
        return;
      case CDR_MPI_COMMUNICATOR_FREE:
        if (w.comm) comms_.erase(*w.comm);
        return;
      case CDR_MPI_FINALIZE:
        log_.finalized = true;
        break;
      default:
        break;
    }
    if (is_collective(f.kind)) collective(f, c, w);
  }

  Post post_of(const Call& c, bool send, int64_t peer, int64_t tag, uint64_t bytes) const {
    Post p;
    p.call = number_;
    p.comm = c.comm;
    p.peer = narrow(peer);
    p.tag = narrow(tag);
    p.bytes = bytes;
    p.send = send;
    p.from_any = peer == CDR_MPI_ANY;
    return p;
  }
  uint32_t add_post(const Post& p) {
    log_.posts.push_back(p);
    return static_cast<uint32_t>(log_.posts.size() - 1);
  }
  void complete(uint32_t post, uint32_t call) {
    log_.posts[post].done = call;
    log_.completions.push_back(post);
  }
  // Where it came from, if the program has left that open.
  void resolve(uint32_t post, int64_t source, int64_t tag) {
    Post& p = log_.posts[post];
    if (p.send || p.collective) return;
    if (p.peer == CDR_MPI_ANY && source >= 0) p.peer = narrow(source);
    if (p.tag == CDR_MPI_ANY && tag >= 0) p.tag = narrow(tag);
  }

  void point_to_point(const Function& f, const Call& c, const Words& w) {
    Post p = post_of(c, is_send(f.kind), c.peer, c.tag, c.bytes);
    p.synchronous = f.kind == CDR_MPI_SYNC_SEND;
    p.buffered = c.function == 11 || c.function == 18 || c.function == 23;  // Bsend, Ibsend, Bsend_init
    if (f.persistent) {
      for (const uint64_t h : w.made) persistent_[h] = {p, kNone};
      return;
    }
    if (c.peer == CDR_MPI_PROC_NULL) return no_message(w);
    const uint32_t post = add_post(p);
    if (f.request) {
      for (const uint64_t h : w.made) open_[h].push_back(post);
    } else if (!c.open) {
      complete(post, number_);
      if (w.status) resolve(post, w.status->first, w.status->second);
    } else {
      log_.completions.push_back(post);
    }
  }
  // Its request completes all the same.
  void no_message(const Words& w) {
    for (const uint64_t h : w.made) open_[h].push_back(kNone);
  }

  void send_receive(const Call& c, const Words& w) {
    if (c.peer != CDR_MPI_PROC_NULL) finish(c, add_post(post_of(c, true, c.peer, c.tag, c.bytes)));
    if (c.receive_peer == CDR_MPI_PROC_NULL) return;
    const uint32_t post = add_post(post_of(c, false, c.receive_peer, c.receive_tag, c.receive_bytes));
    finish(c, post);
    if (w.status) resolve(post, w.status->first, w.status->second);
  }
  void finish(const Call& c, uint32_t post) {
    if (c.open)
      log_.completions.push_back(post);
    else
      complete(post, number_);
  }

  // The message is taken here; what receives it only says where to.
  void matched_probe(const Call& c, const Words& w) {
    if (c.peer == CDR_MPI_PROC_NULL) return;
    const uint32_t post = add_post(post_of(c, false, c.peer, c.tag, 0));
    if (w.status) resolve(post, w.status->first, w.status->second);
    if (w.new_message) messages_[*w.new_message] = post;
  }
  void matched_receive(const Function& f, const Call& c, const Words& w) {
    if (!w.message || !messages_.contains(*w.message)) return no_message(w);
    const uint32_t post = messages_[*w.message];
    messages_.erase(*w.message);
    log_.posts[post].bytes = c.bytes;
    if (f.request)
      for (const uint64_t h : w.made) open_[h].push_back(post);
    else
      finish(c, post);
  }

  struct Persistent {
    Post pattern;
    uint32_t active = kNone;
  };
  void start(Persistent& p) {
    if (p.pattern.peer == CDR_MPI_PROC_NULL) return;
    Post post = p.pattern;
    post.call = number_;
    p.active = add_post(post);
  }

  void cancel(uint64_t h) {
    if (const auto p = persistent_.find(h); p != persistent_.end()) {
      if (p->second.active != kNone) log_.posts[p->second.active].cancelled = true;
    } else if (const auto o = open_.find(h); o != open_.end() && !o->second.empty() && o->second.front() != kNone) {
      log_.posts[o->second.front()].cancelled = true;
    }
  }

  // The post of a request, which is over; none if it is not active or nothing is known of it.
  uint32_t take_request(uint64_t h) {
    if (const auto p = persistent_.find(h); p != persistent_.end()) return std::exchange(p->second.active, kNone);
    const auto o = open_.find(h);
    if (o == open_.end() || o->second.empty()) return kNone;
    const uint32_t post = o->second.front();
    o->second.pop_front();
    if (o->second.empty()) open_.erase(o);
    return post;
  }
  uint32_t look_at_request(uint64_t h) const {
    if (const auto p = persistent_.find(h); p != persistent_.end()) return p->second.active;
    const auto o = open_.find(h);
    return o == open_.end() || o->second.empty() ? kNone : o->second.front();
  }

  void completion(const RawCall& raw, Call& c, const Words& w) {
    if (raw.open) {
      c.any_of = raw.function == 42 || raw.function == 43;  // Waitany, Waitsome
      for (const uint64_t h : w.requests)
        if (const uint32_t post = look_at_request(h); post != kNone) log_.completions.push_back(post);
      return;
    }
    for (size_t i = 0; i + 2 < w.done.size(); i += 3) {
      if (w.done[i] >= w.requests.size()) continue;
      const uint32_t post = take_request(w.requests[w.done[i]]);
      if (post == kNone) continue;
      complete(post, number_);
      resolve(post, static_cast<int64_t>(w.done[i + 1]), static_cast<int64_t>(w.done[i + 2]));
    }
  }

  void collective(const Function& f, Call& c, const Words& w) {
    if (c.comm == kNone || c.comm >= log_.communicators.size()) return;
    // Comm_create_group: only the group's members call it.
    if (c.function == 104) return;
    if (instances_.size() <= c.comm) instances_.resize(c.comm + 1);
    c.instance = instances_[c.comm]++;
    if (!f.request) return;
    Post p;
    p.call = number_;
    p.comm = c.comm;
    p.collective = true;
    p.instance = c.instance;
    const uint32_t post = add_post(p);
    for (const uint64_t h : w.made) open_[h].push_back(post);
  }

  // What it made: a communicator, a window.
  void made(Call& c, Words& w) {
    if (w.new_comm) {
      c.new_comm = static_cast<uint32_t>(log_.communicators.size());
      comms_[*w.new_comm] = c.new_comm;
      log_.communicators.push_back(std::move(w.communicator));
    }
    if (w.new_window) windows_[*w.new_window] = c.comm;
  }

  uint32_t comm_of(uint64_t handle) const {
    const auto found = comms_.find(handle);
    return found == comms_.end() ? kNone : found->second;
  }

  RankLog log_;
  uint32_t number_ = 0;                                      // of the call
  std::map<uint64_t, uint32_t> comms_, windows_, messages_;  // by handle: communicators, their numbers; posts
  std::map<uint64_t, std::deque<uint32_t>> open_;            // by handle: posts; several if the library shares one
  std::map<uint64_t, Persistent> persistent_;
  std::vector<uint32_t> instances_;  // by communicator: collectives so far
};

}  // namespace

int kind_of(uint32_t function) { return function_of(function).kind; }
bool is_nonblocking(uint32_t function) { return function_of(function).request; }

int64_t Communicator::world_rank(int64_t member) const {
  if (member < 0) return -1;
  for (const MemberRun& r : members) {
    if (member < r.count) return r.first + r.step * member;
    member -= r.count;
  }
  return -1;
}

RankLog rank_log_of(const std::vector<RawCall>& calls) { return LogReader().read(calls); }

}  // namespace cdr::mpi

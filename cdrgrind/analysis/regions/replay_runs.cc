// SPDX-License-Identifier: GPL-2.0-or-later
// Blocks that repeat themselves: what does not change from execution to execution is done once for all of them.
#include "cdrgrind/analysis/regions/replay.h"

namespace cdr::regions {
namespace {

// Fewer are not worth it.
constexpr size_t kFewest = 6;

}  // namespace

void Replay::see(ThreadId thread, Steps steps) {
  Thread& t = at(thread);
  while (!steps.empty()) {
    const RunStep& step = steps.front();
    size_t done = 1;
    if (step.block) {
      while (done < steps.size() && steps[done].block == step.block) ++done;
      block_times(t, steps.first(done));
    } else if (step.kind() == EventKind::kCall) {
      call(t, step.sp, t.stack->top().left_at, false);
    } else {
      t.stack->sp_is(step.sp, clock_);
      pop(t, 1);
    }
    steps = steps.subspan(done);
  }
}

// The same one, several times. Where the second execution opens and closes no region, nor do those behind it; and
// registers are from the third on read as they were by the execution before. Of a block that lies in one loop as a
// whole that is so for the second.
void Replay::block_times(Thread& t, Steps run) {
  const BlockId id = run.front().block;
  const auto next = [&] {
    block(t, id, {run.front().words, run.front().count});
    run = run.subspan(1);
  };
  if (run.size() >= kFewest) {
    uint64_t start = clock_;
    next();
    const BlockPlan& p = *t.plan;
    if (may_repeat(t, p)) {
      const uint64_t version = t.stack->version();
      if (p.course->steps.size() > 1) {
        start = clock_;
        next();
      }
      if (t.stack->version() == version) {
        rows_.record(start, p.course->headers.size());
        next();
        rows_.repeat_record(run.size());
        repeat_block(t, p, run);
        return;
      }
    }
  }
  while (!run.empty()) next();
}

bool Replay::may_repeat(const Thread& t, const BlockPlan& p) const {
  return !p.library && p.course->executed.insns > 0 && p.course->executed.sp_changes == 0 &&
         !(p.course->code->flags & kBlockFunctionEntry) && t.stack->open_calls.empty() && !t.call_ended &&
         !t.copies_result && !options_.listener;
}

void Replay::repeat_block(Thread& t, const BlockPlan& p, Steps run) {
  RegionStack& s = *t.stack;
  const Course& course = *p.course;
  const auto insns = p.course->executed.insns;
  if (!by_columns(t, p, run)) by_executions(t, p, run);
  const uint64_t executed = uint64_t{insns} * run.size(), last = clock_ - insns;
  if (s.loop_count() > s.top().loops)
    end_repeats(t, p, static_cast<uint32_t>(run.size()), t.executed + executed - insns);
  t.executed += executed;
  result_.instructions += executed;
  const SiteIndex site = registers_of(p);
  for (const RegisterStep& step : course.steps)
    for (const RegisterUse& u : step.writes) t.registers[u.chunk] = {last + u.insn + 1u, site};
}

// The accesses of one instruction, then those of the next; and the clock goes on.
bool Replay::by_columns(Thread& t, const BlockPlan& p, Steps run) {
  RegionStack& s = *t.stack;
  const auto accesses = p.course->code->accesses.first(p.course->skips_accesses ? 0 : p.course->executed.accesses);
  const auto& headers = p.course->headers;
  if (headers.size() > 1) return false;
  if (!columns_.fill(accesses, run.size(), [&](size_t i) { return Words{run[i].words, run[i].count}; })) return false;
  const uint64_t insns = p.course->executed.insns;
  Now now = now_in(t, p);
  iterations_.clear();
  uint64_t number = 0;
  if (!headers.empty()) {
    const LoopInstance& l = s.inner_loop();
    number = l.number;
    iterations_ = {l.before, l.iteration};
    for (size_t i = 0; i < run.size(); ++i) {
      s.begin_iteration(clock_ + i * insns + headers[0] + 1u);
      iterations_.push_back(l.iteration);
    }
  }
  now.access = result_.accesses + 1;
  for (size_t a = 0; a < accesses.size(); ++a, ++now.site) {
    Column column{accesses[a], columns_.of(a), clock_ + accesses[a].insn + 1u, insns};
    if (!headers.empty()) {
      const size_t begun = accesses[a].insn >= headers[0];
      column.iterations = std::span(iterations_).subspan(begun);
      column.number = number + begun;
    }
    if (accesses[a].store())
      rows_.store(shadow_, column, now);
    else
      rows_.load(shadow_, column, now);
  }
  result_.accesses = now.access - 1;
  if (!headers.empty()) s.be_in_iteration(iterations_.end()[-2], iterations_.back(), number + run.size());
  clock_ += insns * run.size();
  return true;
}

void Replay::by_executions(Thread& t, const BlockPlan& p, Steps run) {
  RegionStack& s = *t.stack;
  const Course& course = *p.course;
  const auto accesses = p.course->code->accesses.first(p.course->skips_accesses ? 0 : p.course->executed.accesses);
  Now now = now_in(t, p);
  for (const RunStep& step : run) {
    const Words words{step.words, step.count};
    auto header = course.headers.begin();
    const auto begin_iteration = [&] {
      s.begin_iteration(clock_ + *header++ + 1u);
      now.inner_start = now.settled = now.stores_settled = s.inner_start();
    };
    now.site = p.sites;
    for (const Access& a : accesses) {
      while (header != course.headers.end() && *header <= a.insn) begin_iteration();
      if (happened(a, words)) make(a, words, now);
      ++now.site;
    }
    while (header != course.headers.end()) begin_iteration();
    clock_ += p.course->executed.insns;
  }
}

// What so many executions leave in the open loops; `executed`: before the last one.
void Replay::end_repeats(Thread& t, const BlockPlan& p, uint32_t times, uint64_t executed) {
  RegionStack& s = *t.stack;
  const Course& course = *p.course;
  LoopInstance& inner = s.inner_loop();
  const uint32_t branches = inner.branches;
  for (size_t a = 0; a < course.steps.size(); ++a)
    if (course.arrivals[a].at_branch) count_branch(s, p.course->code->insn_addr(course.arrivals[a].insn), times);
  for (const uint64_t branch : course.branches) count_branch(s, branch, times);
  if (course.headers.empty()) return;
  inner.branches = branches;
  inner.iteration_began = executed + course.headers.back();
}

}  // namespace cdr::regions

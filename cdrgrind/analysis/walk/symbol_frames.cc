// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/walk/symbol_frames.h"

#include <algorithm>

#include "cdrgrind/base/flat_map.h"

namespace cdr::analysis {

// Goes along a symbol.
class SymbolFrames::Builder {
 public:
  // False if it has too much.
  bool execute(const BlockModel& b, BlockId id) {
    if (now_ == 0) {
      if (b.sp_slot != SpChange::kSpAtEntry) return false;
      // What a call pushes its return takes again.
      code_.sp_change += static_cast<uint64_t>(b.sp_constant) + (b.then == EventKind::kCall ? kReturnAddress : 0);
    }
    return count(id, 1, now_) && ++steps_ <= kMostSteps;
  }
  bool follow(EventKind then, BlockId id) {
    if (then == EventKind::kCall) return enter({now_, id}, now_);
    if (then == EventKind::kReturn) {
      if (now_ == 0) return false;
      now_ = code_.frames[now_ - 1].around;
    }
    return true;
  }
  // `copies` times a symbol that leaves the frames as they are.
  bool add(const Code& c, uint64_t copies) {
    if (!c.usable) return false;
    code_.orders |= c.orders;
    if (now_ == 0) code_.sp_change += c.sp_change * copies;
    std::vector<uint32_t> numbers{now_};  // here
    for (const Frame& f : c.frames)
      if (!enter({numbers[f.around], f.by}, numbers.emplace_back())) return false;
    for (size_t i = 0; i < c.blocks.size(); ++i)
      if (!count(c.blocks[i].block, c.blocks[i].count * copies, numbers[c.frame_of[i]])) return false;
    for (const auto& [i, frame] : c.others) count(c.blocks[i].block, 0, numbers[frame]);
    return true;
  }
  void order() { code_.orders = true; }
  bool is_back() const { return now_ == 0; }
  Code& code() { return code_; }

 private:
  static constexpr size_t kMostBlocks = 512, kMostFrames = 64, kMostSteps = 4096;
  static constexpr uint64_t kReturnAddress = 8;

  bool enter(Frame f, uint32_t& number) {
    const auto at = std::find(code_.frames.begin(), code_.frames.end(), f);
    number = static_cast<uint32_t>(at - code_.frames.begin()) + 1;
    if (at == code_.frames.end()) code_.frames.push_back(f);
    return code_.frames.size() <= kMostFrames;
  }
  bool count(BlockId id, uint64_t n, uint32_t frame) {
    const auto [at, added] = position_.insert(id.value);
    if (added) {
      *at = static_cast<uint32_t>(code_.blocks.size());
      code_.blocks.push_back({id, 0, 0});
      code_.frame_of.push_back(frame);
    }
    code_.blocks[*at].count += n;
    code_.executions += n;
    const std::pair other{*at, frame};
    if (code_.frame_of[*at] != frame &&
        std::find(code_.others.begin(), code_.others.end(), other) == code_.others.end())
      code_.others.push_back(other);
    return code_.blocks.size() <= kMostBlocks;
  }

  Code code_;
  FlatMap<uint32_t, uint32_t> position_;  // by block
  uint32_t now_ = 0;                      // frame
  size_t steps_ = 0;
};

std::unique_ptr<SymbolFrames::Code>& SymbolFrames::known(uint32_t symbol) {
  Known& all = is_rule(symbol) ? rules_ : stretches_;
  const uint32_t i = is_rule(symbol) ? rule_of(symbol) : stretch_of(symbol);
  if (i >= all.size()) all.resize(i + 1);
  return all[i];
}

const SymbolFrames::Code& SymbolFrames::of(uint32_t symbol) {
  const std::unique_ptr<Code>& c = known(symbol);
  return c ? *c : find(symbol, 0);
}

const SymbolFrames::Code& SymbolFrames::find(uint32_t symbol, unsigned deep) {
  Builder builder;
  bool usable = deep <= kDeepest && shapes_.of(symbol).level();
  if (usable && is_rule(symbol))
    for (const Run& r : paths_.grammar().body(rule_of(symbol))) usable = usable && add(builder, r, deep + 1);
  else if (usable)
    usable = add_stretch(builder, stretch_of(symbol));
  usable = usable && builder.is_back() && (entries_ += builder.code().blocks.size()) <= kMostEntries;
  std::unique_ptr<Code>& c = known(symbol);
  c = std::make_unique<Code>();
  if (usable) *c = std::move(builder.code());
  c->usable = usable;
  return *c;
}

bool SymbolFrames::add(Builder& to, Run run, unsigned deep) {
  if (deep > kDeepest) return false;
  if (shapes_.of(run.symbol).level()) {
    const std::unique_ptr<Code>& c = known(run.symbol);
    return to.add(c ? *c : find(run.symbol, deep), run.count);
  }
  for (; run.count > 0; --run.count) {
    if (!is_rule(run.symbol)) {
      if (!add_stretch(to, stretch_of(run.symbol))) return false;
      continue;
    }
    for (const Run& r : paths_.grammar().body(rule_of(run.symbol)))
      if (!add(to, r, deep + 1)) return false;
  }
  return true;
}

bool SymbolFrames::add_stretch(Builder& to, uint32_t stretch) {
  const trace::StretchIndex& stretches = paths_.stretches();
  const auto blocks = stretches.blocks(stretch);
  for (uint32_t i = 0; i < blocks.size(); ++i) {
    const BlockModel& model = stretches.model(blocks[i]);
    const EventKind then = stretches.follows(stretch, i);
    // What is bound to follow comes later.
    if (then != model.then) return false;
    if (blocks_.watched[blocks[i].value] || !to.execute(model, blocks[i]) || !to.follow(then, blocks[i])) return false;
    if (blocks_.ordering[blocks[i].value]) to.order();
  }
  return true;
}

}  // namespace cdr::analysis

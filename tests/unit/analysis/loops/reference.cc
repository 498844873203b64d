// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/analysis/loops/reference.h"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

namespace cdr::reference {

namespace {

struct Triple {
  size_t start, body, times;
  size_t span() const { return body * times; }
  size_t end() const { return start + span(); }
};

// One string in which loops are picked, one by one.
class Picking {
 public:
  explicit Picking(const Words& text) : text_(text), taken_(text.size(), false) {}

  bool pick(const std::optional<Triple>& triple) {
    if (!triple) return false;
    picked_[triple->start] = *triple;
    std::fill(taken_.begin() + triple->start, taken_.begin() + triple->end(), true);
    return true;
  }

  // Both are in order of the starts: a later one wins only if it is better.
  template <class Better>
  std::optional<Triple> best_clipped(size_t body_from, size_t body_to, Better better) const {
    std::optional<Triple> best;
    for (size_t start = 0; start < text_.size(); ++start)
      for (size_t body = body_from; body <= body_to; ++body)
        if (const auto t = clipped_at(start, body); t && (!best || better(*t, *best))) best = t;
    return best;
  }
  template <class Better>
  std::optional<Triple> best_whole(Better better) const {
    std::optional<Triple> best;
    for (size_t start = 0; start < text_.size(); ++start)
      for (size_t body = 1; body <= text_.size() / 2; ++body)
        if (const auto t = whole_at(start, body); t && (!best || better(*t, *best))) best = t;
    return best;
  }

  // The text with each loop as one word; `inside` makes the word's body of the first iteration.
  template <class Inside>
  Words reduced(Inside inside) const {
    Words out;
    for (size_t at = 0; at < text_.size();) {
      const auto found = picked_.find(at);
      if (found == picked_.end()) {
        out.push_back(text_[at++]);
        continue;
      }
      const Triple& t = found->second;
      const Words body(text_.begin() + t.start, text_.begin() + t.start + t.body);
      out.push_back("(" + inside(body) + ")^" + std::to_string(t.times));
      at = t.end();
    }
    return out;
  }

 private:
  bool same(size_t a, size_t b, size_t length) const {
    return std::equal(text_.begin() + a, text_.begin() + a + length, text_.begin() + b);
  }
  bool primitive(size_t start, size_t body) const {
    for (size_t part = 1; part < body; ++part)
      if (body % part == 0 && same(start, start + part, body - part)) return false;
    return true;
  }
  // How often the word text[start, start + body) stands there, one behind the other, before `end`.
  size_t times(size_t start, size_t body, size_t end) const {
    size_t n = 1;
    while (start + (n + 1) * body <= end && same(start, start + n * body, body)) ++n;
    return n;
  }

  // A run clipped to a free piece, at its first position.
  std::optional<Triple> clipped_at(size_t start, size_t body) const {
    if (taken_[start]) return {};
    size_t end = start;
    while (end < text_.size() && !taken_[end]) ++end;
    if (start + 2 * body > end) return {};
    const bool first_of_piece = start == 0 || taken_[start - 1];
    if (!first_of_piece && text_[start - 1] == text_[start - 1 + body]) return {};
    const Triple t{start, body, times(start, body, end)};
    return t.times >= 2 && primitive(start, body) ? std::optional(t) : std::nullopt;
  }
  // A PM-triple of the whole string that meets no picked loop.
  std::optional<Triple> whole_at(size_t start, size_t body) const {
    if (start + 2 * body > text_.size()) return {};
    if (start >= body && same(start - body, start, body)) return {};
    const Triple t{start, body, times(start, body, text_.size())};
    if (t.times < 2 || !primitive(start, body)) return {};
    for (size_t at = t.start; at < t.end(); ++at)
      if (taken_[at]) return {};
    return t;
  }

  const Words& text_;
  std::vector<bool> taken_;
  std::map<size_t, Triple> picked_;  // by start
};

// Equal in both: the leftmost.
bool longer_body(const Triple& a, const Triple& b) { return a.body != b.body ? a.body > b.body : a.times > b.times; }
bool longer_span(const Triple& a, const Triple& b) {
  return a.span() != b.span() ? a.span() > b.span() : a.body > b.body;
}

std::string joined(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

}  // namespace

std::string optimal_nest(const Words& text, const Choice& choice) {
  Picking picking(text);
  const auto better = choice.by_span ? longer_span : longer_body;
  while (picking.pick(choice.strict ? picking.best_whole(better) : picking.best_clipped(1, text.size() / 2, better))) {
  }
  return joined(picking.reduced([&](const Words& body) { return optimal_nest(body, choice); }));
}

std::string greedy_nest(const Words& text) {
  Words current = text;
  for (size_t level = 1; level <= current.size() / 2;) {
    Picking picking(current);
    bool any = false;
    while (picking.pick(picking.best_clipped(level, level, longer_body))) any = true;
    if (any) current = Words(picking.reduced(joined));
    level = any ? 1 : level + 1;
  }
  return joined(current);
}

Words letters(const std::string& text) {
  Words out;
  for (const char c : text) out.emplace_back(1, c);
  return out;
}

Words unfolded(const std::string& nest) {
  std::vector<Words> open(1);
  std::istringstream in(nest);
  for (std::string item; in >> item;) {
    while (item[0] == '(') open.emplace_back(), item.erase(0, 1);
    std::vector<size_t> counts;
    for (size_t caret; (caret = item.rfind(")^")) != std::string::npos; item.erase(caret))
      counts.insert(counts.begin(), std::stoul(item.substr(caret + 2)));
    open.back().push_back(item);
    for (const size_t count : counts) {
      const Words body = std::move(open.back());
      open.pop_back();
      for (size_t i = 0; i < count; ++i) open.back().insert(open.back().end(), body.begin(), body.end());
    }
  }
  return open.at(0);
}

}  // namespace cdr::reference

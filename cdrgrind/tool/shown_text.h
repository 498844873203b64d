// SPDX-License-Identifier: GPL-2.0-or-later
// A name as a message can show it: no terminal obeys it, and the message stays one line (base/visible_text.h).
#ifndef CDRGRIND_TOOL_SHOWN_TEXT_H
#define CDRGRIND_TOOL_SHOWN_TEXT_H

#include <string_view>
#include <vector>

#include "cdrgrind/base/visible_text.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

class ShownText {
 public:
  explicit ShownText(std::string_view name) {
    put_visible(name, [this](std::string_view piece) { text_.insert(text_.end(), piece.begin(), piece.end()); });
    text_.push_back(0);
  }
  explicit ShownText(const HChar* name) : ShownText(std::string_view(name, VG_(strlen)(name))) {}
  // Lives as long as this does.
  const HChar* text() const { return text_.data(); }

 private:
  std::vector<HChar> text_;
};

}  // namespace cdr::tool

#endif

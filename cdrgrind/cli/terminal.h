// SPDX-License-Identifier: GPL-2.0-or-later
// What standard output is: its width, whether it takes colours and box-drawing characters.
#ifndef CDRGRIND_CLI_TERMINAL_H
#define CDRGRIND_CLI_TERMINAL_H

namespace cdr::cli {

enum class ColorMode { kAuto, kAlways, kNever };

struct Terminal {
  unsigned width = 80;
  bool color = false;
  bool utf8 = false;
};

// Standard output leads to this terminal in the end, though not itself (pager.h).
void terminal_is(int descriptor);

// kAuto: colours on a terminal, unless NO_COLOR is set and not empty or TERM is "dumb".
Terminal terminal_of_stdout(ColorMode mode);

}  // namespace cdr::cli

#endif

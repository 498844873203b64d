// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/terminal.h"

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <string_view>

namespace cdr::cli {

namespace {

int terminal = STDOUT_FILENO;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool takes_color(ColorMode mode) {
  if (mode != ColorMode::kAuto) return mode == ColorMode::kAlways;
  return isatty(terminal) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

unsigned width_of_stdout() {
  winsize size{};
  const bool known = ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  return known ? size.ws_col : 80;
}

}  // namespace

void terminal_is(int descriptor) { terminal = descriptor; }

Terminal terminal_of_stdout(ColorMode mode) {
  std::setlocale(LC_CTYPE, "");
  return {width_of_stdout(), takes_color(mode), nl_langinfo(CODESET) == std::string_view("UTF-8")};
}

}  // namespace cdr::cli

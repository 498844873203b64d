// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/completion.h"

#include <cstdio>

#include "cdrgrind/cli/bash_completion.h"
#include "cdrgrind/cli/command.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/usage_text.h"
#include "cdrgrind/cli/zsh_completion.h"

namespace cdr::cli {

namespace {

// Those that parse their own arguments, too.
std::vector<CommandUsage> all_usages(const CommandParser& parser) {
  std::vector<CommandUsage> usages = parser.usages();
  for (CommandUsage& usage : usages) {
    if (usage.name == "help") usage.arguments = ArgumentKind::kCommand;
    if (usage.name != "record") continue;
    usage.arguments = ArgumentKind::kProgram;
    usage.options = options_in(record_help());
  }
  return usages;
}

}  // namespace

int print_completion(const CommandParser& parser, const std::vector<std::string>& arguments) {
  const std::string shell = arguments.size() == 1 ? arguments[0] : "";
  if (shell != "bash" && shell != "zsh") throw Failure(kWrongUse, "completion: name the shell, bash or zsh");
  const auto script = shell == "bash" ? bash_completion : zsh_completion;
  std::fputs(script(all_usages(parser)).c_str(), stdout);
  return kFine;
}

}  // namespace cdr::cli

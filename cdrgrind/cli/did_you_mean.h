// SPDX-License-Identifier: GPL-2.0-or-later
// What somebody meant who typed a word that there is not.
#ifndef CDRGRIND_CLI_DID_YOU_MEAN_H
#define CDRGRIND_CLI_DID_YOU_MEAN_H

#include <string>
#include <string_view>
#include <vector>

namespace cdr::cli {

// The nearest of the known words, by insertions, deletions, substitutions and exchanges of neighbours; a third of the
// letters may be wrong. Of equally near ones the first. Empty: none.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

// "; did you mean 'annotate'?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace cdr::cli

#endif

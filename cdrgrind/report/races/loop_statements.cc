// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/loop_statements.h"

#include <algorithm>
#include <set>

#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/statement_text.h"
#include "cdrgrind/report/common/trimmed.h"
#include "cdrgrind/report/races/atomic_words.h"

namespace cdr::report {
namespace {

bool has_pragma_word(std::string_view text, std::string_view word) { return words_of(text).contains(word); }

// `omp parallel for ...' as the pragma says it, `loop' being the language's word: what the compiler shares out by
// itself.
bool shares_out(std::string_view pragma, std::string_view loop) {
  if (!has_pragma_word(pragma, loop) || has_pragma_word(pragma, "ordered") || has_pragma_word(pragma, "inscan"))
    return false;
  const size_t schedule = pragma.find("schedule");
  if (schedule == std::string_view::npos) return true;
  const std::string_view clause = pragma.substr(schedule, pragma.find(')', schedule) - schedule);
  return has_pragma_word(clause, "static") || has_pragma_word(clause, "auto");
}

// `distribute' alone shares out among teams; of `distribute parallel for' the loop is that of the threads.
bool is_shared_loop(std::string_view pragma) { return shares_out(pragma, "for") || shares_out(pragma, "distribute"); }

// How many loops are shared out as one.
size_t collapsed_loops(std::string_view pragma) {
  const size_t clause = pragma.find("collapse");
  if (clause == std::string_view::npos) return 1;
  const size_t number = pragma.find_first_of("0123456789", clause);
  return number == std::string_view::npos ? 1 : std::max<size_t>(pragma[number] - '0', 1);
}

bool is_in_chunks(std::string_view pragma) {
  const size_t schedule = pragma.find("schedule");
  if (schedule == std::string_view::npos) return false;
  const std::string_view clause = pragma.substr(schedule, pragma.find(')', schedule) - schedule);
  const size_t comma = clause.find(',');
  return comma != std::string_view::npos && trimmed(clause.substr(comma + 1)) != "1";
}

// The strings of a line that are a pragma's text.
std::vector<std::string_view> pragma_strings(std::string_view raw) {
  std::vector<std::string_view> found;
  for (size_t at = raw.find("\"omp "); at != std::string_view::npos; at = raw.find("\"omp ", at + 1)) {
    const size_t end = raw.find('"', at + 1);
    if (end == std::string_view::npos) break;
    found.push_back(raw.substr(at + 1, end - at - 1));
    at = end;
  }
  return found;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The loop behind it becomes a function of its own.
bool moves_out(std::string_view directive) {
  return has_pragma_word(directive, "omp") &&
         (has_pragma_word(directive, "for") || has_pragma_word(directive, "taskloop") ||
          has_pragma_word(directive, "distribute"));
}

// A word of a loop in the body, which goes to line `end`; `head`: where the head ends.
bool has_loop(const std::vector<std::string>& code, const Statement& body, size_t head, size_t end) {
  for (size_t line = body.line(); line <= end && line < code.size(); ++line) {
    std::string_view text = code[line];
    if (line == body.line()) text.remove_prefix(body.column());
    const bool directed = line > head && is_directive(code[line - 1]) && moves_out(code[line - 1]);
    if (is_directive(text) || (directed && trimmed(text).starts_with("for"))) continue;
    for (const std::string_view word : {"for", "while", "goto"})
      if (has_pragma_word(text, word)) return true;
  }
  return false;
}

// Of the loops that the directive makes one.
const FortranLoop& innermost_of(const FortranSource& source, const FortranLoop& outermost) {
  const FortranLoop* found = &outermost;
  for (size_t left = collapsed_loops(outermost.directive); left > 1; --left) {
    const auto inner = std::find_if(source.loops.begin(), source.loops.end(), [&](const FortranLoop& l) {
      return l.begin > found->begin && l.end <= found->end;
    });
    if (inner == source.loops.end()) break;
    found = &*inner;
  }
  return *found;
}

}  // namespace

std::vector<LoopLines> worksharing_loops_of(const FortranSource& source) {
  std::vector<LoopLines> found;
  for (const FortranLoop& l : source.loops) {
    if (l.pragma == 0 || l.directive.starts_with("end") || !shares_out(l.directive, "do")) continue;
    const FortranLoop& innermost = innermost_of(source, l);
    found.push_back({l.pragma, l.first, innermost.head, l.last, source.may_nest(innermost), is_in_chunks(l.directive),
                     collapsed_loops(l.directive) > 1});
  }
  return found;
}

std::vector<LoopLines> worksharing_loops_of(std::string_view text) {
  const std::vector<std::string> code = code_lines(text);
  const std::vector<std::string_view> raw = lines_of(text);
  std::vector<LoopLines> found;
  std::set<uint32_t> mixed;  // last lines of those of which only some pragmas share out in chunks
  for (size_t i = 0; i < std::min(code.size(), raw.size()); ++i) {
    std::vector<std::string_view> pragmas;
    std::string joined;
    size_t last = i;
    if (is_directive(code[i])) {
      while (continues_directive(code[last]) && last + 1 < code.size()) joined += code[last++] + " ";
      joined += code[last];
      if (has_pragma_word(joined, "pragma") && has_pragma_word(joined, "omp")) pragmas.push_back(joined);
    } else {
      pragmas = pragma_strings(raw[i]);
    }
    if (pragmas.empty() || !std::all_of(pragmas.begin(), pragmas.end(), is_shared_loop)) continue;
    size_t behind = last + 1;
    while (behind < code.size() && !is_directive(raw[behind]) && !pragma_strings(raw[behind]).empty()) ++behind;
    Statement statement(code, behind);
    if (!statement.at_word("for")) continue;
    Statement body(statement);
    const size_t loop = statement.line();
    const size_t head = body.heads_end(collapsed_loops(pragmas.front())), end = statement.end();
    const bool in_chunks = is_in_chunks(pragmas.front());
    const auto number = [](size_t index) { return static_cast<uint32_t>(index + 1); };
    const bool again = !found.empty() && found.back().last == number(end);
    const bool before = again ? found.back().in_chunks : in_chunks;
    if (std::any_of(pragmas.begin(), pragmas.end(), [&](auto p) { return is_in_chunks(p) != before; }))
      mixed.insert(number(end));
    if (!again)
      found.push_back({number(i), number(loop), number(head), number(end), has_loop(code, body, head, end), in_chunks,
                       collapsed_loops(pragmas.front()) > 1});
  }
  std::erase_if(found, [&](const LoopLines& l) { return mixed.contains(l.last); });
  return found;
}

races::LoopStatement LoopStatements::at(CodeAddr at) {
  if (!modules_.has(at.module)) return {};
  const auto chain = symbols_.inline_chain(at.module.value, at.addr);
  const symbols::SourcePos pos = chain.empty() ? symbols_.line_of(at.module.value, at.addr) : chain.back().pos;
  if (!pos.known()) return {};
  races::LoopStatement statement;
  statement.known = true;
  const File& f = file(pos.file);
  for (size_t i = f.loops.size(); i-- > 0;) {
    const LoopLines& l = f.loops[i];
    if (pos.line < l.first || pos.line > l.last) continue;
    statement.number = f.first_number + static_cast<uint32_t>(i);
    statement.pragma = pos.line < l.loop;
    statement.head = pos.line <= l.head;
    statement.nests = l.nests;
    statement.in_chunks = l.in_chunks;
    statement.is_collapsed = l.is_collapsed;
    break;
  }
  return statement;
}

const LoopStatements::File& LoopStatements::file(std::string_view name) {
  const auto [place, is_new] = files_.try_emplace(std::string(name));
  if (!is_new) return place->second;
  File& f = place->second;
  const auto form = fortran_form(name);
  if (const auto source = symbols_.read_source(name))
    f.loops = form ? worksharing_loops_of(FortranSource(source->text, *form)) : worksharing_loops_of(source->text);
  f.first_number = numbers_ + 1;
  numbers_ += static_cast<uint32_t>(f.loops.size());
  return f;
}

}  // namespace cdr::report

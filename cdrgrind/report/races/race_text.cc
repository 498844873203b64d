// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/race_report.h"

#include <fmt/ranges.h>

#include <map>

#include "cdrgrind/report/races/folded_stack.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

std::string frame_text(const RaceFrame& f) {
  const std::string_view module = symbols::base_name(f.module);
  const std::string name = f.function.empty() ? "???" : visible(f.function);
  if (f.pos.known())
    return fmt::format("{} ({}:{}){}", name, visible(f.pos.file), f.pos.line, f.inlined ? " inlined" : "");
  return fmt::format("{:#x}: {} (in {})", f.ip, name, module.empty() ? "?" : visible(module));
}

void put_stack(const std::vector<RaceFrame>& stack, const RaceTextOptions& options, Output& out) {
  if (options.full_stacks) {
    for (size_t i = 0; i < stack.size(); ++i) out.print("        {} {}\n", i ? "by" : "at", frame_text(stack[i]));
    return;
  }
  for (const StackPart& part : folded_stack(stack)) {
    if (part.frames == 1)
      out.print("        {} {}\n", part.first ? "by" : "at", frame_text(stack[part.first]));
    else
      out.print("        {} {} frames of {}\n", options.style.utf8 ? "…" : "...", part.frames, visible(part.of));
  }
}

void put_side(std::string_view when, const RaceSide& s, const RaceTextOptions& options, Output& out) {
  const std::string_view what = s.free ? "freed" : access_name(s);
  out.print("    {} {}{} by thread {}", when, s.atomic ? "atomic " : "", what, s.thread);
  if (!s.strand.empty()) out.print(" ({})", s.strand);
  if (s.locks.empty())
    out.put(", no locks held\n");
  else
    out.print(", holding {}\n", visible(fmt::format("{}", fmt::join(s.locks, ", "))));
  put_stack(s.stack, options, out);
  if (s.creation.empty()) return;
  out.put("    the task was created\n");
  put_stack(s.creation, options, out);
}

void put_location(const RaceFinding& f, const RaceTextOptions& options, Output& out) {
  if (f.declared.known())
    out.print("    {}{}declared at {}:{}\n", visible(f.type), f.type.empty() ? "" : ", ", visible(f.declared.file),
              f.declared.line);
  if (f.kind == "heap") {
    out.print("    allocated by thread {}\n", f.allocated_by);
    put_stack(f.allocated, options, out);
  }
}

std::string labels_of(const RaceFinding& f) {
  std::string labels(status_name(f));
  if (f.of) labels += fmt::format(" of #{}", f.of);
  if (!f.schedulable && !f.ordered && !f.after_return) labels += ", not schedulable";
  if (f.mixed) labels += ", mixed";
  if (f.adhoc) labels += ", adhoc";
  if (f.lock_order) labels += ", lock-order";
  if (f.iteration) labels += ", iteration";
  if (f.object) labels += ", object";
  if (f.after_free) labels += ", use after free";
  if (f.after_return) labels += ", use after return";
  if (f.stays && f.status == races::Verdict::Status::kArtifact) labels += ", stays";
  return labels;
}

std::string place_of(const RaceSide& s) { return fmt::format("{}:{}", symbols::base_name(s.file), s.line); }

// A line each for those at the end of whose chain it stands.
void put_follower_lines(const RaceFinding& root, const std::vector<const RaceFinding*>& followers, Output& out) {
  if (followers.empty()) return;
  out.print("    {} from #{} (--show-artifacts tells how):\n",
            followers.size() == 1 ? "1 other race follows" : fmt::format("{} other races follow", followers.size()),
            root.id);
  for (const RaceFinding* f : followers)
    out.print("      #{} {}, {} and {}{}\n", f->id, visible(all_variables(*f)), visible(place_of(f->first)),
              visible(place_of(f->second)), f->stays ? ", stays" : "");
}

void put_finding(const RaceFinding& f, const std::vector<const RaceFinding*>& followers, const RaceTextOptions& options,
                 Output& out) {
  out.print("{}\n", painted(fmt::format("#{} {}  ({})", f.id, visible(all_variables(f)), labels_of(f)), Paint::kTitle,
                            options.style));
  out.print("    {} of {}", counted(f.instances, "instance"), counted(f.pairs.size(), "pair of instructions"));
  if (f.addresses.count > 1)
    out.print(", {} addresses from {:#x} by {}", with_separators(f.addresses.count), f.addresses.base,
              f.addresses.stride);
  out.put('\n');
  put_side("first", f.first, options, out);
  put_side("then ", f.second, options, out);
  put_location(f, options, out);
  const char* from = "why:";
  for (const std::string& step : f.reason) {
    out.print("    {} {}\n", from, visible(step));
    from = "from";
  }
  for (const std::string& note : all_notes(f)) out.print("    note: {}\n", visible(note));
  put_follower_lines(f, followers, out);
  out.put('\n');
}

void put_count(std::string_view name, uint64_t n, std::string_view meaning, Output& out) {
  if (n) out.print("{:<14} {}{}\n", name, with_separators(n), meaning);
}

using Followers = std::map<uint32_t, std::vector<const RaceFinding*>>;  // by the root's id

Followers followers_of(const RaceReport& report) {
  Followers all;
  for (const RaceFinding& f : report.findings)
    if (f.status == races::Verdict::Status::kArtifact) all[f.root].push_back(&f);
  return all;
}

}  // namespace

std::string_view status_name(const RaceFinding& f) {
  constexpr std::string_view names[] = {"root", "artifact", "tangle"};
  return names[static_cast<size_t>(f.status)];
}

std::vector<std::string> all_notes(const RaceFinding& f) {
  std::vector<std::string> notes = f.notes;
  for (const uint32_t id : f.possibly)
    if (id && f.status == races::Verdict::Status::kRoot) notes.push_back(fmt::format("possibly follows from #{}", id));
  if (f.tangle && f.tangle != f.id) notes.push_back(fmt::format("one tangle with #{}", f.tangle));
  return notes;
}

std::string counted(uint64_t n, std::string_view noun) {
  std::string text = with_separators(n) + " ";
  const size_t of = noun.find(" of ");
  text += noun.substr(0, of);
  if (n != 1) text += 's';
  return of == std::string_view::npos ? text : text + std::string(noun.substr(of));
}

void write_races(const RaceReport& report, const RaceTextOptions& options, Output& out) {
  out.put(section("Races", options.style));
  for (const auto& [name, value] : options.header) out.print("{:<14} {}\n", name + ":", visible(value));
  put_missing(report.missing, out);
  out.put('\n');
  Followers followers = followers_of(report);
  for (const RaceFinding& f : report.findings) {
    if (f.status == races::Verdict::Status::kArtifact) continue;
    put_finding(f, followers[f.id], options, out);
    if (!options.show_artifacts) continue;
    for (const RaceFinding* follower : followers[f.id]) put_finding(*follower, {}, options, out);
  }
  out.put(section("Summary", options.style));
  const races::RaceSummary& s = report.summary;
  out.print("{:<14} {}\n", "Roots:", with_separators(report.roots));
  put_count("Tangles:", report.tangles, "", out);
  put_count("Artifacts:", report.artifacts, ", which only follow from others", out);
  put_count("Undecided:", report.undecided, "", out);
  put_count("Suppressed:", report.suppressed, "", out);
  put_count("Known:", report.known, ", in the baseline", out);
  put_count("Elsewhere:", report.elsewhere, ", not in the files and functions asked for", out);
  put_count("Outside:", report.left_out, ", with no code of the program on either stack (--scope=all shows them)", out);
  put_count("Adhoc:", s.adhoc, " pairs of instructions, ordered by spin loops alone (--adhoc=race shows them)", out);
  put_count("Atomic:", s.atomic,
            " pairs of instructions, ordered by atomic accesses alone (--atomics=strict shows them)", out);
  if (s.unknown_orders)
    out.print("{:<14} {} atomic instructions of unknown memory order, taken for acquire and release\n",
              "Orders:", with_separators(*s.unknown_orders));
  if (options.is_bare)
    out.print(
        "{:<14} plain stores beside atomic instructions are atomic, for want of the source (--atomics=race: none is)\n",
        "Presumed:");
  put_count("Runtime:", s.runtime, " accesses of the C and C++ libraries to their own data, left out", out);
  put_count("Hide regions:", s.hide_regions, ", whose accesses take part in no race", out);
  put_count("Gaps:", s.gaps, ", in which nothing was recorded", out);
  if (options.tell_way)
    out.print("{:<14} {}{}\n",
              "Way:", s.read_events.empty() ? "on the compact form" : "event by event: ", s.read_events);
  put_missing(report.missing, out);
  if (s.no_operations)
    out.put(
        "OpenMP:        the trace has no operation of its library: judged by threads, and the library is the "
        "program's\n");
  if (!report.unjudged.empty()) out.print("Every race is shown as a root: {}.\n", report.unjudged);
  if (!options.next.empty()) out.print("next: {}\n", visible(options.next));
}

}  // namespace cdr::report

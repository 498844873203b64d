// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/complaint.h"

#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

#include "cdrgrind/cli/failure.h"
#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/trace/read/trace_error.h"

namespace cdr::cli {

namespace {

// `where`: the file, and what was being read if anything was; null: not known. There may be no memory for a text.
int complain_of_memory(const Running& running, const char* where) {
  constexpr const char* kWhat = "out of memory";
  const bool file = !where && !running.file.empty();
  std::fprintf(stderr, "cdrgrind: error: %s%s%s (cdrgrind %s; is there a limit, as of 'ulimit -v'?)\n",
               file ? running.file.c_str() : "", file ? ": " : "", where ? where : kWhat, running.command.c_str());
  return kBadInput;
}

}  // namespace

int complain(const std::string& what, int status) {
  std::fprintf(stderr, "cdrgrind: error: %s\n", cdr::report::visible(what).c_str());
  return status;
}

int guarded(const Running& running, const std::function<int()>& run) {
  try {
    return run();
  } catch (const report::ClosedPipe&) {
    return kFine;
  } catch (const report::OutputError& e) {
    return complain(e.what(), kBadInput);
  } catch (const Failure& e) {
    return complain(e.what(), e.status());
  } catch (const trace::TraceError& e) {
    if (e.problem() == trace::Problem::kNoMemory) return complain_of_memory(running, e.what());
    return complain(e.what(), kBadInput);
  } catch (const std::bad_alloc&) {
    return complain_of_memory(running, nullptr);
  } catch (const std::length_error&) {
    return complain_of_memory(running, nullptr);
  } catch (const std::exception& e) {  // what the system refuses
    return complain(
        (running.file.empty() ? "" : running.file + ": ") + "cdrgrind " + running.command + ": unexpected: " + e.what(),
        kBadInput);
  }
}

}  // namespace cdr::cli

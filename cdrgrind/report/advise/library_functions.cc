// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/library_functions.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cdr::report {
namespace {

using State = regions::LibraryState;

constexpr std::string_view kPrints =
    "its output comes in any order: print behind the loop, or under '#pragma omp ordered'";
constexpr std::string_view kReads = "its place in the file goes on with every call: read before the loop";
constexpr std::string_view kRandR = "rand_r, or a generator for each thread";
constexpr std::string_view kRandomR = "random_r, or a generator for each thread";
constexpr std::string_view kArguments = "read the arguments before the loop";
constexpr std::string_view kWide = "mbrtowc and its like, with a state for each thread";
constexpr std::string_view kEnvironment = "change the environment before the loop; reading it is no danger then";
constexpr std::string_view kSeed48 = "erand48, nrand48 or jrand48 with a state for each thread";
constexpr std::string_view kPread = "read from a place of each iteration's own: pread";
constexpr std::string_view kPwrite = "write to a place of each iteration's own: pwrite";
constexpr std::string_view kStream = "a stream of its own for each thread";
constexpr std::string_view kFortranPrints =
    "its output comes in any order: print behind the loop, or under '!$omp ordered'";
constexpr std::string_view kRandomNumber = "each thread has a sequence of its own: the numbers come in another order";
constexpr std::string_view kBefore = "set it before the loop";

// Ascending by name.
constexpr LibraryFunction kFunctions[] = {
    {"aligned_alloc", State::kAllocator, ""},
    {"asctime", State::kBuffer, "asctime_r, which writes where the caller says"},
    {"calloc", State::kAllocator, ""},
    {"clearenv", State::kProcess, kEnvironment},
    {"crypt", State::kBuffer, "crypt_r, which writes where the caller says"},
    {"ctermid", State::kBuffer, "open files by their paths"},
    {"ctime", State::kBuffer, "ctime_r, which writes where the caller says"},
    {"cuserid", State::kBuffer, "open files by their paths"},
    {"dprintf", State::kOutput, kPrints},
    {"drand48", State::kRandom, "erand48 with a state for each thread"},
    {"ecvt", State::kBuffer, "ecvt_r, which writes where the caller says"},
    {"encrypt", State::kBuffer, "encrypt_r, which writes where the caller says"},
    {"fcvt", State::kBuffer, "fcvt_r, which writes where the caller says"},
    {"fflush", State::kOutput, kPrints},
    {"fgetc", State::kInput, kReads},
    {"fgetpos", State::kInput, kReads},
    {"fgets", State::kInput, kReads},
    {"fgetwc", State::kInput, kReads},
    {"fprintf", State::kOutput, kPrints},
    {"fputc", State::kOutput, kPrints},
    {"fputs", State::kOutput, kPrints},
    {"fputwc", State::kOutput, kPrints},
    {"fputws", State::kOutput, kPrints},
    {"fread", State::kInput, kReads},
    {"free", State::kAllocator, ""},
    {"fscanf", State::kInput, kReads},
    {"fseek", State::kInput, kReads},
    {"fsetpos", State::kInput, kReads},
    {"ftell", State::kInput, kReads},
    {"fwprintf", State::kOutput, kPrints},
    {"fwrite", State::kOutput, kPrints},
    {"gamma", State::kTokens, "lgamma_r"},
    {"gammaf", State::kTokens, "lgamma_r"},
    {"gammal", State::kTokens, "lgamma_r"},
    {"gcvt", State::kBuffer, "snprintf"},
    {"getc", State::kInput, kReads},
    {"getchar", State::kInput, kReads},
    {"getdelim", State::kInput, kReads},
    {"getgrent", State::kBuffer, "getgrent_r, which writes where the caller says"},
    {"getgrgid", State::kBuffer, "getgrgid_r, which writes where the caller says"},
    {"getgrnam", State::kBuffer, "getgrnam_r, which writes where the caller says"},
    {"gethostbyaddr", State::kBuffer, "getaddrinfo"},
    {"gethostbyname", State::kBuffer, "getaddrinfo"},
    {"gethostent", State::kBuffer, "gethostent_r, which writes where the caller says"},
    {"getline", State::kInput, kReads},
    {"getlogin", State::kBuffer, "getlogin_r, which writes where the caller says"},
    {"getmntent", State::kBuffer, "getmntent_r, which writes where the caller says"},
    {"getnetbyname", State::kBuffer, "getnetbyname_r, which writes where the caller says"},
    {"getopt", State::kTokens, kArguments},
    {"getopt_long", State::kTokens, kArguments},
    {"getopt_long_only", State::kTokens, kArguments},
    {"getprotobyname", State::kBuffer, "getprotobyname_r, which writes where the caller says"},
    {"getprotobynumber", State::kBuffer, "getprotobynumber_r, which writes where the caller says"},
    {"getpwent", State::kBuffer, "getpwent_r, which writes where the caller says"},
    {"getpwnam", State::kBuffer, "getpwnam_r, which writes where the caller says"},
    {"getpwuid", State::kBuffer, "getpwuid_r, which writes where the caller says"},
    {"gets", State::kInput, kReads},
    {"getservbyname", State::kBuffer, "getservbyname_r, which writes where the caller says"},
    {"getservbyport", State::kBuffer, "getservbyport_r, which writes where the caller says"},
    {"getspnam", State::kBuffer, "getspnam_r, which writes where the caller says"},
    {"getutent", State::kBuffer, "getutent_r, which writes where the caller says"},
    {"getutid", State::kBuffer, "getutid_r, which writes where the caller says"},
    {"getutline", State::kBuffer, "getutline_r, which writes where the caller says"},
    {"getw", State::kInput, kReads},
    {"gmtime", State::kBuffer, "gmtime_r, which writes where the caller says"},
    {"hcreate", State::kTokens, "hsearch_r, with a table of its own"},
    {"hdestroy", State::kTokens, "hsearch_r, with a table of its own"},
    {"hsearch", State::kTokens, "hsearch_r, with a table of its own"},
    {"inet_ntoa", State::kBuffer, "inet_ntop, which writes where the caller says"},
    {"initstate", State::kRandom, kRandomR},
    {"l64a", State::kBuffer, "snprintf"},
    {"lcong48", State::kRandom, kSeed48},
    {"lgamma", State::kTokens, "lgamma_r"},
    {"lgammaf", State::kTokens, "lgamma_r"},
    {"lgammal", State::kTokens, "lgamma_r"},
    {"localtime", State::kBuffer, "localtime_r, or gmtime_r, which write where the caller says"},
    {"lrand48", State::kRandom, "nrand48 with a state for each thread"},
    {"lseek", State::kInput, kPread},
    {"malloc", State::kAllocator, ""},
    {"mblen", State::kTokens, kWide},
    {"mbstowcs", State::kTokens, kWide},
    {"mbtowc", State::kTokens, kWide},
    {"memalign", State::kAllocator, ""},
    {"mktemp", State::kBuffer, "mkstemp"},
    {"mrand48", State::kRandom, "jrand48 with a state for each thread"},
    {"perror", State::kOutput, kPrints},
    {"posix_memalign", State::kAllocator, ""},
    {"printf", State::kOutput, kPrints},
    {"psignal", State::kOutput, kPrints},
    {"ptsname", State::kBuffer, "ptsname_r, which writes where the caller says"},
    {"putc", State::kOutput, kPrints},
    {"putchar", State::kOutput, kPrints},
    {"putenv", State::kProcess, kEnvironment},
    {"puts", State::kOutput, kPrints},
    {"putw", State::kOutput, kPrints},
    {"pvalloc", State::kAllocator, ""},
    {"qecvt", State::kBuffer, "snprintf"},
    {"qfcvt", State::kBuffer, "snprintf"},
    {"rand", State::kRandom, kRandR},
    {"random", State::kRandom, kRandomR},
    {"read", State::kInput, kPread},
    {"readdir", State::kInput, kStream},
    {"readv", State::kInput, kPread},
    {"realloc", State::kAllocator, ""},
    {"reallocarray", State::kAllocator, ""},
    {"rewind", State::kInput, kReads},
    {"rewinddir", State::kInput, kStream},
    {"scanf", State::kInput, kReads},
    {"seed48", State::kRandom, kSeed48},
    {"seekdir", State::kInput, kStream},
    {"setenv", State::kProcess, kEnvironment},
    {"setkey", State::kBuffer, "setkey_r, which writes where the caller says"},
    {"setlocale", State::kProcess, "set it before the loop; newlocale and uselocale are the thread's own"},
    {"setstate", State::kRandom, kRandomR},
    {"sigaction", State::kProcess, kBefore},
    {"signal", State::kProcess, kBefore},
    {"srand", State::kRandom, kRandR},
    {"srand48", State::kRandom, kSeed48},
    {"srandom", State::kRandom, kRandomR},
    {"strerror", State::kBuffer, "strerror_r, which writes where the caller says"},
    {"strsignal", State::kBuffer, "strerror_r, which writes where the caller says"},
    {"strtok", State::kTokens, "strtok_r, with a place of its own for each string"},
    {"syslog", State::kOutput, kPrints},
    {"telldir", State::kInput, kStream},
    {"tempnam", State::kBuffer, "mkstemp"},
    {"tmpnam", State::kBuffer, "mkstemp"},
    {"ttyname", State::kBuffer, "ttyname_r, which writes where the caller says"},
    {"tzset", State::kProcess, kBefore},
    {"umask", State::kProcess, kBefore},
    {"ungetc", State::kInput, kReads},
    {"unsetenv", State::kProcess, kEnvironment},
    {"valloc", State::kAllocator, ""},
    {"vfprintf", State::kOutput, kPrints},
    {"vfscanf", State::kInput, kReads},
    {"vprintf", State::kOutput, kPrints},
    {"vscanf", State::kInput, kReads},
    {"wcstombs", State::kTokens, kWide},
    {"wctomb", State::kTokens, kWide},
    {"wprintf", State::kOutput, kPrints},
    {"write", State::kOutput, kPwrite},
    {"writev", State::kOutput, kPwrite},
};

// Names of what those call at once, and never return from.
constexpr std::pair<std::string_view, std::string_view> kInner[] = {
    {"add_to_environ", "setenv"},
    {"asctime_internal", "asctime"},
    {"strtok_r", "strtok"},
    {"tz_convert", "localtime"},
};

// What ends the program, or throws.
constexpr std::string_view kEnds[] = {
    "_Exit",
    "_Unwind_Resume",
    "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
    "_ZSt9terminatev",
    "__assert_fail",
    "__assert_perror_fail",
    "__chk_fail",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_pure_virtual",
    "__cxa_rethrow",
    "__cxa_throw",
    "__cxa_throw_bad_array_new_length",
    "__fortify_fail",
    "__stack_chk_fail",
    "_exit",
    "abort",
    "err",
    "errx",
    "exit",
    "pthread_exit",
    "quick_exit",
    "verr",
    "verrx",
};
// By their beginnings: of the C++ library (libstdc++, libc++), of Fortran's, of Rust's.
constexpr std::string_view kEndsBeginWith[] = {
    "_ZN4core9panicking", "_gfortran_error_stop", "_gfortran_os_error", "_gfortran_runtime_error", "_gfortran_stop",
};
constexpr std::string_view kThrows[] = {"__throw_", "__glibcxx_assert_fail"};

// What statements of Fortran become, and members of C++'s streams (libstdc++): by the beginnings and ends of their
// names, the first that fits.
struct NamedByEnds {
  std::string_view front, back;
  LibraryFunction function;
};
constexpr LibraryFunction kIstream = {"std::istream", State::kInput, kReads},
                          kOstream = {"std::ostream", State::kOutput, kPrints};
constexpr NamedByEnds kByEnds[] = {
    // As the recorder calls what stands in their place.
    {"_vgw", "_pthreadZumutexZulock", {"pthread_mutex_lock", State::kOwn, ""}},
    {"_vgw", "_pthreadZumutexZuunlock", {"pthread_mutex_unlock", State::kOwn, ""}},
    // Exceptions that are being handled are each thread's; what is known of the frames' descriptions has a lock.
    {"_Unwind_", "", {"exceptions", State::kOwn, ""}},
    {"__cxa_allocate_exception", "", {"exceptions", State::kOwn, ""}},
    {"__cxa_begin_catch", "", {"exceptions", State::kOwn, ""}},
    {"__cxa_end_catch", "", {"exceptions", State::kOwn, ""}},
    {"__cxa_free_exception", "", {"exceptions", State::kOwn, ""}},
    {"__cxa_rethrow", "", {"exceptions", State::kOwn, ""}},
    {"__cxa_throw", "", {"exceptions", State::kOwn, ""}},
    {"_gfortran_st_write", "", {"write", State::kOutput, kFortranPrints}},
    {"_gfortran_transfer_", "_write", {"write", State::kOutput, kFortranPrints}},
    {"_gfortran_st_read", "", {"read", State::kInput, kReads}},
    {"_gfortran_transfer_",
     "",
     {"transfer", State::kOutput, ""}},  // also behind ..._write; who reads calls st_read, too
    {"_gfortran_random_", "", {"random_number", State::kRandom, kRandomNumber}},
    {"_gfortran_arandom_", "", {"random_number", State::kRandom, kRandomNumber}},
    {"_ZNSi", "", kIstream},
    {"_ZStrs", "", kIstream},
    {"_ZSt7getline", "", kIstream},
    {"_ZNSt13basic_istream", "", kIstream},
    {"_ZNKSt7num_get", "", kIstream},
    {"_ZNSt", "9underflowEv", kIstream},
    {"_ZNSt", "5uflowEv", kIstream},
    {"_ZNSt", "6xsgetnEPcl", kIstream},
    {"_ZN9__gnu_cxx18stdio_sync_filebuf", "9underflowEv", kIstream},
    {"_ZN9__gnu_cxx18stdio_sync_filebuf", "5uflowEv", kIstream},
    {"_ZNSo", "", kOstream},
    {"_ZStls", "", kOstream},
    {"_ZSt16__ostream_insert", "", kOstream},
    {"_ZSt4end", "", kOstream},
    {"_ZSt5flush", "", kOstream},
    {"_ZNSt13basic_ostream", "", kOstream},
    {"_ZNKSt7num_put", "", kOstream},
    {"_ZNSt13basic_filebuf", "", kOstream},
    {"_ZNSt15basic_streambuf", "", kOstream},
    {"_ZNSt15basic_stringbuf", "", kOstream},
    {"_ZNSt12__basic_file", "", kOstream},
    {"_ZNSt9basic_ios", "", kOstream},
    {"_ZNSt8ios_base", "", kOstream},
    {"_ZN9__gnu_cxx18stdio_sync_filebuf", "", kOstream},
    {"_ZN9__gnu_cxx13stdio_filebuf", "", kOstream},
    {"_ZNSt6locale", "", {"std::locale", State::kOwn, ""}},
};

// "puts" of "puts@plt", "puts@@GLIBC_2.2.5".
std::string_view without_version(std::string_view name) { return name.substr(0, name.find('@')); }

// "puts" of "__GI__IO_puts", "printf" of "__printf_chk", "fgets" of "fgets_unlocked".
std::string_view plain_name(std::string_view name) {
  name = without_version(name);
  for (const std::string_view front : {"__GI_", "_IO_", "__", "isoc99_", "isoc23_", "new_", "old_"})
    if (name.starts_with(front)) name.remove_prefix(front.size());
  for (const std::string_view back : {"_chk", "_unlocked"})
    if (name.ends_with(back)) name.remove_suffix(back.size());
  return name;
}

struct ChoiceFunction {
  std::string_view front, back;
  regions::Choice choice;
};
constexpr ChoiceFunction kChoicesByReference[] = {
    {"_ZSt3maxI", "ERKT_S2_S2_", {regions::Operation::kMax, true}},
    {"_ZSt3minI", "ERKT_S2_S2_", {regions::Operation::kMin, true}},
    {"_ZNSt3__13max", "EERKT_S3_S3_", {regions::Operation::kMax, true}},
    {"_ZNSt3__13min", "EERKT_S3_S3_", {regions::Operation::kMin, true}},
};

// With what they are given, a pointer to what may be written or not.
constexpr std::pair<std::string_view, regions::Walk> kWalks[] = {
    {"_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", regions::Walk::kBackwards},
    {"_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", regions::Walk::kBackwards},
    {"_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", regions::Walk::kForwards},
    {"_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", regions::Walk::kForwards},
};

// That go on by links.
constexpr std::string_view kLinkedIterators[] = {
    "St14_List_iteratorI",          "St20_List_const_iteratorI", "St17_Rb_tree_iteratorI",
    "St23_Rb_tree_const_iteratorI", "St18_Fwd_list_iteratorI",   "St24_Fwd_list_const_iteratorI",
};
// Of iterators, without what they are of.
constexpr std::string_view kMoves[] = {"EppEv", "EppEi", "EmmEv", "EmmEi", "EpLEl", "EmIEl"};

}  // namespace

regions::Choice library_choice(std::string_view linkage_name) {
  for (const ChoiceFunction& f : kChoicesByReference)
    if (linkage_name.starts_with(f.front) && linkage_name.ends_with(f.back)) return f.choice;
  const std::string_view name = plain_name(linkage_name);
  const bool max = name.starts_with("fmax");
  if ((!max && !name.starts_with("fmin")) || name.find_first_not_of("flx0123456789", 4) != name.npos) return {};
  return {max ? regions::Operation::kMax : regions::Operation::kMin, false};
}

regions::Walk library_walk(std::string_view linkage_name) {
  const std::string_view name = without_version(linkage_name);
  for (const auto& [known, walk] : kWalks)
    if (name == known) return walk;
  if (name.starts_with("_ZSt4nextI") || name.starts_with("_ZSt4prevI"))
    for (const std::string_view iterator : kLinkedIterators)
      if (name.substr(10).starts_with(iterator)) return regions::Walk::kByDistance;
  // glibc has several of each: __memset_avx2_unaligned.
  const std::string_view plain = plain_name(linkage_name);
  for (const std::string_view stays : {"memset", "memcpy", "memmove", "strcpy", "strncpy", "strcat", "strncat"})
    if (plain == stays || (plain.starts_with(stays) && plain[stays.size()] == '_')) return regions::Walk::kStays;
  return regions::Walk::kNone;
}

bool library_moves_iterator(std::string_view linkage_name) {
  return linkage_name.starts_with("_ZNSt15_Deque_iteratorI") &&
         std::any_of(std::begin(kMoves), std::end(kMoves),
                     [&](std::string_view move) { return linkage_name.ends_with(move); });
}

LibraryFunction library_function(std::string_view linkage_name) {
  for (const NamedByEnds& f : kByEnds)
    if (linkage_name.starts_with(f.front) && linkage_name.ends_with(f.back)) return f.function;
  std::string_view name = plain_name(linkage_name);
  for (const auto& [inner, outer] : kInner)
    if (name == inner) name = outer;
  const auto known = std::lower_bound(std::begin(kFunctions), std::end(kFunctions), name,
                                      [](const LibraryFunction& f, std::string_view n) { return f.name < n; });
  return known != std::end(kFunctions) && known->name == name ? *known : LibraryFunction{name, State::kUnknown, {}};
}

bool sets_errno_alone(std::string_view module, std::string_view linkage_name) {
  const bool is_libm = module.starts_with("libm.so") || module.starts_with("libm-");
  return is_libm && linkage_name.find("gamma") == linkage_name.npos;  // that sets signgam
}

bool never_returns(std::string_view linkage_name) {
  const std::string_view name = without_version(linkage_name);
  const auto has = [&](std::string_view part) { return name.starts_with("_Z") && name.find(part) != name.npos; };
  const auto begins = [&](std::string_view front) { return name.starts_with(front); };
  return std::binary_search(std::begin(kEnds), std::end(kEnds), name) ||
         std::any_of(std::begin(kEndsBeginWith), std::end(kEndsBeginWith), begins) ||
         std::any_of(std::begin(kThrows), std::end(kThrows), has);
}

bool jumps_away(std::string_view linkage_name) {
  const std::string_view name = without_version(linkage_name);
  return name == "longjmp" || name == "siglongjmp" || name == "_longjmp" || name == "__longjmp_chk";
}

}  // namespace cdr::report

/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "cdrgrind/preload/mpi_call.h"

#include <dlfcn.h>
#include <stddef.h>

/* A program without libdl has no MPI. */
#pragma weak dladdr
#pragma weak dlopen
#pragma weak dlsym

/* ---- what the program's library is asked for. Handles are words: an int is passed in the lower half of one. */

typedef struct {
  int (*type_size)(Word, int*);
  int (*comm_rank)(Word, int*);
  int (*comm_size)(Word, int*);
  int (*comm_test_inter)(Word, int*);
  int (*comm_group)(Word, Word*);
  int (*comm_remote_group)(Word, Word*);
  int (*group_size)(Word, int*);
  int (*group_translate_ranks)(Word, int, const int*, Word, int*);
  int (*group_free)(Word*);
  Word world, self;
} Functions;

static Functions functions;
static int ready;

static Word symbol(void* handle, const char* name) { return (Word)dlsym(handle, name); }

/* The linker may have put the library's variable into the program: then that is the one. */
static Word variable(void* handle, const char* name) {
  const Word known = symbol(RTLD_DEFAULT, name);
  return known ? known : symbol(handle, name);
}

/* The library that the wrapped function is in: it need not be in the global scope. */
static void find_functions(const MpiLibrary* library, Word function) {
  Dl_info info;
  void* handle = NULL;
  if (ready || !dladdr || !dlopen || !dlsym) return;
  if (!dladdr((void*)function, &info) || !(handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD))) return;
  functions.type_size = (int (*)(Word, int*))symbol(handle, "PMPI_Type_size");
  functions.comm_rank = (int (*)(Word, int*))symbol(handle, "PMPI_Comm_rank");
  functions.comm_size = (int (*)(Word, int*))symbol(handle, "PMPI_Comm_size");
  functions.comm_test_inter = (int (*)(Word, int*))symbol(handle, "PMPI_Comm_test_inter");
  functions.comm_group = (int (*)(Word, Word*))symbol(handle, "PMPI_Comm_group");
  functions.comm_remote_group = (int (*)(Word, Word*))symbol(handle, "PMPI_Comm_remote_group");
  functions.group_size = (int (*)(Word, int*))symbol(handle, "PMPI_Group_size");
  functions.group_translate_ranks =
      (int (*)(Word, int, const int*, Word, int*))symbol(handle, "PMPI_Group_translate_ranks");
  functions.group_free = (int (*)(Word*))symbol(handle, "PMPI_Group_free");
  functions.world = library->int_handles ? library->world : variable(handle, "ompi_mpi_comm_world");
  functions.self = library->int_handles ? library->self : variable(handle, "ompi_mpi_comm_self");
  dlclose(handle);
  ready = functions.type_size && functions.comm_rank && functions.comm_size && functions.comm_test_inter &&
          functions.comm_group && functions.comm_remote_group && functions.group_size &&
          functions.group_translate_ranks && functions.group_free;
}

/* ---- words for the recorder */

enum { ROOM = 96 };
typedef struct {
  Word what; /* argument or result */
  Word count;
  Word words[ROOM];
} Words;

static void send_words(Words* to) {
  if (to->count) VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_MPI_WORDS, to->what, to->words, to->count, 0, 0);
  to->count = 0;
}
static void put(Words* to, Word word) {
  if (to->count == ROOM) send_words(to);
  to->words[to->count++] = word;
}
static void put_list(Words* to, Word key, Word count) { put(to, key | count << 8); }
static void put_value(Words* to, Word key, Word value) {
  put_list(to, key, 1);
  put(to, value);
}

/* ---- arguments */

typedef struct {
  const MpiLibrary* library;
  const char* parameters;
  Word arguments[CDR_MPI_PARAMETERS];
  Words words;
} Call;

/* The parameter with this letter. */
static const Word* parameter(const Call* call, char letter) {
  int i;
  for (i = 0; call->parameters[i]; ++i)
    if (call->parameters[i] == letter) return &call->arguments[i];
  return NULL;
}
static Word handle(const Call* call, Word argument) {
  return call->library->int_handles ? (Word)(unsigned)argument : argument;
}
static Word handle_at(const Call* call, Word array, Word index) {
  return call->library->int_handles ? (Word)((const unsigned*)array)[index] : ((const Word*)array)[index];
}
static Word rank_word(const Call* call, Word argument) {
  const int rank = (int)argument;
  if (rank == call->library->any_source) return (Word)CDR_MPI_ANY;
  if (rank == call->library->proc_null) return (Word)CDR_MPI_PROC_NULL;
  if (rank == call->library->root) return (Word)CDR_MPI_ROOT_HERE;
  return (Word)(long)rank;
}
static Word tag_word(const Call* call, Word argument) {
  const int tag = (int)argument;
  return tag == call->library->any_tag ? (Word)CDR_MPI_ANY : (Word)(long)tag;
}
static int is_in_place(const Call* call, char letter) {
  const Word* buffer = parameter(call, letter);
  return buffer && *buffer == call->library->in_place;
}

static Word elements(const Call* call, char letter) {
  const Word* count = parameter(call, letter);
  return count && (int)*count > 0 ? (Word)(int)*count : 0;
}
/* An array with a count for each rank. */
static Word sum_of_counts(const Call* call) {
  const int* counts = (const int*)*parameter(call, 'v');
  const Word* comm = parameter(call, 'c');
  Word sum = 0;
  int ranks = 0, i;
  if (!comm || !counts || functions.comm_size(handle(call, *comm), &ranks) != 0) return 0;
  for (i = 0; i < ranks; ++i) sum += counts[i] > 0 ? (Word)counts[i] : 0;
  return sum;
}
static Word bytes_of(const Call* call, Word count, char type) {
  const Word* of = parameter(call, type);
  int size = 0;
  if (!ready || count == 0 || !of || functions.type_size(handle(call, *of), &size) != 0 || size < 0) return 0;
  return count * (Word)size;
}

/* Whether the root alone is asked for the counts that the call has, and this is not it. */
static int counts_are_ignored(const Call* call) {
  const Word* root = parameter(call, 'r');
  if (!root) return 0;
  return (int)*root == call->library->proc_null || (int)*root == call->library->root;
}

/* Of a collective with two sides the one that holds what this rank contributes: of scatters the receiving one. */
static void put_bytes(Call* call, int kind_from_root) {
  const int both = parameter(call, 'n') && parameter(call, 'N');
  const int pair = parameter(call, 'P') != NULL;
  if (counts_are_ignored(call)) return;
  if (pair) {
    put_value(&call->words, CDR_MPI_BYTES, bytes_of(call, elements(call, 'n'), 't'));
    put_value(&call->words, CDR_MPI_RECEIVE_BYTES,
              both ? bytes_of(call, elements(call, 'N'), 'T') : bytes_of(call, elements(call, 'n'), 't'));
  } else if (parameter(call, 'v')) {
    if (ready && !is_in_place(call, 'b'))
      put_value(&call->words, CDR_MPI_BYTES, bytes_of(call, sum_of_counts(call), 't'));
  } else if (both ? (kind_from_root ? !is_in_place(call, 'B') : is_in_place(call, 'b'))
                  : parameter(call, 'N') != NULL) {
    if (!is_in_place(call, 'B')) put_value(&call->words, CDR_MPI_BYTES, bytes_of(call, elements(call, 'N'), 'T'));
  } else if (parameter(call, 'n') && parameter(call, 't')) {
    /* Without a receiving count the root of a gather may have its part in place, and then no type. */
    if (both || parameter(call, 'p') || !is_in_place(call, 'b'))
      put_value(&call->words, CDR_MPI_BYTES, bytes_of(call, elements(call, 'n'), 't'));
  }
}

static void put_argument(Call* call, char letter, Word argument) {
  Words* to = &call->words;
  Word i, count;
  switch (letter) {
    case 'p':
      return put_value(to, CDR_MPI_PEER, rank_word(call, argument));
    case 'P':
      return put_value(to, CDR_MPI_RECEIVE_PEER, rank_word(call, argument));
    case 'g':
      return put_value(to, CDR_MPI_TAG, tag_word(call, argument));
    case 'G':
      return put_value(to, CDR_MPI_RECEIVE_TAG, tag_word(call, argument));
    case 'r':
      return put_value(to, CDR_MPI_ROOT, rank_word(call, argument));
    case 'c':
      return put_value(to, CDR_MPI_COMM, handle(call, argument));
    case 'F':
      return put_value(to, CDR_MPI_COMM, handle_at(call, argument, 0));
    case 'Q':
      return put_value(to, CDR_MPI_REQUESTS, handle_at(call, argument, 0));
    case 'M':
      count = elements(call, 'm');
      put_list(to, CDR_MPI_REQUESTS, count);
      for (i = 0; i < count; ++i) put(to, handle_at(call, argument, i));
      return;
    case 'x':
      return put_value(to, CDR_MPI_MESSAGE, handle_at(call, argument, 0));
    case 'w':
      return put_value(to, CDR_MPI_WINDOW_HANDLE, handle(call, argument));
    case 'V':
      return put_value(to, CDR_MPI_WINDOW_HANDLE, handle_at(call, argument, 0));
    default:
      return;
  }
}

/* ---- results */

static Word status_word(const Call* call, Word statuses, Word index, int offset, Word (*read)(const Call*, Word)) {
  const char* status = (const char*)statuses + index * (Word)call->library->status_bytes;
  return read(call, (Word)(long)*(const int*)(status + offset));
}
static Word source_in(const Call* call, Word statuses, Word index) {
  return status_word(call, statuses, index, call->library->status_source, rank_word);
}
static Word tag_in(const Call* call, Word statuses, Word index) {
  return status_word(call, statuses, index, call->library->status_tag, tag_word);
}
/* 0: the program wants none, and there was no room for our own. */
static Word status_array(const Call* call, char letter) {
  const Word* statuses = parameter(call, letter);
  return !statuses || *statuses == call->library->status_ignore ? 0 : *statuses;
}

static void put_done(Call* call, Word index, Word statuses, Word at) {
  put(&call->words, index);
  put(&call->words, statuses ? source_in(call, statuses, at) : (Word)CDR_MPI_PROC_NULL);
  put(&call->words, statuses ? tag_in(call, statuses, at) : (Word)CDR_MPI_ANY);
}

/* Which of the requests given have completed. */
static void put_completed(Call* call) {
  const Word *flag = parameter(call, 'f'), *index = parameter(call, 'i'), *outcount = parameter(call, 'o');
  const Word* indices = parameter(call, 'I');
  const Word one = status_array(call, 's'), many = status_array(call, 'S');
  Word i, count;
  if (flag) put_value(&call->words, CDR_MPI_FLAG, *(const int*)*flag != 0);
  if (flag && !*(const int*)*flag) return;
  if (outcount) {
    count = *(const int*)*outcount > 0 ? (Word) * (const int*)*outcount : 0;
    put_list(&call->words, CDR_MPI_DONE, 3 * count);
    for (i = 0; i < count; ++i) put_done(call, (Word)((const int*)*indices)[i], many, i);
  } else if (index) {
    if (*(const int*)*index < 0) return; /* MPI_UNDEFINED */
    put_list(&call->words, CDR_MPI_DONE, 3);
    put_done(call, (Word) * (const int*)*index, one, 0);
  } else if (parameter(call, 'M')) {
    count = elements(call, 'm');
    put_list(&call->words, CDR_MPI_DONE, 3 * count);
    for (i = 0; i < count; ++i) put_done(call, i, many, i);
  } else {
    put_list(&call->words, CDR_MPI_DONE, 3);
    put_done(call, 0, one, 0);
  }
}

enum { PIECE = 64 };

/* Ranks of a group in MPI_COMM_WORLD as runs: first, step, how many. */
typedef struct {
  Words* to;
  Word key;
  long first, step, count;
} Runs;
static void put_run(Runs* runs) {
  if (runs->count == 0) return;
  put_list(runs->to, runs->key, 3);
  put(runs->to, (Word)runs->first);
  put(runs->to, (Word)runs->step);
  put(runs->to, (Word)runs->count);
  runs->count = 0;
}
static void add_member(Runs* runs, long rank) {
  if (runs->count == 1) runs->step = rank - runs->first;
  if (runs->count > 1 && rank != runs->first + runs->step * runs->count) put_run(runs);
  if (runs->count == 0) runs->first = rank, runs->step = 0;
  ++runs->count;
}

static void put_members(Call* call, Word key, Word group, Word world) {
  Runs runs = {&call->words, key, 0, 0, 0};
  int size = 0, at, n, i, from[PIECE], ranks[PIECE];
  if (functions.group_size(group, &size) != 0) return;
  for (at = 0; at < size; at += n) {
    n = size - at < PIECE ? size - at : PIECE;
    for (i = 0; i < n; ++i) from[i] = at + i;
    if (functions.group_translate_ranks(group, n, from, world, ranks) != 0) return;
    for (i = 0; i < n; ++i) add_member(&runs, ranks[i]);
  }
  put_run(&runs);
}

/* `made`: the handle of the new one; `comm` has the same members: itself, or what it is a copy of. */
static void put_communicator(Call* call, Word made, Word comm) {
  Word group = 0, world = 0;
  int rank = -1, size = 0, inter = 0;
  if (!ready || functions.comm_test_inter(comm, &inter) != 0) return;
  functions.comm_rank(comm, &rank);
  functions.comm_size(comm, &size);
  put_value(&call->words, CDR_MPI_NEW_COMM, made);
  put_list(&call->words, CDR_MPI_SELF, 3);
  put(&call->words, (Word)(long)rank);
  put(&call->words, (Word)(long)size);
  put(&call->words, (Word)inter);
  if (functions.comm_group(functions.world, &world) != 0) return;
  if (functions.comm_group(comm, &group) == 0) {
    put_members(call, inter ? CDR_MPI_LOCAL_MEMBERS : CDR_MPI_MEMBERS, handle(call, group), handle(call, world));
    functions.group_free(&group);
  }
  if (inter && functions.comm_remote_group(comm, &group) == 0) {
    put_members(call, CDR_MPI_MEMBERS, handle(call, group), handle(call, world));
    functions.group_free(&group);
  }
  functions.group_free(&world);
}

static int is_null_comm(const Call* call, Word comm) {
  return call->library->int_handles ? comm == 0x04000000 : comm == 0;
}

/* Open MPI's MPI_COMM_NULL is an object: it belongs to no rank. */
static void put_new_communicator(Call* call, Word comm) {
  int size = 0;
  if (!ready || is_null_comm(call, comm)) return;
  if (!call->library->int_handles) {
    Dl_info info;
    if (dladdr((void*)comm, &info) && info.dli_saddr == (void*)comm) return; /* a variable of the library */
  }
  if (functions.comm_size(comm, &size) == 0) put_communicator(call, comm, comm);
}

static void put_results(Call* call, int number) {
  int i;
  if (parameter(call, 'Q') || parameter(call, 'M')) {
    if (parameter(call, 's') || parameter(call, 'S')) put_completed(call);
  } else if (parameter(call, 's')) {
    const Word *flag = parameter(call, 'f'), status = status_array(call, 's');
    if (flag) put_value(&call->words, CDR_MPI_FLAG, *(const int*)*flag != 0);
    if (status && (!flag || *(const int*)*flag)) {
      put_list(&call->words, CDR_MPI_STATUS, 2);
      put(&call->words, source_in(call, status, 0));
      put(&call->words, tag_in(call, status, 0));
    }
  }
  for (i = 0; call->parameters[i]; ++i) {
    const Word argument = call->arguments[i];
    if (call->parameters[i] == 'q') put_value(&call->words, CDR_MPI_REQUESTS, handle_at(call, argument, 0));
    if (call->parameters[i] == 'X') put_value(&call->words, CDR_MPI_MESSAGE, handle_at(call, argument, 0));
    if (call->parameters[i] == 'W') put_value(&call->words, CDR_MPI_WINDOW_HANDLE, handle_at(call, argument, 0));
    if (call->parameters[i] == 'C') put_new_communicator(call, handle_at(call, argument, 0));
    if (call->parameters[i] == 'D' && handle_at(call, argument, 0))
      put_communicator(call, handle_at(call, argument, 0), handle(call, *parameter(call, 'c')));
  }
  if (number == 1 || number == 2) { /* MPI_Init, MPI_Init_thread */
    put_list(&call->words, CDR_MPI_LIBRARY, 3);
    put(&call->words, (Word)call->library->library);
    put(&call->words, functions.world);
    put(&call->words, functions.self);
    if (ready) put_communicator(call, functions.world, functions.world);
  }
}

/* ---- the call */

/* Receives from anybody: the status says from whom. The program's own is used if it has one. */
enum { MOST_STATUSES = 512, LARGEST_STATUS = 32 };

static Word call_original(const OrigFn* original, const Word* a) {
  const OrigFn fn = *original;
  Word r;
  CALL_FN_W_12W(r, fn, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
  return r;
}

static Word call_with_statuses(Call* call, const OrigFn* original, int number, char letter, Word count) {
  Word room[(count * LARGEST_STATUS + sizeof(Word)) / sizeof(Word)];
  Word r, i;
  for (i = 0; i < sizeof room / sizeof *room; ++i) room[i] = 0;
  *(Word*)parameter(call, letter) = (Word)room;
  r = call_original(original, call->arguments);
  call->words.what = CDR_MPI_IS_RESULT;
  if ((int)r == 0) put_results(call, number);
  send_words(&call->words);
  return r;
}

static Word call_and_tell(Call* call, const OrigFn* original, int number) {
  const Word *one = parameter(call, 's'), *many = parameter(call, 'S');
  Word r;
  if (one && *one == call->library->status_ignore) return call_with_statuses(call, original, number, 's', 1);
  if (many && *many == call->library->status_ignore && elements(call, 'm') <= MOST_STATUSES)
    return call_with_statuses(call, original, number, 'S', elements(call, 'm'));
  r = call_original(original, call->arguments);
  call->words.what = CDR_MPI_IS_RESULT;
  if ((int)r == 0) put_results(call, number);
  send_words(&call->words);
  return r;
}

Word cdr_mpi_call(const MpiLibrary* library, const OrigFn* original, int number, const char* parameters, Word site,
                  const Word* arguments) {
  Call call;
  Word r, i;
  if (!VALGRIND_DO_CLIENT_REQUEST_EXPR(0, CDR_REQ_MPI_ENTER, number, site, &call, 0, 0))
    return call_original(original, arguments);
  call.library = library;
  call.parameters = parameters;
  for (i = 0; i < CDR_MPI_PARAMETERS; ++i) call.arguments[i] = arguments[i];
  call.words.what = CDR_MPI_IS_ARGUMENT;
  call.words.count = 0;
  find_functions(library, original->nraddr);
  for (i = 0; parameters[i]; ++i) put_argument(&call, parameters[i], arguments[i]);
  put_bytes(&call, (number >= 56 && number <= 57) || number == 76 || number == 77);
  send_words(&call.words);
  r = call_and_tell(&call, original, number);
  VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_MPI_LEAVE, number, (long)(int)r, 0, 0, 0);
  return r;
}

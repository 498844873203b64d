/* SPDX-License-Identifier: GPL-2.0-or-later
 * server -n WORDS -r REQUESTS -t THREADS: main sends requests over socket pairs to readers, which put them into a queue
 * for workers, as many as readers; with -t 4 there are nine threads. A request's words look up keys in a table, or set
 * them; each of its 256 buckets has a mutex, the queue has one and a condition, and the counts have one. What hash was
 * the last is noted without any: that is a race. Irregular: which worker does what is chance. Right if the counts are
 * those of the words, and the replies are as many as were found. */
#include <sys/socket.h>
#include <unistd.h>

#include "tests/bench/programs/kernel.h"

enum { bucket_count = 256, key_count = 2000, key_length = 24, most_words = 50, most_bytes = 1024, most_reply = 2048 };

struct entry {
  struct entry* next;
  char key[key_length];
  unsigned hits;
  char value[key_length];
};

struct bucket {
  pthread_mutex_t lock;
  struct entry* first;
};

struct job {
  struct job* next;
  int socket;
  char text[most_bytes];
};

struct counts {
  size_t found, set, missed;
};

static struct bucket table[bucket_count];
static struct job *queue_first, **queue_last = &queue_first;
static int queue_is_closed;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER, counts_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_is_filled = PTHREAD_COND_INITIALIZER;
static struct counts counts;
static uint32_t last_hash; /* the race */
static int sockets[most_threads][2];

static uint32_t hash_of(const char* key) {
  uint32_t hash = 5381;
  for (; *key; key++) hash = hash * 33 + (unsigned char)*key;
  return hash;
}

static void send_bytes(int socket, const void* from, size_t size) {
  if (write(socket, from, size) != (ssize_t)size) give_up("cannot write to a socket");
}

/* Whether they have come. */
static int receive_bytes(int socket, void* to, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t got = read(socket, (char*)to + done, size - done);
    if (got < 0) give_up("cannot read from a socket");
    if (got == 0) return 0;
    done += (size_t)got;
  }
  return 1;
}

/* With its length before it. */
static void send_text(int socket, const char* text, size_t length) {
  const uint32_t size = (uint32_t)length;
  send_bytes(socket, &size, sizeof size);
  send_bytes(socket, text, length);
}

/* Whether one has come. */
static int receive_text(int socket, char* text, size_t most) {
  uint32_t size;
  if (!receive_bytes(socket, &size, sizeof size)) return 0;
  if (size >= most || !receive_bytes(socket, text, size)) give_up("half a text has come");
  text[size] = 0;
  return 1;
}

static struct entry* entry_of(struct bucket* bucket, const char* key) {
  struct entry* entry = bucket->first;
  while (entry && strcmp(entry->key, key)) entry = entry->next;
  return entry;
}

static struct entry* new_entry(struct bucket* bucket, const char* key) {
  struct entry* const entry = array(1, sizeof *entry);
  snprintf(entry->key, sizeof entry->key, "%s", key);
  entry->next = bucket->first;
  return bucket->first = entry;
}

/* "key" or "key=value". What the reply grows by. */
static size_t look_up(char* word, char* reply, size_t room, struct counts* own) {
  char* const equals = strchr(word, '=');
  if (equals) *equals = 0;
  const uint32_t hash = hash_of(word);
  struct bucket* const bucket = &table[hash % bucket_count];
  int length = 0;
  pthread_mutex_lock(&bucket->lock);
  struct entry* entry = entry_of(bucket, word);
  if (equals) {
    if (!entry) entry = new_entry(bucket, word);
    snprintf(entry->value, sizeof entry->value, "%s", equals + 1);
    own->set++;
  } else if (entry) {
    length = snprintf(reply, room, "%s=%s(%u) ", entry->key, entry->value, ++entry->hits);
    own->found++;
  } else {
    own->missed++;
  }
  pthread_mutex_unlock(&bucket->lock);
  last_hash = hash;
  return (size_t)length;
}

static void put_job(struct job* job) {
  pthread_mutex_lock(&queue_lock);
  *queue_last = job;
  queue_last = &job->next;
  pthread_cond_signal(&queue_is_filled);
  pthread_mutex_unlock(&queue_lock);
}

/* NULL when there will be none. */
static struct job* next_job(void) {
  pthread_mutex_lock(&queue_lock);
  while (!queue_first && !queue_is_closed) pthread_cond_wait(&queue_is_filled, &queue_lock);
  struct job* const job = queue_first;
  if (job && !(queue_first = job->next)) queue_last = &queue_first;
  pthread_mutex_unlock(&queue_lock);
  return job;
}

static void close_queue(void) {
  pthread_mutex_lock(&queue_lock);
  queue_is_closed = 1;
  pthread_cond_broadcast(&queue_is_filled);
  pthread_mutex_unlock(&queue_lock);
}

static void add_counts(const struct counts* own) {
  pthread_mutex_lock(&counts_lock);
  counts.found += own->found;
  counts.set += own->set;
  counts.missed += own->missed;
  pthread_mutex_unlock(&counts_lock);
}

static void answer(struct job* job) {
  char reply[most_reply], *rest = NULL;
  size_t length = 0;
  struct counts own = {0, 0, 0};
  for (char* word = strtok_r(job->text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    length += look_up(word, reply + length, sizeof reply - length, &own);
  add_counts(&own);
  send_text(job->socket, reply, length);
}

static void* work(void* argument) {
  for (struct job* job; (job = next_job());) {
    answer(job);
    free(job);
  }
  return argument;
}

static void* read_requests(void* argument) {
  const int socket = *(int*)argument;
  for (;;) {
    struct job* const job = malloc(sizeof *job);
    if (!job) give_up("out of memory");
    job->next = NULL;
    job->socket = socket;
    if (!receive_text(socket, job->text, sizeof job->text)) return free(job), argument;
    put_job(job);
  }
}

/* Every third word sets its key. */
static void send_request(int socket, uint32_t number) {
  char text[most_bytes];
  size_t length = 0;
  for (uint32_t i = 0; i < kernel.size; i++) {
    const uint32_t random = scrambled(number * most_words + i) >> 8, key = random / 3 % key_count;
    const char* const form = random % 3 ? "key%u " : "key%u=%u ";
    length += (size_t)snprintf(text + length, sizeof text - length, form, key, random);
  }
  send_text(socket, text, length);
}

/* How many words it has. */
static size_t receive_reply(int socket) {
  char reply[most_reply];
  size_t words = 0;
  if (!receive_text(socket, reply, sizeof reply)) give_up("a reply has not come");
  for (const char* at = reply; *at; at++) words += *at == ' ';
  return words;
}

/* One request to each reader at a time. How many words have been answered. */
static size_t ask(void) {
  size_t words = 0;
  for (long at = 0; at < kernel.rounds; at += kernel.threads) {
    const long left = kernel.rounds - at, count = left < kernel.threads ? left : kernel.threads;
    for (long i = 0; i < count; i++) send_request(sockets[i][0], (uint32_t)(at + i));
    for (long i = 0; i < count; i++) words += receive_reply(sockets[i][0]);
  }
  return words;
}

static pthread_t started(void* (*function)(void*), void* argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, function, argument)) give_up("cannot create a thread");
  return thread;
}

/* How many words have been answered. */
static size_t serve(void) {
  pthread_t readers[most_threads], workers[most_threads];
  for (int t = 0; t < kernel.threads; t++) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets[t])) give_up("cannot make sockets");
    readers[t] = started(read_requests, &sockets[t][1]);
    workers[t] = started(work, NULL);
  }
  const size_t words = ask();
  for (int t = 0; t < kernel.threads; t++) shutdown(sockets[t][0], SHUT_WR);
  for (int t = 0; t < kernel.threads; t++) pthread_join(readers[t], NULL);
  close_queue();
  for (int t = 0; t < kernel.threads; t++) pthread_join(workers[t], NULL);
  return words;
}

static int is_hash_of_a_key(uint32_t hash) {
  char key[key_length];
  for (unsigned i = 0; i < key_count; i++) {
    snprintf(key, sizeof key, "key%u", i);
    if (hash_of(key) == hash) return 1;
  }
  return 0;
}

/* Of the keys that have been set, in any order. */
static uint64_t sum_of_keys(void) {
  uint64_t sum = 0;
  for (int i = 0; i < bucket_count; i++)
    for (const struct entry* entry = table[i].first; entry; entry = entry->next) sum += scrambled(hash_of(entry->key));
  return sum;
}

static void free_table(void) {
  for (int i = 0; i < bucket_count; i++)
    for (struct entry *entry = table[i].first, *next; entry; entry = next) {
      next = entry->next;
      free(entry);
    }
}

int main(int argc, char** argv) {
  kernel.rounds = 5600;
  begin(argc, argv, "server", 30);
  if (kernel.size > most_words) give_up("-n is more than 50");
  for (int i = 0; i < bucket_count; i++) pthread_mutex_init(&table[i].lock, NULL);
  const size_t answered = serve();
  const size_t words = kernel.size * (size_t)kernel.rounds;
  const int right =
      answered == counts.found && counts.found + counts.set + counts.missed == words && is_hash_of_a_key(last_hash);
  const uint64_t result = sum_of_keys() * 31 + counts.set;
  free_table();
  return finish(right, result);
}

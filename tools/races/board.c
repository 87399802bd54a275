#include "races/board.h"

#include "job/settings.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

struct board *board;
uint32_t clock_length;
_Thread_local volatile int board_noting;

static struct board_word *words;
static uint32_t *clocks; /* the remaining actors' part of the words' clocks */
static char *meetings;
static size_t meeting_bytes;
static int file = -1;
static uint32_t process;

bool board_give_up(const char *why)
{
    const int error = errno;
    struct races_found *const found = board_map(0, sizeof *found);
    if (!found || atomic_fetch_add(&found->unable, 1) == 0) /* one message for all PEs */
        fprintf(stderr, "copal: races are not detected: %s: %s%s\n", why, strerror(error),
                error == ENOMEM ? "; raise the limit on address space (ulimit -v)" : "");
    return false;
}

/* Opens oshrun's file descriptor, or duplicates the inherited one. */
static int open_file(const char *told)
{
    int launcher, fd;
    char path[64];
    struct stat status;
    if (sscanf(told, "%d:%d", &launcher, &fd) != 2)
        return -1;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", launcher, fd);
    const int own = open(path, O_RDWR | O_CLOEXEC);
    return own < 0 && fstat(fd, &status) == 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : own;
}

void *board_map(uint64_t at, uint64_t bytes)
{
    void *part = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, (off_t)at);
    if (part == MAP_FAILED)
        return NULL;
    madvise(part, bytes, MADV_DONTFORK);
    madvise(part, bytes, MADV_DONTDUMP);
    return part;
}

bool board_written(uint64_t at, uint64_t end, uint64_t *from, uint64_t *to)
{
    const off_t data = lseek(file, (off_t)at, SEEK_DATA);
    const off_t hole = data >= 0 ? lseek(file, data, SEEK_HOLE) : -1;
    *from = (uint64_t)data;
    *to = (uint64_t)hole < end ? (uint64_t)hole : end;
    return data >= 0 && hole >= 0 && *from < end;
}

static off_t byte_of(uint32_t number)
{
    return (off_t)(BOARD_ALIVE_AT + number);
}

/* A live process holds a lock on a byte of the file, which the kernel drops at the end of the process. Process numbers
 * would be ambiguous if PEs are in containers. A process cannot query its own locks. */
static bool is_alive(uint32_t number)
{
    struct flock held = {.l_type = F_WRLCK, .l_start = byte_of(number), .l_len = 1};
    return number == process || fcntl(file, F_GETLK, &held) != 0 || held.l_type != F_UNLCK;
}

bool board_open(int n_pes)
{
    const char *told = setting_text(SETTING_COPAL_RACES);
    if (!told)
        return false;
    file = open_file(told);
    unsetenv(settings[SETTING_COPAL_RACES].name); /* a program that the PE starts is a separate job */
    if (file < 0)
        return board_give_up("the detector's shared file cannot be opened");
    clock_length = board_clock_length(n_pes);
    meeting_bytes = sizeof(struct board_meeting) + 2 * BOARD_RING * clock_length * sizeof(uint32_t);
    words = board_map(BOARD_WORDS_AT, sizeof *words * BOARD_WORDS);
    clocks = board_map(BOARD_CLOCKS_AT, (clock_length - BOARD_NEAR) * sizeof *clocks * BOARD_WORDS);
    meetings = board_map(BOARD_MEETINGS_AT, meeting_bytes * BOARD_MEETINGS);
    struct board *shared = board_map(0, sizeof *shared);
    if (!shared || !words || !clocks || !meetings)
        return board_give_up("the detector's shared file cannot be mapped");
    process = 1 + atomic_fetch_add(&shared->processes, 1);
    if (fcntl(file, F_SETLK, &(struct flock){.l_type = F_WRLCK, .l_start = byte_of(process), .l_len = 1}) != 0)
        return board_give_up("a byte of the detector's shared file cannot be locked");
    uint32_t none = 0;
    atomic_compare_exchange_strong(&shared->actors, &none, (uint32_t)n_pes);
    for (int pe = 0; pe < n_pes && pe < BOARD_ACTORS; pe++) /* all PEs write the same values */
        shared->actor[pe] = (struct board_actor){.pe = (int16_t)pe};
    board = shared;
    return true;
}

void board_sleep(unsigned us)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    usleep(us);
    pthread_setcancelstate(before, &before);
}

uint32_t board_new_actor(struct board_actor actor)
{
    const uint32_t id = atomic_fetch_add(&board->actors, 1);
    if (id < clock_length) {
        board->actor[id] = actor;
        return id;
    }
    atomic_fetch_sub(&board->actors, 1);
    return 0;
}

/* A lock contains the number of its holder's process. If a process is killed while it holds the lock, it may have
 * published a part of its clock, which is harmless. Jobs that outlive their PEs continue. */
static void take(_Atomic uint32_t *lock)
{
    enum { LOOKS = 64 }; /* attempts between two checks that the holder lives */
    const uint32_t mine = process;
    uint32_t holder = 0;
    for (unsigned n = 1; !atomic_compare_exchange_weak_explicit(lock, &holder, mine, memory_order_acquire,
                                                                memory_order_relaxed); n++) {
        sched_yield();
        if (holder == 0 || n % LOOKS != 0 || is_alive(holder))
            holder = 0; /* otherwise replaces the dead holder */
    }
}

void board_unlock(_Atomic uint32_t *lock)
{
    atomic_store_explicit(lock, 0, memory_order_release);
}

/* The n-th candidate slot of a word: neighbouring words have neighbouring slots, and each MiB starts at another slot;
 * if two MiB start too close together, one uses its next candidate. */
static inline uint64_t place_of(uint64_t at, uint64_t n)
{
    return (at / 8 + board_hash((at >> 20 << 3 | at % 8) + (n << 60))) % BOARD_WORDS;
}

/* If all candidate slots of a word are in use, it shares the last one: this can hide races, but never reports a false
 * one. A slot is assigned once, under its lock; slots of other words are skipped without the lock. */
struct board_word *board_word(uint64_t at, bool make)
{
    enum { PROBES = 8 };
    for (uint64_t i = 0; i < PROBES; i++) {
        struct board_word *w = words + place_of(at, i);
        const uint64_t taken = atomic_load_explicit(&w->at, memory_order_acquire);
        if (!taken && !make)
            return NULL;
        if (taken && taken != at + 1 && i + 1 < PROBES)
            continue;
        take(&w->lock);
        if (!w->at)
            w->at = at + 1;
        if (w->at == at + 1 || i + 1 == PROBES)
            return w;
        board_unlock(&w->lock);
    }
    return NULL;
}

static uint32_t *rest_of(const struct board_word *w)
{
    return clocks + (size_t)(w - words) * (clock_length - BOARD_NEAR);
}

uint32_t *word_epoch(struct board_word *w, uint32_t actor)
{
    return actor < BOARD_NEAR ? &w->near[actor] : &rest_of(w)[actor - BOARD_NEAR];
}

static uint32_t more_actors(void)
{
    const uint32_t n = atomic_load_explicit(&board->actors, memory_order_relaxed);
    return n > BOARD_NEAR ? n - BOARD_NEAR : 0;
}

void word_tell(struct board_word *w, const uint32_t *clock)
{
    clock_join_some(w->near, clock, BOARD_NEAR);
    clock_join_some(rest_of(w), clock + BOARD_NEAR, more_actors());
}

void word_learn(struct board_word *w, uint32_t *clock)
{
    clock_join_some(clock, w->near, BOARD_NEAR);
    clock_join_some(clock + BOARD_NEAR, rest_of(w), more_actors());
}

struct board_meeting *board_meeting(uint64_t key)
{
    for (uint64_t i = 0;; i++) {
        struct board_meeting *m = (struct board_meeting *)(meetings + (key + i) % BOARD_MEETINGS * meeting_bytes);
        take(&m->lock);
        if (m->key == 0)
            m->key = key;
        if (m->key == key || i == BOARD_MEETINGS) /* shares the last slot, like words */
            return m;
        board_unlock(&m->lock);
    }
}

#include "job/directory/members.h"

#include "job/directory/files.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

struct members members;

static struct {
    pthread_mutex_t lock; /* the thread that watches writes it as well */
    struct record record;
} own = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What copal.all has, with the members behind it. */
struct board {
    uint64_t job;
    int32_t n_pes;
    bool complete;
    uint32_t meetings;
    struct member of[];
};
static struct board *board; /* PE 0: what it tells; the others: what they have read */

/* --- time --------------------------------------------------------------------------------------------------------- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void members_nap(int *ms)
{
    enum { LONGEST = 50 };
    poll(NULL, 0, *ms);
    *ms = *ms < LONGEST ? *ms + 1 + *ms / 4 : LONGEST;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static const char *name_of(char name[16], int pe)
{
    snprintf(name, 16, "%d", pe);
    return name;
}

static bool read_any(int pe, struct record *record)
{
    char name[16];
    return files_read(name_of(name, pe), record, sizeof *record) == sizeof *record;
}

bool members_read(int pe, struct record *record)
{
    return read_any(pe, record) && record->who.ticket == members.of[pe].ticket;
}

/* With the lock. */
static const char *tell(void)
{
    char name[16];
    return files_write(name_of(name, members.pe), &own.record, sizeof own.record);
}

static const char *tell_and_unlock(void)
{
    const char *why = tell();
    pthread_mutex_unlock(&own.lock);
    return why;
}

const char *members_tell_card(const void *card, size_t bytes)
{
    pthread_mutex_lock(&own.lock);
    memcpy(own.record.card, card, bytes);
    own.record.card_bytes = (uint32_t)bytes;
    return tell_and_unlock();
}

const char *members_tell_file(const struct kit_file *file)
{
    pthread_mutex_lock(&own.lock);
    own.record.file = *file;
    return tell_and_unlock();
}

const char *members_tell_life(void)
{
    pthread_mutex_lock(&own.lock);
    own.record.beats++;
    return tell_and_unlock();
}

static size_t board_bytes(void)
{
    return sizeof *board + (size_t)members.n * sizeof board->of[0];
}

/* Another process with this PE's number has come later. */
static bool is_displaced(void)
{
    struct record record;
    return read_any(members.pe, &record) && record.who.ticket != own.record.who.ticket;
}

/* --- gathering ---------------------------------------------------------------------------------------------------- */

/* "PEs 1, 4 and 7 have", or the first ones. */
static const char *name_missing(char text[120], const bool *here)
{
    enum { MOST = 6 };
    int missing[MOST + 1] = {0}, n = 0;
    for (int pe = 0; pe < members.n && n <= MOST; pe++)
        if (!here[pe])
            missing[n++] = pe;
    int used = snprintf(text, 120, "PE%s %d", n == 1 ? "" : "s", missing[0]);
    for (int i = 1; i < n && i < MOST; i++)
        used += snprintf(text + used, 120 - (size_t)used, "%s%d", i + 1 < n ? ", " : " and ", missing[i]);
    snprintf(text + used, 120 - (size_t)used, "%s ha%s", n > MOST ? " and others" : "", n == 1 ? "s" : "ve");
    return text;
}

static const char *say_missing(const bool *here)
{
    char names[120], note[120] = "";
    struct record record;
    for (int pe = 1; pe < members.n && !*note; pe++)
        if (!here[pe] && read_any(pe, &record) && record.n_pes != members.n)
            snprintf(note, sizeof note, " (a PE %d has, of a job of %d PEs)", pe, record.n_pes);
    return kit_sentence("%s not come to %s within %d s%s; each of the %d PEs is started with its own SHMEM_BOOT_PE, "
                        "the same SHMEM_BOOT_PES and the same folder SHMEM_BOOT_DIRECTORY",
                        name_missing(names, here), files_folder(), members.timeout, note, members.n);
}

static const char *say_displaced(void)
{
    return kit_sentence("another process has come to %s as PE %d: each has a SHMEM_BOOT_PE of its own, and each job "
                        "that runs at a time its own folder SHMEM_BOOT_DIRECTORY", files_folder(), members.pe);
}

/* PE 0: takes in who has come. How many have seen that they are in. */
static int take_in(bool *here, bool *news)
{
    int n = 1;
    for (int pe = 1; pe < members.n; pe++) {
        struct record record;
        if (here[pe] || !read_any(pe, &record) || record.n_pes != members.n) {
            n += here[pe];
            continue;
        }
        *news |= board->of[pe].ticket != record.who.ticket;
        board->of[pe] = record.who;
        here[pe] = record.job == board->job;
        n += here[pe];
    }
    return n;
}

static const char *gather_all(bool *here)
{
    const int64_t deadline = now_ms() + 1000 * (int64_t)members.timeout;
    const char *why = NULL;
    here[0] = true;
    board->job = own.record.who.ticket;
    board->n_pes = members.n;
    board->of[0] = own.record.who;
    for (int ms = 1; !board->complete && !why; members_nap(&ms)) {
        bool news = false;
        board->complete = take_in(here, &news) == members.n;
        if (is_displaced())
            why = say_displaced();
        else if (board->complete || news)
            why = files_write("all", board, board_bytes());
        else if (now_ms() > deadline)
            why = say_missing(here);
    }
    return why;
}

/* Whether copal.all is of a PE 0 that has seen this process. */
static bool is_seen(void)
{
    return files_read("all", board, board_bytes()) == board_bytes() && board->n_pes == members.n &&
           board->of[members.pe].ticket == own.record.who.ticket;
}

static const char *wait_to_be_seen(void)
{
    const int64_t deadline = now_ms() + 1000 * (int64_t)members.timeout;
    const char *why = NULL;
    for (int ms = 1; !why; members_nap(&ms)) {
        const bool seen = is_seen();
        if (seen && board->complete)
            return NULL;
        if (seen && own.record.job != board->job) {
            own.record.job = board->job;
            why = tell();
        } else if (is_displaced()) {
            why = say_displaced();
        } else if (now_ms() > deadline) {
            why = kit_sentence(own.record.job ? "PE 0 has seen this process in %s, but not all others, within %d s"
                                              : "PE 0 has not seen this process in %s within %d s; is it started, "
                                                "with the same folder SHMEM_BOOT_DIRECTORY and the same "
                                                "SHMEM_BOOT_PES?",
                               files_folder(), members.timeout);
        }
    }
    return why;
}

const char *members_gather(void)
{
    bool *here = calloc((size_t)members.n, sizeof *here);
    free(board);
    board = calloc(1, board_bytes());
    own.record = (struct record){.n_pes = members.n, .who.pid = getpid()};
    if (!board || !here || getrandom(&own.record.who.ticket, sizeof own.record.who.ticket, 0) < 0)
        return kit_sentence("no memory for a job of %d PEs", members.n);
    kit_find_place(&own.record.who.place);
    members.of = board->of;
    const char *why = tell();
    if (!why)
        why = members.pe == 0 ? gather_all(here) : wait_to_be_seen();
    free(here);
    members.job = board->job;
    if (why && !is_displaced())
        members_leave(false);
    return why;
}

/* --- meeting ------------------------------------------------------------------------------------------------------ */

static const char *count_all(uint32_t meeting)
{
    const int64_t deadline = now_ms() + 1000 * (int64_t)members.timeout;
    int pe = 1;
    for (int ms = 1; pe < members.n; members_nap(&ms)) {
        struct record record;
        while (pe < members.n && members_read(pe, &record) && record.meetings >= meeting)
            pe++;
        if (pe < members.n && now_ms() > deadline)
            return kit_sentence("PE %d, process %d on %s, has not come within %d s", pe, members.of[pe].pid,
                                members.of[pe].place.host, members.timeout);
    }
    board->meetings = meeting;
    return files_write("all", board, board_bytes());
}

/* PE 0 is to be the one that says who is missing. */
static const char *wait_for_count(uint32_t meeting)
{
    enum { LATER_MS = 5000 };
    const int64_t deadline = now_ms() + 1000 * (int64_t)members.timeout + LATER_MS;
    struct board head = {0};
    for (int ms = 1; head.job != members.job || head.meetings < meeting; members_nap(&ms)) {
        if (now_ms() > deadline)
            return kit_sentence("PE 0, process %d on %s, has not let the others go on within %d s", members.of[0].pid,
                                members.of[0].place.host, members.timeout);
        files_read("all", &head, sizeof head);
    }
    return NULL;
}

const char *members_meet(void)
{
    pthread_mutex_lock(&own.lock);
    const uint32_t meeting = ++own.record.meetings;
    const char *why = tell_and_unlock();
    if (why)
        return why;
    return members.pe == 0 ? count_all(meeting) : wait_for_count(meeting);
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

struct end {
    uint64_t job;
    int32_t pe, code;
};

static bool read_end(struct end *end)
{
    return files_read("end", end, sizeof *end) == sizeof *end && end->job == members.job;
}

void members_end_job(int code)
{
    struct end end;
    pthread_mutex_lock(&own.lock);
    if (!read_end(&end)) {
        end = (struct end){.job = members.job, .pe = members.pe, .code = code};
        files_write("end", &end, sizeof end); /* if that fails, the others hear no sign of life */
    }
    pthread_mutex_unlock(&own.lock);
}

bool members_job_ended(int *pe, int *code)
{
    struct end end;
    if (!read_end(&end))
        return false;
    *pe = end.pe;
    *code = end.code;
    return true;
}

void members_leave(bool in_order)
{
    const int64_t deadline = now_ms() + 1000 * (int64_t)members.timeout;
    char name[16];
    struct record record;
    pthread_mutex_lock(&own.lock);
    files_remove(name_of(name, members.pe));
    pthread_mutex_unlock(&own.lock);
    if (members.pe != 0)
        return;
    int pe = 1;
    for (int ms = 1; in_order && pe < members.n && now_ms() < deadline; members_nap(&ms))
        while (pe < members.n && !members_read(pe, &record))
            pe++;
    files_remove("all");
    if (in_order)
        files_remove("end"); /* of an earlier job */
}

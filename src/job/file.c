/* A job of oshrun that SHMEM_NODES cuts into nodes: for tests, of programs and of the network, on one machine.
 *
 * The PEs have one job file, whose seats serve oshrun and start-up; but memory is shared within a node only, and the nodes reach
 * each other through the network as if they were machines. */
#include "job/boot.h"
#include "job/self.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- SHMEM_NODES ----------------------------------------------------------------------------------------------------- */

static _Noreturn void nonsense(const char *text, int n_pes)
{
    job_fatal("shmem_init", "environment variable SHMEM_NODES is \"%s\", allowed for %d PEs is a number of nodes from 1 to %d, or "
              "the number of PEs on each node, as in 3+1", text, n_pes, n_pes);
}

/* "3+1": the PEs of each node. */
static void place_by_list(struct boot_place *place, const char *text)
{
    int first = 0, size_of_first = 0, nodes = 0, node_of_me = -1;
    bool uniform = true;
    for (const char *at = text; *at; nodes++) {
        char *end;
        const long n = strtol(at, &end, 10);
        if (*at < '0' || *at > '9' || (*end != '+' && *end) || (*end == '+' && !end[1]) || n < 1 || n > place->n_pes - first)
            nonsense(text, place->n_pes);
        at = *end ? end + 1 : end;
        size_of_first = nodes ? size_of_first : (int)n;
        uniform = uniform && (n == size_of_first || (n < size_of_first && !*at));
        if (place->pe >= first && place->pe < first + n) {
            place->first = first;
            place->n_local = (int)n;
            node_of_me = nodes;
        }
        first += (int)n;
    }
    if (first != place->n_pes || node_of_me < 0)
        nonsense(text, place->n_pes);
    place->node_size = uniform ? size_of_first : 1;
}

static void place_by_number(struct boot_place *place, const char *text)
{
    char *end;
    const long nodes = strtol(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || nodes < 1 || nodes > place->n_pes)
        nonsense(text, place->n_pes);
    const int n = (int)nodes, size = (place->n_pes + n - 1) / n;
    if ((place->n_pes + size - 1) / size == n) { /* equal ones, but perhaps for the last */
        place->first = place->pe / size * size;
        place->n_local = place->n_pes - place->first < size ? place->n_pes - place->first : size;
        place->node_size = size;
        return;
    }
    /* So many PEs for each would leave the last nodes without any, as 4 PEs on 3 nodes: 2+1+1. */
    const int larger = place->n_pes % n, in_larger = larger * size;
    const bool mine = place->pe < in_larger;
    place->n_local = mine ? size : size - 1;
    place->first = mine ? place->pe / size * size : in_larger + (place->pe - in_larger) / (size - 1) * (size - 1);
    place->node_size = 1;
}

bool boot_file_wanted(struct boot_place *place, int pe, int n_pes)
{
    const char *text = getenv("SHMEM_NODES");
    if (!text || !*text || n_pes == 1)
        return false;
    *place = (struct boot_place){.pe = pe, .n_pes = n_pes, .launcher = "oshrun"};
    if (strchr(text, '+'))
        place_by_list(place, text);
    else
        place_by_number(place, text);
    return place->n_local < n_pes;
}

/* --- the interface --------------------------------------------------------------------------------------------------- */

struct card {
    uint64_t bytes;
    char data[BOOT_CARD_BYTES];
};
_Static_assert(sizeof(struct card) == JOB_CARD_BYTES, "cards fit in the job file");

static void publish(const void *data, size_t bytes)
{
    struct card card = {.bytes = bytes};
    memcpy(card.data, data, bytes);
    if (pwrite(self.fd, &card, sizeof card, (off_t)job_card_offset(self.n_pes, self.pe)) != sizeof card)
        job_fatal("shmem_init", "cannot write to the job file: %s", strerror(errno));
}

static size_t lookup(int pe, void *data, size_t room, const char **why)
{
    struct card card;
    if (pread(self.fd, &card, sizeof card, (off_t)job_card_offset(self.n_pes, pe)) != sizeof card || card.bytes == 0 ||
        card.bytes > room) {
        *why = "it has published nothing";
        return 0;
    }
    memcpy(data, card.data, card.bytes);
    return card.bytes;
}

static const char *host(int pe, char *text, size_t room)
{
    (void)pe;
    if (gethostname(text, room) != 0)
        snprintf(text, room, "this machine");
    return text;
}

/* oshrun sees to the ends of PEs and of the job. */
static void leave_to_oshrun(int code, const char *text)
{
    (void)code, (void)text;
}

static void nothing(void)
{
}

static void no_watch(void (*died)(int pe, const char *why))
{
    (void)died;
}

const struct boot boot_file = {.version = BOOT_VERSION, .publish = publish, .fence = job_barrier_here, .lookup = lookup,
                               .host = host, .abort = leave_to_oshrun, .end = nothing, .watch = no_watch, .unwatch = nothing};

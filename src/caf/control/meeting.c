/* The barrier of all images on two or three nodes.
 *
 * A put to another node would be a message and an acknowledgement of its own before a synchronization, which sends
 * messages itself; on oversubscribed processors every message is a context switch too.  Small puts are therefore held
 * back (access/held.h).  When all images of a node have entered the synchronization, the node's leader sends all their
 * held puts to the leader of each other node, in the one message that it sends anyway.  That image executes the puts on
 * the memory of its node's images, which wait.  If there were any puts, the leaders exchange a second signal, because
 * no image may continue before all puts are made.
 *
 * Nodes may be parts of one machine. Images are distributed round-robin over its processors by their PE numbers.
 * Leaders should not share a processor: the leader of node k is the node's image whose PE number equals k modulo 4. If
 * the node has no such image, it is the one whose PE number equals k modulo 2, or else the first.
 *
 * Jobs on more than three nodes do not use this barrier, because rounds take fewer messages. Nor do jobs with many
 * images, which would hold too many puts to forward. */
#include "meeting.h"
#include "../access/held.h"
#include "../memory/heap.h"
#include "attempt.h"

#include <shcoll.h>

#include <stdlib.h>
#include <string.h>

bool caf_meets;

#if CAF_HAVE_BLOCKS

enum { NODES_MOST = 3, IMAGES_MOST = 64, MESSAGE_MOST = 32000 };

/* One per image; symmetric.
 *
 * No image leaves a barrier before all have entered it: while an image is in barrier k, another may be in k + 1, and
 * none is in k + 2.  Data of barrier k are read before their reader enters k + 1, so `word`, `come`, `made` and the
 * inboxes need two sets, used alternately.  `arrived` and `released` only grow and need one: an image adds to `arrived`
 * for k + 1 after the node's leader has released it from k. Before this, the leader has read the count of k. */
struct meeting {
    uint64_t first, size; /* the node's first image and number of images */
    uint64_t word[2];
    _Alignas(64) uint64_t arrived; /* at the node's leader: arrivals of its other images, over all barriers */
    _Alignas(64) uint64_t come[2], made[2]; /* at the node's leader: messages from other nodes */
    _Alignas(64) uint64_t released;         /* the number of the barrier that this image may leave */
};

struct message {
    uint64_t word; /* from the node's last image, for the next node's first */
    uint32_t any;  /* whether images of the node hold puts, for any node */
    uint32_t bytes;
    _Alignas(16) char at[MESSAGE_MOST];
};

static struct meeting *meeting;
static struct caf_held *held; /* symmetric: caf_held, if this barrier is used */
static struct message *inbox; /* symmetric: node i uses i * 2 and i * 2 + 1, in turn */
static struct message *out;
static int n_nodes, here;     /* here: this image's node */
static int first[NODES_MOST + 1], leader[NODES_MOST];
static uint64_t number, come[2], made[2]; /* come, made: the counts to wait for */

static bool is_near(int pe)
{
    return caf_near(pe, meeting) != NULL;
}

void caf_meeting_begin(void)
{
    if (!caf_spans_nodes() || caf_peers_are_far || shmemx_time_is_emulated() || shmem_n_pes() > IMAGES_MOST)
        return;
    meeting = caf_heap_allocate(sizeof *meeting);
    held = caf_heap_allocate(sizeof *held);
    inbox = caf_heap_allocate(2 * NODES_MOST * sizeof *inbox);
    out = malloc(sizeof *out);
    if (!meeting || !held || !inbox || !out)
        caf_fatal("start: no memory for held puts to other nodes");
    *meeting = (struct meeting){0};
    held->bytes = 0;
    for (int i = 0; i < 2 * NODES_MOST; i++)
        inbox[i].word = inbox[i].any = 0;
    for (int pe = shmem_n_pes() - 1; pe >= 0; pe--)
        if (is_near(pe)) {
            meeting->first = (uint64_t)pe;
            meeting->size++;
        }
    shmem_barrier_all(); /* MUTANT nodes are counted first */
}

static int leader_of(int node, int pe, int size)
{
    const int by_four = (node - pe) & 3, at = by_four < size ? by_four : by_four & 1;
    return pe + (at < size ? at : 0);
}

/* Finds each node's first image. Returns the largest node's size; 0: too many nodes, or a node with gaps in its PEs. */
static int find_nodes(void)
{
    int most = 0;
    for (int pe = 0; pe < shmem_n_pes(); pe = first[n_nodes]) {
        const int size = (int)shmem_uint64_g(&meeting->size, pe);
        if (n_nodes == NODES_MOST || shmem_uint64_g(&meeting->first, pe) != (uint64_t)pe)
            return 0;
        here = pe <= caf_my_pe ? n_nodes : here;
        leader[n_nodes] = leader_of(n_nodes, pe, size);
        first[n_nodes++] = pe;
        first[n_nodes] = pe + size;
        most = size > most ? size : most;
    }
    return most;
}

void caf_meeting_find_nodes(void)
{
    const int most = meeting ? find_nodes() : 0;
    caf_meets = most > 1 && n_nodes > 1;
    if (meeting && !caf_meets) {
        caf_heap_free(inbox);
        caf_heap_free(held);
        free(out);
    }
    if (!caf_meets)
        return;
    const size_t share = (size_t)(MESSAGE_MOST / most) / sizeof(struct caf_held_put) * sizeof(struct caf_held_put);
    caf_held_most = share < CAF_HELD_MOST ? share : CAF_HELD_MOST;
    caf_held = held;
    caf_reach_before = caf_release_slowly;
}

/* --- sending ------------------------------------------------------------------------------------------------------ */

static struct caf_held *held_by(int pe)
{
    return (void *)caf_near(pe, caf_held);
}

static bool any_holds(void)
{
    for (int pe = first[here]; pe < first[here + 1]; pe++)
        if (held_by(pe)->bytes)
            return true;
    return false;
}

static void gather_from(struct caf_held *from, int node)
{
    const char *const end = from->at + from->bytes;
    for (struct caf_held_put *p = (void *)from->at; (char *)p < end; p = caf_held_next(p))
        if (p->pe >= first[node] && p->pe < first[node + 1]) {
            const size_t bytes = (size_t)((char *)caf_held_next(p) - (char *)p);
            memcpy(out->at + out->bytes, p, bytes);
            out->bytes += (uint32_t)bytes;
        }
}

static void send_to(int node, bool any, unsigned turn)
{
    const bool is_next = node == (here + 1) % n_nodes;
    const struct meeting *last = (void *)caf_near(first[here + 1] - 1, meeting);
    out->word = is_next ? last->word[turn] : 0;
    out->any = any;
    out->bytes = 0;
    for (int pe = first[here]; any && pe < first[here + 1]; pe++)
        gather_from(held_by(pe), node);
    const size_t bytes = any || out->word ? offsetof(struct message, at) + out->bytes : 0;
    shmem_putmem_signal(&inbox[2 * here + (int)turn], out, bytes, &meeting->come[turn], 1, SHMEM_SIGNAL_ADD,
                        leader[node]);
}

/* --- a node's leader ---------------------------------------------------------------------------------------------- */

static void wait_for(uint64_t *word, uint64_t least)
{
    shcoll_awaited_pe = -1;
    shmem_uint64_wait_until(word, SHMEM_CMP_GE, least);
}

/* Waits for a local image, which may need this processor. The library's wait, which polls, takes 3 times as long. */
static void wait_near(uint64_t *word, uint64_t least)
{
    enum { YIELDS = 16 };
    for (int i = 0; i < YIELDS && __atomic_load_n(word, __ATOMIC_ACQUIRE) < least && caf_give_away(); i++)
        ;
    wait_for(word, least);
}

static void lead(unsigned turn)
{
    /* MUTANT the leader waits for its node */
    wait_near(&meeting->arrived, number * (uint64_t)(first[here + 1] - first[here] - 1));
    bool any = any_holds();
    for (int i = 1; i < n_nodes; i++)
        send_to((here + i) % n_nodes, any, turn);
    wait_for(&meeting->come[turn], come[turn] += (uint64_t)(n_nodes - 1)); /* MUTANT the leaders wait */
    for (int node = 0; node < n_nodes; node++) {
        struct message *in = &inbox[2 * node + (int)turn];
        if (node == here || !in->any)
            continue;
        any = true;
        const char *const end = in->at + in->bytes;
        for (struct caf_held_put *p = (void *)in->at; (char *)p < end; p = caf_held_next(p))
            caf_make_held(p);
        in->any = 0;
    }
    for (int i = 1; any && i < n_nodes; i++)
        shmem_putmem_signal(NULL, NULL, 0, &meeting->made[turn], 1, SHMEM_SIGNAL_ADD, leader[(here + i) % n_nodes]);
    if (any) /* MUTANT held puts are stored */
        wait_for(&meeting->made[turn], made[turn] += (uint64_t)(n_nodes - 1));
    for (int pe = first[here]; pe < first[here + 1]; pe++)
        shmem_signal_set(&meeting->released, number, pe);
}

/* The word of the previous image, which on the node's first is in the leader's inbox. */
static uint64_t heard(unsigned turn)
{
    if (caf_my_pe > first[here])
        return ((struct meeting *)(void *)caf_near(caf_my_pe - 1, meeting))->word[turn];
    struct message *in = &inbox[2 * ((here + n_nodes - 1) % n_nodes) + (int)turn];
    in = (void *)caf_near(leader[here], in);
    const uint64_t word = in->word;
    in->word = 0;
    return word;
}

uint64_t caf_meeting(uint64_t word)
{
    const unsigned turn = ++number & 1; /* MUTANT two sets of words between nodes: ++number & 1 => ++number & 0 */
    meeting->word[turn] = word;
    if (caf_my_pe == leader[here]) {
        lead(turn);
    } else {
        shmem_signal_add(&meeting->arrived, 1, leader[here]);
        wait_near(&meeting->released, number);
    }
    return heard(turn);
}

#else

void caf_meeting_begin(void)
{
}

void caf_meeting_find_nodes(void)
{
}

uint64_t caf_meeting(uint64_t word)
{
    return word;
}

#endif

#include "net/called.h"

#include "net/tune.h"

#include <stdlib.h>
#include <string.h>

void (*net_called)(uint32_t number, int from, void *args, size_t bytes, struct net_reply *reply);
void (*net_released)(void (*release)(void *data), void *data);

static struct pieces {
    struct pieces *next;
    int from;
    uint64_t about;
    size_t whole, have;
    unsigned char *data;
} *all_pieces;
static struct left *all_left;

/* --- arguments ---------------------------------------------------------------------------------------------------- */

/* The link to the segments of that call, or the link at the end of the list. */
static struct pieces **find(int from, uint64_t about)
{
    struct pieces **at = &all_pieces;
    while (*at && ((*at)->from != from || (*at)->about != about))
        at = &(*at)->next;
    return at;
}

static void forget(struct pieces **at)
{
    struct pieces *p = *at;
    *at = p->next;
    free(p->data);
    free(p);
}

static void forget_the_dead(void)
{
    for (struct pieces **at = &all_pieces; *at;) {
        if (job_state_of((*at)->from) == JOB_PE_DEAD)
            forget(at);
        else
            at = &(*at)->next;
    }
}

/* Reserves space for the last segment too, which fits in a message. */
static struct pieces **begin(int from, uint64_t about, size_t whole)
{
    forget_the_dead();
    struct pieces *p = malloc(sizeof *p);
    unsigned char *data = p && whole <= PTRDIFF_MAX ? malloc(whole + net_tune.message) : NULL;
    if (!data)
        job_fatal("shmemx_call", "no memory for %zu bytes of arguments that PE %d sends to a function", whole, from);
    *p = (struct pieces){all_pieces, from, about, whole, 0, data};
    all_pieces = p;
    return &all_pieces;
}

bool called_piece(int from, uint64_t about, const struct args_piece *a, const void *data, size_t bytes)
{
    struct pieces **at = find(from, about);
    if (a->at == 0 && !*at)
        at = begin(from, about, a->whole);
    struct pieces *p = *at;
    if (!p || a->at != p->have || bytes > p->whole - p->have)
        return false;
    memcpy(p->data + p->have, data, bytes);
    p->have += bytes;
    return true;
}

void *called_arguments(int from, uint64_t about, size_t before, const void *last, size_t bytes)
{
    struct pieces **at = find(from, about), *p = *at;
    if (!p || p->have != before || p->whole != before || bytes > net_tune.message)
        return NULL;
    unsigned char *data = p->data;
    memcpy(data + before, last, bytes);
    p->data = NULL;
    forget(at);
    return data;
}

/* --- results ------------------------------------------------------------------------------------------------------ */

uint64_t called_keep(int from, const struct net_reply *reply)
{
    struct left *l = malloc(sizeof *l);
    if (!l)
        job_fatal("shmemx_call", "no memory for the reply to PE %d", from);
    *l = (struct left){.next = all_left, .from = from, .reply = *reply};
    memcpy(l->head, reply->head, reply->head_bytes);
    all_left = l;
    return (uintptr_t)l;
}

struct left *called_left(int from, uint64_t name, bool take)
{
    struct left **at = &all_left, *l;
    while ((l = *at) && ((uintptr_t)l != name || l->from != from))
        at = &l->next;
    if (l && take)
        *at = l->next;
    return l;
}

struct left *called_of_the_dead(void)
{
    for (struct left *l = all_left; l; l = l->next)
        if (job_state_of(l->from) == JOB_PE_DEAD)
            return called_left(l->from, (uintptr_t)l, true);
    return NULL;
}

void called_free_all(void)
{
    while (all_pieces)
        forget(&all_pieces);
    for (struct left *l; (l = all_left);) {
        all_left = l->next;
        if (l->reply.release)
            net_released(l->reply.release, l->reply.data);
        free(l);
    }
}

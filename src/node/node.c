#include "node/node.h"

struct node node;
pthread_mutex_t node_blocks_lock = PTHREAD_MUTEX_INITIALIZER;

/* Sanitizers do not check this copy, because it includes the red zones that a compiler puts between variables. */
__attribute__((no_sanitize("address", "thread", "undefined")))
void copy_unwatched(void *to, const void *from, size_t bytes)
{
    const uint64_t *word = from;
    volatile uint64_t *copy = to; /* volatile: otherwise the compiler would make it a memcpy, which sanitizers check */
    for (size_t i = 0; i < bytes / sizeof *word; i++)
        copy[i] = word[i];
}

#include "node/node.h"

struct node node;
pthread_mutex_t node_blocks_lock = PTHREAD_MUTEX_INITIALIZER;

/* A copy that no sanitizer looks at: the program's variables may lie in red zones that its compiler put between
 * them. */
__attribute__((no_sanitize("address", "thread", "undefined")))
void copy_unwatched(void *to, const void *from, size_t bytes)
{
    const uint64_t *word = from;
    volatile uint64_t *copy = to; /* volatile: or the compiler makes memcpy of it, which a sanitizer watches */
    for (size_t i = 0; i < bytes / sizeof *word; i++)
        copy[i] = word[i];
}

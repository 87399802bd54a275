/* Syncs in which each member sends the next member a word, between ordinary syncs, by every algorithm that can transfer
 * words, as if SIZE PEs shared a node.
 *
 * usage: telling SIZE ALGORITHM */
/* pes: 3 4 5 7 8 15 16 21 */
/* args: 1 dissemination */
/* args: 1 two_level */
/* args: 2 two_level */
/* args: 3 two_level */
/* args: 1 two_level_tree */
/* args: 2 two_level_tree */
/* args: 3 two_level_tree */
/* args: 1 knomial */
#include "suite.h"

/* Some members have no word to send. */
static uint64_t word_of(uint64_t i, int pe)
{
    return (i + (uint64_t)pe) % 4 == 0 ? 0 : i * 1000 + (uint64_t)pe + 1;
}

static void tell(struct shcoll_group *g)
{
    const int before = (g->me + g->size - 1) % g->size;
    snprintf(doing, sizeof doing, "telling among %d", g->size);
    for (uint64_t i = 1; g->me >= 0 && i <= 200; i++) {
        const uint64_t told = shcoll_sync_telling(g, word_of(i, g->me));
        if (told != word_of(i, before))
            failed("sync %d: got %d, not %d, from member %d", (int)i, (int)told, (int)word_of(i, before), before);
        for (uint64_t j = 0; j < i % 3; j++)
            shcoll_sync(g);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: telling SIZE ALGORITHM\n");
        return 2;
    }
    setenv("SHCOLL_NODE_SIZE", argv[1], 1); /* read by shcoll_init */
    setenv("SHCOLL_SYNC", argv[2], 1);
    shmem_init();
    shcoll_init();
    const int n = shmem_n_pes();
    struct shcoll_group *all = shcoll_group_create(0, 1, n), *odd = shcoll_group_create(1, 2, n / 2),
                        *back = shcoll_group_create(n - 1, -1, n - 1);
    tell(all);
    tell(odd);
    tell(back);
    shcoll_group_free(back);
    shcoll_group_free(odd);
    shcoll_group_free(all);
    shmem_finalize();
    return check_failures != 0;
}

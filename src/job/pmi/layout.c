/* "(vector,(0,2,3),(2,1,1))": ranks come three by three to node 0 and the next, 2 in all; then one to node 2.  Where
 * ranks are left, it begins again. */
#include "job/pmi/layout.h"

#include "job/kit/kit.h"

#include <stdio.h>
#include <string.h>

struct block {
    int first, nodes, size;
};
enum { BLOCKS = 1024 / 8 }; /* a value of a launcher has 1024 characters, and a block at least these: ",(0,1,1)" */

/* How many there are; 0: the text is something else. */
static int read_blocks(const char *text, struct block block[BLOCKS])
{
    int n = 0, used = 0;
    if (strncmp(text, "(vector", 7) != 0)
        return 0;
    for (text += 7; *text == ',' && n < BLOCKS; text += used) {
        struct block *b = &block[n++];
        used = 0;
        if (sscanf(text, ",(%9d,%9d,%9d)%n", &b->first, &b->nodes, &b->size, &used) != 3 || !used || b->first < 0 ||
            b->nodes < 1 || b->size < 1)
            return 0;
    }
    return strcmp(text, ")") == 0 ? n : 0;
}

static int node_of(int pe, const struct block *block, int n)
{
    int64_t all = 0;
    for (int i = 0; i < n; i++)
        all += (int64_t)block[i].nodes * block[i].size;
    int64_t at = pe % all;
    while (at >= (int64_t)block->nodes * block->size) {
        at -= (int64_t)block->nodes * block->size;
        block++;
    }
    return block->first + (int)(at / block->size);
}

/* Each run of consecutive PEs on a node counts as one. */
const char *layout_find(const char *mapping, struct boot_layout *layout)
{
    struct block block[BLOCKS];
    const int n = read_blocks(mapping, block);
    if (!n)
        return kit_sentence("the launcher says \"%.100s\" of which process is on which node (PMI_process_mapping), "
                            "expected was the like of \"(vector,(0,2,4))\"", mapping);
    int size_of_first = 0;
    bool uniform = true;
    for (int first = 0, next; first < layout->n_pes; first = next) {
        const int node = node_of(first, block, n);
        for (next = first + 1; next < layout->n_pes && node_of(next, block, n) == node;)
            next++;
        const int size = next - first;
        size_of_first = size_of_first ? size_of_first : size;
        uniform = uniform && (size == size_of_first || (size < size_of_first && next == layout->n_pes));
        if (layout->pe >= first && layout->pe < next) {
            layout->first = first;
            layout->n_local = size;
        }
    }
    layout->node_size = uniform ? size_of_first : 1;
    return NULL;
}

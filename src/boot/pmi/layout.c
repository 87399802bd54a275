/* Reads the launcher's list of the ranks' nodes (PMI_process_mapping). Example: "(vector,(0,2,3),(2,1,1))" means: from
 * node 0 on, 2 nodes with 3 ranks each; then from node 2 on, 1 node with 1 rank. If there are more ranks, the list
 * repeats. Hydra 4.2 and later may write "2" instead of "(2,1,1)", and "[(0,2,1),2]x5" for two blocks that occur five
 * times. */
#include "boot/pmi/pmi.h"

#include "boot/kit/kit.h"

#include <stdio.h>
#include <string.h>

struct nodes {
    int n, room; /* PEs whose node is known; all PEs */
    int *of;     /* the node of each PE */
};

/* Reads "2" or "(0,2,3)": returns the text behind it, or NULL. */
static const char *read_block(const char *text, struct nodes *nodes)
{
    int first = -1, count = 1, size = 1, used = 0;
    if (*text == '(')
        sscanf(text, "(%9d,%9d,%9d)%n", &first, &count, &size, &used);
    else
        sscanf(text, "%9d%n", &first, &used);
    if (!used || first < 0 || count < 1 || size < 1)
        return NULL;
    for (int64_t i = 0; i < (int64_t)count * size && nodes->n < nodes->room; i++)
        nodes->of[nodes->n++] = first + (int)(i / size);
    return text + used;
}

/* Repeats the nodes of the last `length` PEs, for `pes` more PEs. */
static void repeat(struct nodes *nodes, int length, int64_t pes)
{
    for (; pes > 0 && nodes->n < nodes->room; pes--, nodes->n++)
        nodes->of[nodes->n] = nodes->of[nodes->n - length];
}

static bool read_mapping(const char *text, struct nodes *nodes)
{
    int bracket = -1; /* the first PE of an open bracket */
    if (strncmp(text, "(vector", 7) != 0)
        return false;
    for (text += 7; text && *text == ',';) {
        text++;
        if (*text == '[' && bracket < 0) {
            bracket = nodes->n;
            text++;
        }
        text = read_block(text, nodes);
        if (text && *text == ']' && bracket >= 0) {
            int times = 0, used = 0;
            sscanf(text, "]x%9d%n", &times, &used);
            if (!used || times < 1)
                return false;
            text += used;
            repeat(nodes, nodes->n - bracket, (int64_t)(nodes->n - bracket) * (times - 1));
            bracket = -1;
        }
    }
    if (!text || strcmp(text, ")") != 0 || nodes->n == 0 || bracket >= 0)
        return false;
    repeat(nodes, nodes->n, nodes->room);
    return true;
}

const char *layout_find(const char *mapping, struct boot_layout *layout)
{
    struct nodes nodes = {.room = layout->n_pes, .of = malloc((size_t)layout->n_pes * sizeof *nodes.of)};
    if (!nodes.of)
        return kit_sentence("no memory for the map of a job of %d PEs", layout->n_pes);
    const bool known = read_mapping(mapping, &nodes);
    if (known)
        kit_layout(nodes.of, layout);
    free(nodes.of);
    return known ? NULL
                 : kit_sentence("the launcher's list of each node's processes (PMI_process_mapping) is \"%.100s\", "
                                "expected is a list like \"(vector,(0,2,4))\"", mapping);
}

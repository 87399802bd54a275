/* sources: src/boot/pmi/layout.c src/boot/kit/kit.c src/boot/kit/hand.c src/job/settings.c */
/* Which PEs share a node, from launchers' descriptions. */
#include "../check.h"
#include "boot/pmi/pmi.h"

#include <string.h>

/* wanted: the numbers of PEs on consecutive nodes, "3+1", and the expected node_size. */
static void expect(const char *mapping, int n_pes, const char *wanted, int node_size)
{
    char runs[200] = "";
    size_t used = 0;
    for (int pe = 0, first = 0; pe < n_pes; pe++) {
        struct boot_layout layout = {.pe = pe, .n_pes = n_pes};
        const char *why = layout_find(mapping, &layout);
        CHECK(!why, "%s for %d PEs: %s", mapping, n_pes, why);
        if (why)
            return;
        if (layout.first == pe) {
            used += (size_t)snprintf(runs + used, sizeof runs - used, "%s%d", used ? "+" : "", layout.n_local);
            first = pe;
        }
        CHECK(layout.first == first && pe < first + layout.n_local, "%s: PE %d of %d is on a node from %d with %d",
              mapping, pe, n_pes, layout.first, layout.n_local);
        CHECK(layout.node_size == node_size, "%s: PE %d of %d has node size %d, not %d", mapping, pe, n_pes,
              layout.node_size, node_size);
    }
    CHECK(strcmp(runs, wanted) == 0, "%s for %d PEs: %s, not %s", mapping, n_pes, runs, wanted);
}

static void refuse(const char *mapping)
{
    struct boot_layout layout = {.n_pes = 4};
    const char *why = layout_find(mapping, &layout);
    CHECK(why && strncmp(why, "the launcher's list", 19) == 0, "\"%s\" was accepted", mapping);
}

int main(void)
{
    expect("(vector,(0,1,1))", 1, "1", 1);
    expect("(vector,(0,1,4))", 4, "4", 4);
    expect("(vector,(0,2,2))", 4, "2+2", 2);
    expect("(vector,(0,2,3))", 5, "3+2", 3);
    expect("(vector,(0,1,3),(1,1,1))", 4, "3+1", 3);
    expect("(vector,(0,1,1),(1,1,3))", 4, "1+3", 1);
    expect("(vector,(0,1,3),(1,2,2))", 7, "3+2+2", 1);
    /* more ranks than the blocks have: the list repeats from the first block */
    expect("(vector,(0,2,1))", 5, "1+1+1+1+1", 1);
    expect("(vector,(0,1,2))", 5, "5", 5);
    expect("(vector,(0,1,3),(1,1,1))", 6, "3+1+2", 1);
    expect("(vector,(0,1,3),(1,1,1),(2,1,2))", 11, "3+1+2+3+1+1", 1);
    /* two blocks name a node: it counts as one node if its ranks are consecutive */
    expect("(vector,(0,1,2),(0,1,2))", 4, "4", 4);
    expect("(vector,(0,2,1),(0,2,1))", 4, "1+1+1+1", 1);
    expect("(vector,(0,2,2),(2,1,1),(0,2,1))", 7, "2+2+1+1+1", 1);
    expect("(vector,(3,1,2),(1,1,2))", 4, "2+2", 2);
    expect("(vector,(0,999999999,999999999))", 3, "3", 3);

    /* Hydra 4.2 */
    expect("(vector,(0,1,3),1,(0,1,2))", 6, "3+1+2", 1);
    expect("(vector,[(0,2,1)]x2,0)", 5, "1+1+1+1+1", 1);
    expect("(vector,[(0,1,2),1]x3)", 9, "2+1+2+1+2+1", 1);
    expect("(vector,[(0,1,2),1]x3)", 4, "2+1+1", 1);
    expect("(vector,[(0,1,2),1]x2)", 10, "2+1+2+1+2+1+1", 1);
    expect("(vector,0,[1]x3,[2,(3,2,2)]x1)", 9, "1+3+1+2+2", 1);
    expect("(vector,[0]x999999999)", 3, "3", 3);
    expect("(vector,0,1)", 2, "1+1", 1);

    const char *const nonsense[] = {"", "unknown", "(vector", "(vector)", "(vector,)", "(vector,(0,2,2)",
                                    "vector,(0,2,2)", "(vector,(0,2,2)))", "(vector,(0,2,2)) ", "(vector,(0,2))",
                                    "(vector,(0,2,2,2))",
                                    "(vector,(0,0,2))", "(vector,(0,2,0))", "(vector,(-1,2,2))", "(vector,(0,-2,2))",
                                    "(vector,(0,2,2)(2,2,2))", "(vector,(0,2,2),)", "(vector,(0,2,9999999999))",
                                    "(vector,(0,2,two))", "(vector,[(0,2,2)])", "(vector,[(0,2,2)]x0)",
                                    "(vector,[(0,2,2)]x)", "(vector,[(0,2,2))", "(vector,(0,2,2)]x2)",
                                    "(vector,[[0]x2]x2)", "(vector,[]x2)", "(vector,0,)", "(vector,-1)",
                                    "(vector,[0,1]x2", "(vector,[0]y2)", "(vector,0 1)"};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++)
        refuse(nonsense[i]);
    return check_result();
}

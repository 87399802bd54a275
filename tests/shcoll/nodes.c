/* The matrix, with PEs treated as if they were on several nodes.
 *
 * usage: nodes SIZE [COLLECTIVE [ALGORITHM [GROUP]]]
 *
 * SIZE PEs count as one node, even if they are on several nodes; the other arguments are those of matrix. */
/* pes: 3 4 7 8 16 */
/* args: 1 all two_level */
/* args: 2 all two_level */
/* args: 3 all two_level */
/* args: 4 all two_level */
/* args: 5 all two_level */
/* args: 2 reduce lanes */
/* args: 3 reduce lanes */
#include "cases.h"

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: nodes SIZE [COLLECTIVE [ALGORITHM [GROUP]]]\n");
        return 2;
    }
    setenv("SHCOLL_NODE_SIZE", argv[1], 1); /* read by shcoll_init */
    suite_begin();
    try_matrix(argc > 2 ? argv[2] : NULL, argc > 3 ? argv[3] : NULL, argc > 4 ? argv[4] : NULL);
    return suite_end("nodes");
}

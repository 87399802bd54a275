/* Every algorithm of every collective, in groups of every shape, with sizes around each change of method.
 *
 * usage: matrix [COLLECTIVE [ALGORITHM [GROUP]]]
 *
 * COLLECTIVE as in shcoll.h ("reduce"); ALGORITHM is the beginning of a name ("ring" or "knomial:signal", also
 * "knomial:signal:3"), or "choice" for the public routines, which choose; GROUP is the beginning of a name in
 * families_make ("active"); "all" stands for all collectives, algorithms or groups. */
/* pes: 1 2 3 4 5 7 8 16 17 */
#include "cases.h"

int main(int argc, char **argv)
{
    suite_begin();
    try_matrix(argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL, argc > 3 ? argv[3] : NULL);
    return suite_end("matrix");
}

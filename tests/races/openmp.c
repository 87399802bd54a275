/* Threads of OpenMP: what they do is its PE's, and they may synchronize as they like. */
/* pes: 2 */
/* flags: -fopenmp */
#define THREADS
#include "rules.h"

enum { WORDS = 64 };

/* 9.2, threads: what a parallel loop has stored another PE may get after a barrier.
 * right: no race.  wrong: race: loop get */
RULE(loop_and_get)
{
    static long words[WORDS];

#pragma omp parallel for num_threads(3)
    for (int i = 0; i < WORDS; i++)
        words[i] = 1; /* loop */
    if (right)
        shmem_barrier_all();
    if (me == 1)
        look(shmem_long_g(&words[WORDS - 1], 0), 1); /* get */
}

/* 9.2, threads: its threads put and quiet in turn, and meet at its barriers.
 * right: no race.  wrong: race: put load */
RULE(parallel_puts)
{
    static long words[WORDS], sum;

#pragma omp parallel num_threads(3)
    {
#pragma omp for
        for (int i = 0; i < WORDS; i++)
            shmem_long_p(&words[i], 1, 1 - me); /* put */
#pragma omp single
        shmem_quiet();
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < WORDS; i++)
            sum += 1;
#pragma omp critical
        sum += 1;
    }
    if (right)
        shmem_barrier_all();
    look(words[0], 1); /* load */
    look(sum >= WORDS + 1, 1);
}

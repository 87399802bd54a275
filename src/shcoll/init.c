/* shcoll_init on an OpenSHMEM without SHCOLL inside: the PEs find out their placement from the PEs that they reach by
 * loads and stores, and from the machines of the others. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../common/kernel.h"
#include "choice/choose.h"
#include "choice/settings.h"

#if defined(__linux__)
#include <sched.h>
#endif
#include <limits.h>
#include <stdlib.h>

enum { PROCESSOR_WORDS = 16 };

/* The information of one PE for the others. */
struct survey {
    uint64_t reached;                      /* PEs, this one too */
    uint64_t objection;                    /* at PE 0: a PE sees blocks of another size than PE 0 */
    uint64_t machine;  /* equal on PEs of one kernel, in any container; 0: unknown */
    uint64_t processors[PROCESSOR_WORDS]; /* that may run this PE, a bit each */
};
_Static_assert(sizeof(struct survey) <= SHCOLL_WORK_BYTES, "the settings' area has room for the survey");

static bool reaches(const struct survey *survey, int pe)
{
    return pe == shmem_my_pe() || shmem_ptr(survey, pe);
}

/* PEs that are bound to one processor each share a node, so only all of them together know its processors. */
static void note_processors(struct survey *mine)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (unsigned i = 0; i < PROCESSOR_WORDS * 64; i++)
            if (CPU_ISSET(i, &set))
                mine->processors[i / 64] |= (uint64_t)1 << i % 64;
        return;
    }
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 0; i < online && i < PROCESSOR_WORDS * 64; i++)
        mine->processors[i / 64] |= (uint64_t)1 << i % 64;
}

/* Copal's, on an emulated network that has times: each PE has a processor of its own there. */
int shmemx_time_is_emulated(void) __attribute__((weak));

static bool have_own_processors(void)
{
    return shmemx_time_is_emulated && shmemx_time_is_emulated();
}

static void note_machine(struct survey *mine)
{
    if (!have_own_processors())
        mine->machine = kernel_identity();
}

/* Whether the PEs that this PE reaches are exactly its block. */
static bool reaches_its_block(const struct survey *survey, int node_size)
{
    const int node = shmem_my_pe() / node_size, n_pes = shmem_n_pes();
    for (int pe = 0; pe < n_pes; pe++)
        if (reaches(survey, pe) != (pe / node_size == node))
            return false;
    return true;
}

/* On PE 0, the number of PEs on its machine: it checks one PE of each node, until one is elsewhere. */
static int count_sharing(const struct survey *survey, int node_size)
{
    int pe = (int)survey->reached;
    while (survey->machine && pe < shmem_n_pes() && shmem_uint64_g(&survey->machine, pe) == survey->machine)
        pe += node_size;
    return pe < shmem_n_pes() ? pe : shmem_n_pes();
}

/* The number of processors that run any of the first pes PEs. */
static int count_processors(const struct survey *survey, int pes)
{
    uint64_t any[PROCESSOR_WORDS] = {0}, theirs[PROCESSOR_WORDS];
    int processors = 0;
    if (have_own_processors())
        return INT_MAX;
    for (int pe = 0; pe < pes; pe++) {
        shmem_getmem(theirs, survey->processors, sizeof theirs, pe);
        for (int i = 0; i < PROCESSOR_WORDS; i++)
            any[i] |= theirs[i];
    }
    for (int i = 0; i < PROCESSOR_WORDS; i++)
        processors += __builtin_popcountll(any[i]);
    return processors;
}

static void print_if_asked(void)
{
    if (!shcoll_info_wanted() || shmem_my_pe() != 0)
        return;
    struct shcoll_group all = shcoll_group_on(0, 1, shmem_n_pes(), NULL, false);
    shcoll_print_choices(&all);
}

void shcoll_settings_read(void *area, int sharing)
{
    shcoll_plans_forget();
    shcoll_settings_take(area, sharing);
    print_if_asked();
}

void shcoll_init(void)
{
    if (shcoll_placement.sharing) /* the OpenSHMEM that contains SHCOLL has read the settings */
        return;
    struct survey *survey = shmem_align(LINE, SHCOLL_WORK_BYTES + LINE);
    if (!survey)
        shcoll_fatal("shcoll_init: no memory for %zu bytes of settings; a larger symmetric heap would have it",
                     SHCOLL_WORK_BYTES + LINE);
    int *const sharing = (int *)((char *)survey + SHCOLL_WORK_BYTES); /* PE 0's, behind the settings */
    *survey = (struct survey){0};
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        survey->reached += reaches(survey, pe);
    note_machine(survey);
    note_processors(survey);
    shmem_barrier_all();

    const int reached = (int)shmem_uint64_g(&survey->reached, 0);
    if (!reaches_its_block(survey, reached))
        shmem_uint64_atomic_or(&survey->objection, 1, 0);
    shmem_barrier_all();

    if (shmem_my_pe() == 0) {
        const int node_size = survey->objection ? 1 : reached;
        *sharing = count_sharing(survey, node_size);
        shcoll_settings_write(survey, node_size, count_processors(survey, *sharing));
    }
    shmem_barrier_all();
    shcoll_settings_read(survey, shmem_int_g(sharing, 0));
    shmem_free(survey); /* after a barrier: all have read it */
}

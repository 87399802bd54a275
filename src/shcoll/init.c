/* shcoll_init for an OpenSHMEM that does not contain SHCOLL. The PEs determine their placement from the PEs that they
 * reach by loads and stores, and from the machines of the others. */
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

enum { PROCESSOR_WORDS = 16 };

/* Information that one PE gives to the others. */
struct survey {
    uint64_t reached;                      /* number of PEs reached by loads and stores, including this PE */
    uint64_t objection;                    /* on PE 0: another PE has determined a different block size */
    uint64_t machine;  /* equal on PEs of one kernel, in any container; 0: unknown */
    uint64_t processors[PROCESSOR_WORDS]; /* one bit for each processor that may run this PE */
};
_Static_assert(sizeof(struct survey) <= SHCOLL_WORK_BYTES, "the settings' area has room for the survey");

static bool reaches(const struct survey *survey, int pe)
{
    return pe == shmem_my_pe() || shmem_ptr(survey, pe);
}

/* PEs of a node may be bound to one processor each, so the node's processors are the union of all PEs' processors. */
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

/* Copal's function. In emulated time, each PE has a processor of its own. */
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

/* Whether the PEs that this PE reaches by loads and stores are exactly its block. */
static bool reaches_its_block(const struct survey *survey, int node_size)
{
    const int node = shmem_my_pe() / node_size, n_pes = shmem_n_pes();
    for (int pe = 0; pe < n_pes; pe++)
        if (reaches(survey, pe) != (pe / node_size == node))
            return false;
    return true;
}

/* Called on PE 0: the number of PEs on its machine. It checks one PE of each node, until a PE is on another machine. */
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
        shcoll_fatal("shcoll_init: no memory for %zu bytes of settings; increase the symmetric heap",
                     SHCOLL_WORK_BYTES + LINE);
    int *const sharing = (int *)((char *)survey + SHCOLL_WORK_BYTES); /* PE 0's value, after the settings */
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
    shmem_free(survey); /* begins with a barrier, so all have read it */
}

/* What fence and quiet order. */
/* pes: 3 */
#include "rules.h"

static void await(long *flag)
{
    shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
}

/* 9.12.1, fence: a put before it arrives before a flag that is put after it. */
RULE(fence_and_flag)
{
    static long data, flag;

    if (me == 0) {
        shmem_long_p(&data, 1, 1); /* put */
        if (right)
            shmem_fence();
        shmem_long_p(&flag, 1, 1);
    }
    if (me == 1) {
        await(&flag);
        look(data, 1); /* load */
    }
}

/* 9.12.1, fence: a put after the flag may arrive later than the flag. */
RULE(put_after_flag)
{
    static long data, flag;

    if (me == 0) {
        if (right)
            shmem_long_p(&data, 1, 1);
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
        if (!right)
            shmem_long_p(&data, 1, 1); /* put */
    }
    if (me == 1) {
        await(&flag);
        look(data, 1); /* load */
    }
}

/* 9.12.1, fence: it orders puts to one PE; if data and flag are put to two PEs, they need a quiet. */
RULE(fence_and_two_targets)
{
    static long data, flag;

    if (me == 0) {
        shmem_long_p(&data, 1, 1); /* put */
        if (right)
            shmem_quiet();
        else
            shmem_fence();
        shmem_long_p(&flag, 1, 2);
    }
    if (me == 2) {
        await(&flag);
        look(shmem_long_g(&data, 1), 1); /* get */
    }
}

/* 9.12.2, quiet: completed data is visible to each PE that synchronizes with the calling PE, also through a third
 * PE. */
RULE(quiet_and_relay)
{
    static long data, flag;

    if (me == 0) {
        shmem_long_p(&data, 1, 2); /* put */
        if (right)
            shmem_quiet();
        else
            shmem_fence();
        shmem_long_p(&flag, 1, 1);
    }
    if (me == 1) {
        await(&flag);
        shmem_long_p(&flag, 1, 2);
    }
    if (me == 2) {
        await(&flag);
        look(data, 1); /* load */
    }
}

/* 9.12.2, quiet: it does not synchronize with the target. */
RULE(quiet_alone)
{
    static long data;

    if (me == 0) {
        shmem_long_p(&data, 1, 1); /* put */
        shmem_quiet();
    }
    if (right)
        shmem_sync_all();
    if (me == 1)
        look(data, 1); /* load */
}

/* 9.12.2, quiet: the target's quiet does not complete puts of other PEs to the target. */
RULE(quiet_of_the_target)
{
    static long data;

    if (me == 0)
        shmem_long_p(&data, 1, 1); /* put */
    if (me == (right ? 0 : 1))
        shmem_quiet();
    shmem_sync_all();
    if (me == 1)
        look(data, 1); /* load */
}

/* 9.11, wait_until and test: if another PE puts a flag, the target reads the flag by these routines and not by
 * loads. */
RULE(flag_and_load)
{
    static long flag;

    if (me == 0)
        shmem_long_p(&flag, 1, 1); /* put */
    if (me == 1 && right)
        await(&flag);
    if (me == 1)
        look(flag, 1); /* load */
}

/* 9.12.1, fence: it orders nonblocking puts, too, but not gets. */
RULE(fence_and_get_nbi)
{
    static long data = 1, flag, source = 3;
    long copy = 0;

    if (me == 0) {
        if (right)
            shmem_long_put_nbi(&data, &source, 1, 1);
        else
            shmem_long_get_nbi(&copy, &data, 1, 1); /* get */
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
        shmem_quiet();
    }
    if (me == 1) {
        await(&flag);
        data = 2; /* store */
        look(data, 2);
    }
}

/* 9.12.1, fence: loads need no fence: a PE that has waited for a flag may overwrite what the sender loaded before it
 * put the flag. */
RULE(acknowledge)
{
    static long data = 1, flag;

    if (me == 1) {
        look(data, 1); /* load */
        shmem_long_p(&flag, 1, 0);
    }
    if (me == 0 && right)
        await(&flag);
    if (me == 0)
        shmem_long_p(&data, 2, 1); /* put */
}

/* Alerts without a death: a handler that returns is called in each wait once for the alerts before it, and again for
 * each that comes while it waits; the wait goes on. */
#include <shmemx.h>
#include <stdio.h>
#include <unistd.h>

static int calls, word, go;

static void handler(void)
{
    calls++;
}

static void check(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "wrong: PE %d: %s (%d calls)\n", shmem_my_pe(), what, calls);
    shmem_global_exit(99);
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    if (n == 1) {
        shmemx_on_alert(handler);
        shmemx_alert();
        check(*shmemx_alerts() == 1 && shmemx_pe_state(0) == SHMEMX_PE_RUNNING, "a job of one");
        shmem_finalize();
        printf("alerts of PE 0 are fine\n");
        return 0;
    }
    shmem_barrier_all();
    if (me == 0) { /* each alert after the one before was heard by all */
        for (int alert = 1; alert <= 3; alert++) {
            usleep(alert * 1000);
            shmemx_alert();
            shmem_int_wait_until(&word, SHMEM_CMP_EQ, alert * (n - 1));
        }
        check(*shmemx_alerts() == 3, "the count");
        usleep(20000);
        for (int pe = 1; pe < n; pe++)
            shmem_int_p(&go, 1, pe);
        usleep(20000);
        shmem_barrier_all();
    } else {
        shmemx_on_alert(handler);
        for (int seen = 0; seen < 3;) {
            const volatile uint32_t *alerts = shmemx_alerts();
            while ((int)*alerts == seen)
                ;
            seen++;
            shmem_int_atomic_inc(&word, 0);
        }
        check(calls == 0, "called outside of waits");
        shmem_int_wait_until(&go, SHMEM_CMP_EQ, 1);
        check(calls == 1, "once for all alerts before");
        shmem_barrier_all();
        check(calls == 2, "once in the barrier");
    }
    shmem_barrier_all();
    go = 0;
    shmem_barrier_all();
    calls = 0;
    if (me == 0) { /* all the others sleep in one wait */
        for (int alert = 0; alert < 3; alert++) {
            usleep(30000);
            shmemx_alert();
        }
        usleep(30000);
        for (int pe = 1; pe < n; pe++)
            shmem_int_p(&go, 1, pe);
    } else {
        shmem_int_wait_until(&go, SHMEM_CMP_EQ, 1);
        check(calls == 4, "once for the alerts before, and for each in the wait");
        check(shmemx_on_alert(NULL) == handler, "the handler that was set");
    }
    shmem_barrier_all();
    check(*shmemx_alerts() == 6, "the count at the end");
    shmem_finalize();
    printf("alerts of PE %d are fine\n", me);
    return 0;
}

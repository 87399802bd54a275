/* usage: alert [lock]
 *
 * Alerts without a death: each wait calls the handler once for earlier alerts, and again for each alert that arrives
 * during the wait. When the handler returns, the wait continues. */
#include <shmemx.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static int calls, word, go, heard;
static bool tells;

static void handler(void)
{
    calls++;
    if (tells)
        shmem_int_atomic_inc(&heard, 0);
}

static void check(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "wrong: PE %d: %s (%d calls)\n", shmem_my_pe(), what, calls);
    shmem_global_exit(99);
}

/* The handler is called while PE 1 waits for a lock, and returns. Afterwards the program still cannot access the
 * library's own memory, which precedes the heap's first block. */
static void put_below_heap_after_lock(void)
{
    static long lock;
    long *block = shmem_malloc(sizeof *block);
    if (shmem_my_pe() == 0)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        shmemx_alert();
        shmem_int_wait_until(&heard, SHMEM_CMP_GE, 1);
        shmem_clear_lock(&lock);
    } else {
        tells = true;
        shmemx_on_alert(handler);
        shmem_set_lock(&lock);
        check(calls > 0, "not called in the wait for a lock");
        shmem_clear_lock(&lock);
        shmem_long_p(block - 8, 1, shmem_my_pe());
        check(0, "a put below the heap went through");
    }
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    (void)argv;
    shmem_init();
    if (argc > 1) {
        put_below_heap_after_lock();
        return 98;
    }
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
    if (me == 0) { /* each alert after all PEs have received the previous one */
        for (int alert = 1; alert <= 3; alert++) {
            usleep(alert * 1000);
            shmemx_alert();
            shmem_int_wait_until(&word, SHMEM_CMP_EQ, alert * (n - 1));
        }
        check(*shmemx_alerts() == 3, "the count");
        shmem_int_wait_until(&heard, SHMEM_CMP_EQ, n - 1); /* the other PEs wait */
        for (int pe = 1; pe < n; pe++)
            shmem_int_p(&go, 1, pe);
        shmem_int_wait_until(&heard, SHMEM_CMP_EQ, 2 * (n - 1)); /* the other PEs are in the barrier */
        heard = 0;
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
        tells = true;
        shmem_int_wait_until(&go, SHMEM_CMP_EQ, 1);
        check(calls == 1, "once for all alerts before");
        shmem_barrier_all();
        tells = false;
        check(calls == 2, "once in the barrier");
    }
    shmem_barrier_all();
    go = 0;
    shmem_barrier_all();
    calls = 0;
    tells = true;
    if (me == 0) { /* all other PEs are in one wait, and have received each alert before the next alert */
        for (int alert = 0; alert < 4; alert++) {
            shmem_int_wait_until(&heard, SHMEM_CMP_EQ, (n - 1) * (alert + 1));
            if (alert < 3)
                shmemx_alert();
        }
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

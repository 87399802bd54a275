/* Initialization and end of the library: counted inits and finalizes, a second initialization after the last
 * finalize, queries before, within and after, and variables that keep their values throughout. */
#include <shmem.h>
#include <string.h>
#include <time.h>
#include "../check.h"

static int initialized(void)
{
    int answer = -1;
    shmem_query_initialized(&answer);
    return answer;
}

static long data_before = 4711, bss_before, counter;
static const char *pointer = "text";

/* Routines that a program may use between init and finalize. */
static void alive(int life)
{
    int me = shmem_my_pe(), n = shmem_n_pes();
    CHECK(initialized(), "not initialized in life %d", life);
    CHECK(me >= 0 && me < n, "PE %d of %d", me, n);
    CHECK(data_before == 4711 + life && bss_before == life, "variables are %ld and %ld in life %d", data_before,
          bss_before, life);
    CHECK(strcmp(pointer, "text") == 0, "a pointer to text points elsewhere");
    long *block = shmem_malloc(sizeof *block);
    CHECK(block, "no heap in life %d", life);
    *block = -1;
    counter = 0;
    shmem_barrier_all();
    shmem_long_p(block, 100 * life + me, (me + 1) % n);
    shmem_long_atomic_add(&counter, me + 1, 0);
    shmem_barrier_all();
    CHECK(*block == 100 * life + (me + n - 1) % n, "neighbour put %ld in life %d", *block, life);
    CHECK(me != 0 || counter == (long)n * (n + 1) / 2, "sum on PE 0 is %ld in life %d", counter, life);
    shmem_free(block);
}

/* The last finalize is a barrier that completes communication: a late PE's put still arrives. */
static void late_put(int life)
{
    static long late;
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (me == n - 1)
        nanosleep(&(struct timespec){0, 20000000}, NULL); /* late on purpose */
    long value = life + 1;
    shmem_long_put_nbi(&late, &value, 1, (me + 1) % n);
    shmem_finalize();
    CHECK(late == life + 1, "after finalize of life %d the late put is %ld", life, late);
}

static void names(void)
{
    int major = -1, minor = -1;
    shmem_info_get_version(&major, &minor);
    CHECK(major == 1 && minor == 6, "version %d.%d", major, minor);
    CHECK(SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION == 6, "version constants");
    char name[SHMEM_MAX_NAME_LEN + 1];
    memset(name, 'x', sizeof name);
    shmem_info_get_name(name);
    CHECK(name[SHMEM_MAX_NAME_LEN] == 'x', "the name is longer than SHMEM_MAX_NAME_LEN");
    CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0, "name is \"%s\", not \"%s\"", name, SHMEM_VENDOR_STRING);
    for (int level = -1; level <= 3; level++)
        shmem_pcontrol(level);
}

int main(void)
{
    CHECK(!initialized(), "initialized before the first init");
    int me = -1, n = -1;
    for (int life = 0; life < 3; life++) {
        data_before = 4711 + life;
        bss_before = life;
        shmem_init();
        CHECK(life == 0 || (shmem_my_pe() == me && shmem_n_pes() == n), "PE %d of %d became %d of %d", me, n,
              shmem_my_pe(), shmem_n_pes());
        me = shmem_my_pe();
        n = shmem_n_pes();
        alive(life);
        shmem_init();
        int provided = -1, now = -1;
        CHECK(shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) == 0, "init_thread within");
        shmem_query_thread(&now);
        CHECK(provided == now, "init_thread within says level %d, query_thread %d", provided, now);
        alive(life);
        shmem_finalize();
        alive(life);
        shmem_finalize();
        alive(life);
        names();
        late_put(life);
        CHECK(!initialized(), "initialized after the last finalize of life %d", life);
        CHECK(data_before == 4711 + life && bss_before == life, "finalize changed variables");
    }
    return check_result();
}

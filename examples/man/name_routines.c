/* man: shmemx_name_waits */
/* run: SHMEM_BACKTRACE=0 oshrun -n 2 ./name_routines 2>&1 || true */
/* prints: copal: PE 0: box_send: argument pe is 2, allowed are 0 to 1 */
#include <shmemx.h>
#include <string.h>

static long box;

static const char *as_users_know_it(const char *routine)
{
    return strcmp(routine, "shmem_putmem") == 0 ? "box_send" : routine;
}

int main(void)
{
    const long value = 1;

    shmemx_name_routines(as_users_know_it);
    shmem_init();
    if (shmem_my_pe() == 0)
        shmem_putmem(&box, &value, sizeof box, 2); /* there is no PE 2 */
    shmem_finalize();
}

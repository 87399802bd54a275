/* run: oshrun -n 4 ./struct */
/* shmem_putmem copies bytes: it can send any object without pointers, for example a struct. */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

struct particle {
    char name[24];
    double position[3];
    int charge;
};
static struct particle arrived;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
    struct particle mine = {.position = {me, me * 0.5, me * 0.25}, .charge = me - 2};
    snprintf(mine.name, sizeof mine.name, "muon %d", me);
    shmem_putmem(&arrived, &mine, sizeof mine, right);
    shmem_barrier_all();

    char name[24];
    snprintf(name, sizeof name, "muon %d", left);
    int ok = strcmp(arrived.name, name) == 0 && arrived.position[1] == left * 0.5 && arrived.charge == left - 2;
    printf("PE %d: got %s of charge %d: %s\n", me, arrived.name, arrived.charge, ok ? "right" : "WRONG");
    shmem_finalize();
    return !ok;
}

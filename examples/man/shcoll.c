/* man: shcoll */
/* build: oshcc shcoll.c -o shcoll */
/* run: oshrun -n 2 ./shcoll */
/* prints: the sum is 3, by an algorithm of our choice */
#include <shcoll.h>
#include <stdio.h>

static int number, sum;

int main(void)
{
    shmem_init();
    shcoll_init();
    struct shcoll_group *all = shcoll_group_create(0, 1, shmem_n_pes());
    const struct shcoll_call call = {
        .dest = &sum, .source = &number, .n = 1, .size = sizeof(int),
        .op = SHCOLL_OP(SUM, int)};

    number = shmem_my_pe() + 1;
    shmem_barrier_all();
    shcoll_run(shcoll_algorithm_number(SHCOLL_REDUCE, 0), all, &call);
    if (shmem_my_pe() == 0)
        printf("the sum is %d, by an algorithm of our choice\n", sum);
    shcoll_group_free(all);
    shmem_finalize();
}

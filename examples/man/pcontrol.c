/* man: shmem_pcontrol */
/* run: oshrun -n 2 ./pcontrol */
/* prints: 1 put was seen */
#include <pshmem.h>
#include <stdio.h>

/* A profiling tool: usually a library, linked before libshmem */
static int on = 1, puts_seen;

void shmem_pcontrol(int level, ...)
{
    on = level > 0;
}

void shmem_int_put(int *dest, const int *source, size_t nelems, int pe)
{
    puts_seen += on;
    pshmem_int_put(dest, source, nelems, pe);
}

static int number;

int main(void)
{
    shmem_init();
    const int one = 1;
    shmem_int_put(&number, &one, 1, 0);
    shmem_pcontrol(0); /* the tool stops counting */
    shmem_int_put(&number, &one, 1, 0);
    if (shmem_my_pe() == 0)
        printf("%d put was seen\n", puts_seen);
    shmem_finalize();
}

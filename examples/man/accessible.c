/* man: shmem_pe_accessible shmem_addr_accessible */
/* run: oshrun -n 2 ./accessible */
/* prints: PE 1 yes, PE 2 no. A static variable yes, a local one no */
#include <shmem.h>
#include <stdio.h>

static int global;

static const char *said(int accessible)
{
    return accessible ? "yes" : "no";
}

int main(void)
{
    int local;

    shmem_init();
    if (shmem_my_pe() == 0)
        printf("PE 1 %s, PE 2 %s. A static variable %s, a local one %s\n",
               said(shmem_pe_accessible(1)), said(shmem_pe_accessible(2)),
               said(shmem_addr_accessible(&global, 1)),
               said(shmem_addr_accessible(&local, 1)));
    shmem_finalize();
}

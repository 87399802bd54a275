/* man: shmemx_alert */
/* run: oshrun -n 2 ./alert */
/* prints: PE 1 has left its wait */
#include <setjmp.h>
#include <shmemx.h>
#include <stdio.h>

static jmp_buf out;
static int never;

static void leave(void)
{
    longjmp(out, 1);
}

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmemx_alert();
    } else {
        if (setjmp(out) == 0) {
            shmemx_on_alert(leave);
            if (*shmemx_alerts() == 0) /* otherwise an alert has arrived */
                shmem_wait_until(&never, SHMEM_CMP_EQ, 1);
        }
        shmemx_on_alert(NULL);
        printf("PE 1 has left its wait\n");
    }
    shmem_finalize();
}

/* man: shmemx_call */
/* run: oshrun -n 2 --nodes 2 ./call */
/* prints: PE 1 has counted 3 */
#include <shmemx.h>
#include <stdio.h>
#include <string.h>

enum { ADD = 1 };
static int count; /* only this PE's processor changes it */

static void add(int pe, void *args, size_t bytes, shmemx_reply *reply)
{
    int n;
    (void)pe, (void)bytes;
    memcpy(&n, args, sizeof n);
    count += n;
    if (reply) { /* NULL if the caller used shmemx_post */
        memcpy(reply->head, &count, sizeof count);
        reply->head_bytes = sizeof count;
    }
}

static void *receive(void *context, void *head, size_t head_bytes,
                     size_t bytes)
{
    (void)bytes; /* the call has no data */
    memcpy(context, head, head_bytes);
    return NULL;
}

int main(void)
{
    int one = 1, two = 2, reply = 0;
    const struct iovec first = {&one, sizeof one};
    const struct iovec second = {&two, sizeof two};

    shmemx_register(ADD, add);
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmemx_post(1, ADD, &first, 1);
        shmemx_call(1, ADD, &second, 1, receive, &reply);
        printf("PE 1 has counted %d\n", reply);
    }
    shmem_finalize();
}

/* images: 2 */
/* Gets with stat= of gfortran 15 and 16 while the other image dies: between nodes, a get may have sent its request. An
 * array that the getter should allocate then has no memory and no elements. */
#include "calls.h"
#include "check.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { N = 100, GET = 101 }; /* too few for the library to learn the section */

static void die(int number)
{
    (void)number;
    kill(getpid(), SIGKILL);
}

/* x(1:n)[k] in an expression */
static void get(const int *n, const int *caller, struct gfortran_descriptor *to, int32_t *is_new, const int *x)
{
    (void)caller;
    *is_new = !to->base;
    to->base = malloc((size_t)*n * sizeof *x);
    to->dim[0] = (struct gfortran_dim){1, 1, *n};
    to->offset = (size_t)-1;
    to->span = sizeof *x;
    to->dtype.elem_len = sizeof *x;
    to->dtype.rank = 1;
    to->dtype.type = CAF_INTEGER;
    memcpy(to->base, x, (size_t)*n * sizeof *x);
}

static int get_once(caf_token x)
{
    struct descriptor_room room;
    struct gfortran_descriptor *d = (void *)room.bytes;
    int n = N, stat = 77;
    memset(&room, 0x7b, sizeof room); /* the compiler sets the type, and clears the address */
    d->base = NULL;
    d->dtype.elem_len = sizeof(int);
    d->dtype.version = 0;
    d->dtype.rank = 1;
    d->dtype.type = CAF_INTEGER;
    _gfortran_caf_get_from_remote(x, NULL, NULL, 2, 0, &d->base, NULL, d, true,
                                  _gfortran_caf_get_remote_function_index(GET), &n, sizeof n, &stat, NULL, NULL);
    if (stat == CAF_OK)
        CHECK(d->dim[0].upper == N && ((int *)d->base)[N - 1] == N - 1, "the array is wrong");
    else
        CHECK(!d->base && gfortran_extent(&d->dim[0]) == 0, "status %d, %zu elements at %p", stat,
              gfortran_extent(&d->dim[0]), d->base);
    if (stat == CAF_OK)
        free(d->base);
    return stat;
}

int main(int argc, char **argv)
{
    struct descriptor_room room = {0};
    struct gfortran_descriptor *d = (void *)room.bytes;
    caf_token x;
    d->dtype.elem_len = sizeof(int);
    d->dtype.type = CAF_INTEGER;
    _gfortran_caf_register_accessor(GET, (void (*)(void))get);
    _gfortran_caf_register_accessors_finish();
    _gfortran_caf_register(N * sizeof(int), COARRAY_STATIC, &x, d, NULL, NULL, 0);
    _gfortran_caf_init(&argc, &argv);
    for (int i = 0; i < N; i++)
        ((int *)d->base)[i] = i;
    _gfortran_caf_sync_all(NULL, NULL, 0);
    if (shmem_my_pe() == 1) {
        signal(SIGALRM, die);
        setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 50000}}, NULL);
        _gfortran_caf_sync_all(NULL, NULL, 0);
    }
    int stat;
    while ((stat = get_once(x)) == CAF_OK && !check_failures)
        ;
    CHECK(stat == CAF_STAT_FAILED_IMAGE, "the status is %d", stat);
    const int result = check_result();
    if (!result)
        _gfortran_caf_finalize();
    return result;
}

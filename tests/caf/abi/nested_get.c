/* images: 1 2 4 */
/* An accessor of gfortran 15 and 16 that itself makes a get, like an accessor with an allocatable vector subscript,
 * depends on more than its arguments: the library must not learn the section that it moves. The compilers' copies of
 * such a vector always have a new address, because they are not freed. In this test the address is always the same, and
 * the values are different each time. */
#include "calls.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { WHOLE = 1000, PART = 400, TURNS = 40 };
enum { VECTOR = 101, BY_VECTOR, BY_BOUND }; /* the accessors' hashes */

static int runs; /* runs of get_by_bound */

static struct gfortran_descriptor *describe(struct descriptor_room *room, void *base)
{
    struct gfortran_descriptor *d = (void *)room->bytes;
    *d = (struct gfortran_descriptor){.base = base, .offset = (size_t)-1, .span = sizeof(int),
                                      .dtype = {.elem_len = sizeof(int), .rank = 1, .type = CAF_INTEGER}};
    d->dim[0] = (struct gfortran_dim){1, 1, PART};
    return d;
}

/* --- accessors ---------------------------------------------------------------------------------------------------- */

/* The destination of a getter, which allocates it if necessary. */
static int *room_in(struct gfortran_descriptor *buffer, int32_t *free_buffer)
{
    struct descriptor_room room;
    *free_buffer = !buffer->base;
    if (!buffer->base)
        memcpy(buffer, describe(&room, malloc(PART * sizeof(int))), sizeof *buffer + sizeof *buffer->dim);
    return buffer->base;
}

/* The descriptor of the subscripts in the caller's arguments. */
static void get_vector(void *none, const int *caller, struct gfortran_descriptor *buffer, int32_t *free_buffer,
                       const struct gfortran_descriptor *v)
{
    (void)none, (void)caller;
    memcpy(room_in(buffer, free_buffer), v->base, PART * sizeof(int));
}

/* x(v)[k] */
static void get_by_vector(struct gfortran_descriptor *v, const int *caller, struct gfortran_descriptor *buffer,
                          int32_t *free_buffer, const int *x, caf_token token)
{
    (void)v;
    struct descriptor_room room;
    struct gfortran_descriptor *values = describe(&room, NULL);
    int *to = room_in(buffer, free_buffer);
    _gfortran_caf_get_from_remote(token, NULL, NULL, *caller, 0, &values->base, NULL, values, true,
                                  _gfortran_caf_get_remote_function_index(VECTOR), NULL, 0, NULL, NULL, NULL);
    for (int i = 0; i < PART; i++)
        to[i] = x[((int *)values->base)[i] - 1];
    free(values->base);
}

/* x(n:n+399)[k] */
static void get_by_bound(const int *n, const int *caller, struct gfortran_descriptor *buffer, int32_t *free_buffer,
                         const int *x)
{
    (void)caller;
    memcpy(room_in(buffer, free_buffer), x + *n - 1, PART * sizeof *x);
    runs++;
}

/* --- the program -------------------------------------------------------------------------------------------------- */

static void get(int hash, caf_token x, int image, void *add_data, size_t add_bytes, int first)
{
    static int got[PART];
    struct descriptor_room room;
    struct gfortran_descriptor *d = describe(&room, got);
    memset(got, 0, sizeof got);
    _gfortran_caf_get_from_remote(x, NULL, NULL, image, sizeof got, &d->base, NULL, d, false,
                                  _gfortran_caf_get_remote_function_index(hash), add_data, add_bytes, NULL, NULL, NULL);
    for (int i = 0; i < PART; i++)
        CHECK(got[i] == WHOLE * image + first + i, "element %d of accessor %d is %d, not %d", i, hash, got[i],
              WHOLE * image + first + i);
}

int main(int argc, char **argv)
{
    static int v[PART];
    struct descriptor_room room, of_v;
    struct gfortran_descriptor *d = describe(&room, NULL);
    caf_token x;
    d->dtype.rank = 0; /* as the compiler passes it for static coarrays */
    _gfortran_caf_register_accessor(VECTOR, (void (*)(void))get_vector);
    _gfortran_caf_register_accessor(BY_VECTOR, (void (*)(void))get_by_vector);
    _gfortran_caf_register_accessor(BY_BOUND, (void (*)(void))get_by_bound);
    _gfortran_caf_register_accessors_finish();
    _gfortran_caf_register(WHOLE * sizeof(int), COARRAY_STATIC, &x, d, NULL, NULL, 0);
    _gfortran_caf_init(&argc, &argv);
    const int me = shmem_my_pe() + 1, image = me % shmem_n_pes() + 1;
    for (int i = 0; i < WHOLE; i++)
        ((int *)d->base)[i] = WHOLE * me + i + 1;
    _gfortran_caf_sync_all(NULL, NULL, 0);
    for (int turn = 0; turn < TURNS; turn++) {
        int n = 7;
        get(BY_BOUND, x, image, &n, sizeof n, n);
    }
    _gfortran_caf_sync_all(NULL, NULL, 0); /* the accessor runs on the image that gets, or on the source */
    CHECK(runs < TURNS, "the library has not learned a plain section in %d turns", TURNS);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < PART; i++)
            v[i] = 1 + turn + i;
        get(BY_VECTOR, x, image, describe(&of_v, v), sizeof of_v, 1 + turn);
    }
    _gfortran_caf_sync_all(NULL, NULL, 0);
    const int result = check_result();
    if (!result)
        _gfortran_caf_finalize();
    return result;
}

/* RANDOM_INIT (Fortran 2018, 16.9.155): libgfortran's own assumes one image. */
#include "abi.h"

#include <stdlib.h>

/* libgfortran's RANDOM_SEED(size, put, get). */
extern void _gfortran_random_seed_i4(int32_t *size, struct gfortran_descriptor *put, struct gfortran_descriptor *get)
    __attribute__((weak));

/* The next number of splitmix64: seeds that differ in one bit give unrelated sequences. */
static uint64_t next_of(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void seed_with(uint64_t state)
{
    int32_t n = 0;
    _gfortran_random_seed_i4(&n, NULL, NULL);
    int32_t *seed = malloc((size_t)n * sizeof *seed);
    if (!seed)
        caf_fatal("random_init: no memory for a seed of %d integers", n);
    for (int32_t i = 0; i < n; i++)
        seed[i] = (int32_t)(next_of(&state) >> 32);
    struct descriptor_room room = {0};
    struct gfortran_descriptor *put = (void *)room.bytes;
    put->base = seed;
    put->offset = (size_t)-1;
    put->dtype.elem_len = sizeof *seed;
    put->dtype.rank = 1;
    put->dtype.type = CAF_INTEGER;
    put->span = sizeof *seed;
    put->dim[0] = (struct gfortran_dim){.stride = 1, .lower = 1, .upper = n};
    _gfortran_random_seed_i4(NULL, put, NULL);
    free(seed);
}

/* If not repeatable, the seed depends on the job's random number and on the number of the call. */
GFORTRAN_API void _gfortran_caf_random_init(bool repeatable, bool image_distinct)
{
    static uint64_t calls;
    if (!_gfortran_random_seed_i4)
        return;
    uint64_t state = repeatable ? 0 : caf_job_random() + ++calls;
    if (image_distinct)
        state ^= (uint64_t)caf_this_image(caf_get_team(CAF_INITIAL_TEAM)) << 40;
    seed_with(state);
}

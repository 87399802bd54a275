/* What programs compiled with the plugin (src/caf/plugin) use: the table of near images, and calls for the others.
 *
 * A table never changes, because compiled code may keep what it has read until it next calls a function that may change
 * the current team. After an alert a new table, with this image alone, sends all other accesses here, where a failed
 * image is noticed. */
#include "../../common/wide_numbers.h"
#include "../plugin/layout.h"
#include "abi.h"

struct near_table {
    uint32_t layout;
    uint32_t beyond;
    uintptr_t heaps;
    size_t heaps_bytes;
    char nothing[CAF_NEAR_NOTHING_BYTES];
    ptrdiff_t distance[]; /* by image index; CAF_NOT_NEAR: by a call; 0: this image */
};
_Static_assert(offsetof(struct near_table, layout) == CAF_NEAR_NUMBER, "layout.h");
_Static_assert(offsetof(struct near_table, beyond) == CAF_NEAR_BEYOND, "layout.h");
_Static_assert(offsetof(struct near_table, heaps) == CAF_NEAR_HEAPS, "layout.h");
_Static_assert(offsetof(struct near_table, heaps_bytes) == CAF_NEAR_HEAPS_BYTES, "layout.h");
_Static_assert(offsetof(struct near_table, nothing) == CAF_NEAR_NOTHING, "layout.h");
_Static_assert(offsetof(struct near_table, distance) == CAF_NEAR_DISTANCE, "layout.h");
_Static_assert(sizeof(struct gfortran_descriptor) + CAF_RANK * sizeof(struct gfortran_dim) <= CAF_NEAR_NOTHING_BYTES,
               "layout.h");
_Static_assert(offsetof(struct caf_coarray, base) == CAF_COARRAY_BASE, "layout.h");
_Static_assert(offsetof(struct caf_coarray, bytes) == CAF_COARRAY_BYTES, "layout.h");

__extension__ static const struct near_table none = {.layout = CAF_NEAR_LAYOUT, .distance = {CAF_NOT_NEAR}};
GFORTRAN_API const struct near_table *_gfortran_caf_near = &none; /* always 8 bytes, because programs copy it */

uint32_t gfortran_near_alerts;

static ptrdiff_t distance_of(int pe)
{
    /* MUTANT this image is near */
    if (pe == caf_my_pe)
        return 0;
#ifdef COPAL_TAPPED
    return CAF_NOT_NEAR; /* the tool sees calls */
#else
    return caf_nearby.bytes && !gfortran_near_alerts ? caf_nearby.distance[pe] : CAF_NOT_NEAR;
#endif
}

static ptrdiff_t distance_of_image(size_t index)
{
    /* MUTANT the images of the team: caf_images.pes ? caf_images.pes[index - 1] : (int)index - 1 => (int)index - 1 */
    return distance_of(caf_images.pes ? caf_images.pes[index - 1] : (int)index - 1);
}

static struct near_table *new_table(size_t n)
{
    struct near_table *t = malloc(sizeof *t + (n + 2) * sizeof *t->distance);
    if (!t)
        caf_fatal("no memory for the addresses of %zu images' memory", n);
    *t = (struct near_table){CAF_NEAR_LAYOUT, (uint32_t)n + 1, caf_heaps.from, caf_heaps.bytes, {0}};
    /* MUTANT no image has that index: CAF_NOT_NEAR => 0 */
    t->distance[0] = t->distance[n + 1] = CAF_NOT_NEAR;
    for (size_t i = 1; i <= n; i++)
        t->distance[i] = distance_of_image(i);
    return t;
}

static bool is_of_images(const struct near_table *t, size_t n)
{
    bool same = t->beyond == n + 1;
    for (size_t i = 1; same && i <= n; i++)
        same = t->distance[i] == distance_of_image(i);
    return same;
}

/* Programs often change between the initial team and one other team: no memory is allocated for that. */
void gfortran_near_update(void)
{
    static struct near_table *of_initial, *other; /* the initial team's table without alerts; the latest other table */
    const bool is_initial = !caf_images.pes && !*caf_alerts;
    struct near_table **const t = is_initial ? &of_initial : &other;
    const size_t n = (size_t)caf_images.n;
    gfortran_near_alerts = *caf_alerts;
    /* MUTANT a kept table is of the images: is_of_images(*t, n) => true */
    if (!*t || !(is_initial || is_of_images(*t, n))) {
        free(*t);
        *t = new_table(n);
    }
    _gfortran_caf_near = *t;
}

__attribute__((constructor)) static void begin(void)
{
    caf_accesses_change = gfortran_near_update;
}

/* --- scalars by value --------------------------------------------------------------------------------------------- */

/* For the compiler these calls access no memory, so they must never access this image's own memory, which the program
 * may hold in registers; every table has this image. */

static int other_pe(const char *access, caf_token token, size_t offset, int image, size_t bytes, char **at)
{
    const int pe = gfortran_accessed_pe(access, token, image, NULL, NULL);
    *at = gfortran_address(access, token, offset, bytes);
    if (CAF_UNLIKELY(pe == caf_my_pe))
        caf_fatal("%s: an internal error of Copal: this image's own memory is accessed by a call", access);
    return pe;
}

/* Only compiled code uses this variable (emit.cc): a put by value changes it, and a get by value passes it. It always
 * has 8 bytes, because programs copy it. */
GFORTRAN_API uint64_t _gfortran_caf_value_order;

GFORTRAN_API void _gfortran_caf_value_put(caf_token token, size_t offset, int image, int bytes, uint64_t value)
{
    char *at;
    const int pe = other_pe("put", token, offset, image, (size_t)bytes, &at);
    caf_put_bytes(pe, at, &value, (size_t)bytes);
}

GFORTRAN_API uint64_t _gfortran_caf_value_get(caf_token token, size_t offset, int image, int bytes, uint64_t order)
{
    (void)order;
    char *at;
    uint64_t value = 0;
    const int pe = other_pe("get", token, offset, image, (size_t)bytes, &at);
    if (caf_get_bytes(pe, &value, at, (size_t)bytes))
        gfortran_say_if_failed("get", pe, NULL);
    return value;
}

GFORTRAN_API void _gfortran_caf_value_put16(caf_token token, size_t offset, int image, uint128 value)
{
    char *at;
    const int pe = other_pe("put", token, offset, image, sizeof value, &at);
    caf_put_bytes(pe, at, &value, sizeof value);
}

GFORTRAN_API uint128 _gfortran_caf_value_get16(caf_token token, size_t offset, int image, uint64_t order)
{
    (void)order;
    char *at;
    uint128 value = 0;
    const int pe = other_pe("get", token, offset, image, sizeof value, &at);
    if (caf_get_bytes(pe, &value, at, sizeof value))
        gfortran_say_if_failed("get", pe, NULL);
    return value;
}

#include "local.h"

static int image_or_all(const int *result_image)
{
    return result_image ? *result_image : 0;
}

static int reduce(enum caf_reduction reduction, const struct prif_descriptor *a, const int *result_image)
{
    struct caf_section s;
    prif_section(&s, a);
    if (CAF_UNLIKELY(result_image && *result_image < 1))
        return caf_say(CAF_STAT_ERROR, "result_image is %d, allowed are 1 to %d", *result_image, caf_num_images(NULL));
    return caf_co_reduce_intrinsic(reduction, &s, image_or_all(result_image));
}

/* prif_co_sum, prif_co_max, prif_co_max_character, prif_co_min, prif_co_min_character */
#define INTRINSIC(N, OP) PRIF(N)(const struct prif_descriptor *a, const int *result_image, PRIF_ERRORS) \
    { prif_report(reduce(OP, a, result_image), stat, errmsg, errmsg_alloc); }
INTRINSIC(co_sum, CAF_CO_SUM)
INTRINSIC(co_max, CAF_CO_MAX)
INTRINSIC(co_max_character, CAF_CO_MAX)
INTRINSIC(co_min, CAF_CO_MIN)
INTRINSIC(co_min_character, CAF_CO_MIN)

/* --- co_reduce ---------------------------------------------------------------------------------------------------- */

struct operation {
    prif_operation *run;
    void *data;
};

/* The operands may be exchanged, because the program's operation is commutative. */
static void combine(void *context, void *into, const void *from, size_t n)
{
    const struct operation *o = context;
    o->run(from, into, n, o->data);
}

static int reduce_by(const struct caf_section *a, prif_operation *run, void *data, const int *result_image)
{
    struct operation o = {run, data};
    if (CAF_UNLIKELY(!run))
        return caf_say(CAF_STAT_ERROR, "co_reduce: operation_wrapper is not associated");
    if (CAF_UNLIKELY(result_image && *result_image < 1))
        return caf_say(CAF_STAT_ERROR, "co_reduce: result_image is %d, allowed are 1 to %d", *result_image,
                       caf_num_images(NULL));
    return a->size ? caf_co_reduce(a, combine, &o, image_or_all(result_image)) : CAF_OK;
}

PRIF(co_reduce)(const struct prif_descriptor *a, prif_operation *const *operation_wrapper, void *cdata,
                const int *result_image, PRIF_ERRORS)
{
    struct caf_section s;
    prif_section(&s, a);
    prif_report(reduce_by(&s, *operation_wrapper, cdata, result_image), stat, errmsg, errmsg_alloc);
}

static struct caf_section bytes_at(void *base, size_t element_bytes, size_t n)
{
    struct caf_section s = {.base = base, .type = CAF_DERIVED, .size = element_bytes, .rank = 1};
    s.dim[0] = (struct caf_dim){.count = n, .step = (ptrdiff_t)element_bytes};
    return s;
}

PRIF(co_reduce_cptr)(void *const *a_ptr, const size_t *element_size, const size_t *element_count,
                     prif_operation *const *operation_wrapper, void *cdata, const int *result_image, PRIF_ERRORS)
{
    const struct caf_section s = bytes_at(*a_ptr, *element_size, *element_count);
    prif_report(reduce_by(&s, *operation_wrapper, cdata, result_image), stat, errmsg, errmsg_alloc);
}

/* --- co_broadcast ------------------------------------------------------------------------------------------------- */

PRIF(co_broadcast)(const struct prif_descriptor *a, const int *source_image, PRIF_ERRORS)
{
    struct caf_section s;
    prif_section(&s, a);
    prif_report(caf_co_broadcast(&s, *source_image), stat, errmsg, errmsg_alloc);
}

PRIF(co_broadcast_cptr)(void *const *a_ptr, const size_t *size_in_bytes, const int *source_image, PRIF_ERRORS)
{
    const struct caf_section s = bytes_at(*a_ptr, 1, *size_in_bytes);
    prif_report(caf_co_broadcast(&s, *source_image), stat, errmsg, errmsg_alloc);
}

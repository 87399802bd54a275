/* The dimensions of LFortran's own descriptors, for lfortran.f90: if an argument of a BIND(C) procedure may have any
 * rank, LFortran omits them. */
#include "local.h"

struct lfortran_descriptor {
    void *base;
    int64_t element_bytes;
    int version;
    uint8_t rank;
    int8_t type, attribute, extra;
    int64_t offset;
    struct lfortran_dim {
        int64_t lower, extent, stride; /* in elements */
    } dim[];
};

/* Completes the descriptor of BIND(C). The extents show whether LFortran's descriptor has the layout above. */
__attribute__((visibility("default")))
void copal_lfortran_array(struct prif_descriptor *to, const struct lfortran_descriptor *a, const int64_t *elements);
void copal_lfortran_array(struct prif_descriptor *to, const struct lfortran_descriptor *a, const int64_t *elements)
{
    int64_t n = 1;
    bool is_known = to->rank <= CAF_RANK && a->rank == to->rank;
    for (int i = 0; is_known && i < to->rank; i++) {
        const struct lfortran_dim *d = &a->dim[i];
        to->dim[i] = (struct prif_dim){d->lower, d->extent, d->stride * (ptrdiff_t)to->element_bytes};
        n *= d->extent;
    }
    if (!is_known || n != *elements)
        caf_fatal("the argument of a collective subroutine is not described as by LFortran 0.67; use that version, or "
                  "a version of Copal that supports this one");
}

extern __typeof__(copal_lfortran_array) copal_lfortran_text
    __attribute__((alias("copal_lfortran_array"), visibility("default")));

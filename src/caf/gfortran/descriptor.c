#include "abi.h"

void gfortran_section(struct caf_section *s, const struct gfortran_descriptor *d, int kind, void *base)
{
    s->base = base;
    s->type = d->dtype.type > CAF_CHARACTER ? CAF_DERIVED : (enum caf_type)d->dtype.type;
    s->kind = kind;
    s->size = d->dtype.elem_len;
    s->rank = d->dtype.rank;
    s->foreign = false;
    for (int i = 0; i < s->rank; i++)
        s->dim[i] = (struct caf_dim){.count = gfortran_extent(&d->dim[i]), .step = d->dim[i].stride * d->span};
}

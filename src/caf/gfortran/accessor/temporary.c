/* gfortran 15 and 16 do not free a temporary whose size is not a small constant. The library recognizes the temporary
 * as the last result of the program's malloc. The library frees it when the same coindexed object in the same frame
 * (its descriptor is at the same address) gets a new temporary. */
#include "temporary.h"

#include "../allocation.h"

enum { STATEMENTS = 256 }; /* temporaries of further statements are not freed */

static struct kept {
    const struct gfortran_descriptor *descriptor;
    int index;              /* number of the accessor: each coindexed object has its own accessor */
    _Atomic(void *) block;  /* NULL: the compiler has freed it */
} kept[STATEMENTS];
static _Atomic int n_kept;
static _Atomic uint64_t pages; /* a filter: one bit for each page that contains a block */

static uint64_t page_of(const void *p)
{
    return UINT64_C(1) << ((uintptr_t)p >> 12) % 64;
}

/* A compiler may free the temporary after all, now or at the end of the enclosing block. */
static void forget(void *p)
{
    if (CAF_LIKELY(!(page_of(p) & pages)))
        return;
    for (int i = 0; i < n_kept; i++)
        if (kept[i].block == p)
            kept[i].block = NULL;
}

static struct kept *place_of(const struct gfortran_descriptor *temporary, int index)
{
    int i = 0;
    while (i < n_kept && !(kept[i].descriptor == temporary && kept[i].index == index))
        i++;
    if (i == STATEMENTS)
        return NULL;
    n_kept = i < n_kept ? n_kept : i + 1;
    return &kept[i];
}

void temporary_note(const struct gfortran_descriptor *temporary, int index)
{
    void *block = temporary->base;
    if (CAF_LIKELY(!block || block != gfortran_last_block))
        return;
    gfortran_last_block = NULL;
    struct kept *k = place_of(temporary, index);
    if (!k)
        return;
    if (k->block)
        gfortran_free(k->block);
    *k = (struct kept){temporary, index, block};
    pages |= page_of(block);
    gfortran_forget = forget;
}

/* Coindexed assignments of sections between two images, by every plan, beside the same assignment by plain loops on the
 * other image's memory.  One line per row: what, plan, microseconds of a put, of a get, and both over the plain loop.
 *
 * usage: oshrun -n 2 sections   (CAF_NEAR=0: by puts and gets alone) */
#include "caf/access/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 15 };

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

struct row {
    const char *name;
    struct caf_section far, here; /* of doubles */
};

static void put(const struct row *r)
{
    caf_put(1, &r->far, &r->here);
}

static void get(const struct row *r)
{
    caf_get(1, &r->here, &r->far);
}

/* As a compiler has it: the loops in array element order, the innermost by itself. */
static void plain(const struct caf_section *to, const struct caf_section *from)
{
    const struct caf_dim one = {1, 0, NULL};
    const struct caf_dim *t[3], *f[3];
    for (int i = 0; i < 3; i++) {
        t[i] = i < to->rank ? &to->dim[i] : &one;
        f[i] = i < from->rank ? &from->dim[i] : &one;
    }
    for (size_t k = 0; k < t[2]->count; k++)
        for (size_t j = 0; j < t[1]->count; j++) {
            char *to_at = to->base + (ptrdiff_t)k * t[2]->step + (ptrdiff_t)j * t[1]->step;
            const char *from_at = from->base + (ptrdiff_t)k * f[2]->step + (ptrdiff_t)j * f[1]->step;
            const ptrdiff_t to_step = t[0]->step, from_step = f[0]->step;
            if (to_step == sizeof(double) && from_step == sizeof(double))
                memcpy(to_at, from_at, t[0]->count * sizeof(double));
            else
                for (size_t i = t[0]->count; i > 0; i--, to_at += to_step, from_at += from_step)
                    *(double *)(void *)to_at = *(const double *)(const void *)from_at;
        }
}

static struct caf_section near_of(const struct caf_section *s)
{
    struct caf_section n = *s;
    n.base = shmem_ptr(s->base, 1);
    return n;
}

static void plain_put(const struct row *r)
{
    const struct caf_section to = near_of(&r->far);
    plain(&to, &r->here);
}

static void plain_get(const struct row *r)
{
    const struct caf_section from = near_of(&r->far);
    plain(&r->here, &from);
}

/* The fastest of some rounds of a millisecond or so. */
static double time_of(void (*f)(const struct row *), const struct row *r)
{
    double best = 1e30;
    long n = 1;
    for (int round = 0; round < ROUNDS;) {
        const double start = now_us();
        for (long i = 0; i < n; i++)
            f(r);
        caf_complete_puts();
        const double took = now_us() - start;
        if (took < 1000) {
            n *= 2;
            continue;
        }
        best = took / (double)n < best ? took / (double)n : best;
        round++;
    }
    return best;
}

static void run(const struct row *r)
{
    static const char *const plans[] = {"auto", "direct", "naive", "iput", "2dim", "matrix"};
    const bool is_near = shmem_ptr(r->far.base, 1) != NULL;
    const double p = is_near ? time_of(plain_put, r) : 0, g = is_near ? time_of(plain_get, r) : 0;
    printf("%-34s %-7s %10.3f %10.3f\n", r->name, "loop", p, g);
    for (caf_plan = CAF_PLAN_AUTO; caf_plan <= CAF_PLAN_MATRIX; caf_plan++) {
        if (caf_plan == CAF_PLAN_DIRECT)
            continue;
        const double our_p = time_of(put, r), our_g = time_of(get, r);
        printf("%-34s %-7s %10.3f %10.3f   %6.2f %6.2f\n", r->name, plans[caf_plan], our_p, our_g, our_p / p,
               our_g / g);
    }
}

static struct caf_section section(double *base, int rank, const size_t *counts, const ptrdiff_t *steps)
{
    struct caf_section s = {.base = (char *)base, .type = CAF_REAL, .kind = 8, .size = 8, .rank = rank};
    for (int i = 0; i < rank; i++)
        s.dim[i] = (struct caf_dim){.count = counts[i], .step = steps[i] * (ptrdiff_t)sizeof(double)};
    return s;
}

/* Subscripts of the far array and of the contiguous one here. */
static struct row row(const char *name, double *far, double *here, int rank, const size_t *counts,
                      const ptrdiff_t *steps)
{
    ptrdiff_t dense[CAF_RANK], step = 1;
    for (int i = 0; i < rank; i++) {
        dense[i] = step;
        step *= (ptrdiff_t)counts[i];
    }
    return (struct row){name, section(far, rank, counts, steps), section(here, rank, counts, dense)};
}

int main(void)
{
    caf_init();
    double *far = caf_heap_allocate((size_t)8 << 20), *here = malloc(8 << 20);
    for (size_t i = 0; i < 1 << 20; i++)
        far[i] = here[i] = (double)i;
    shmem_barrier_all();
    if (shmem_my_pe() == 0 && shmem_n_pes() > 1) {
        const struct row rows[] = {
            row("8 B", far, here, 1, (size_t[]){1}, (ptrdiff_t[]){1}),
            row("1 KiB", far, here, 1, (size_t[]){128}, (ptrdiff_t[]){1}),
            row("4 MiB", far, here, 1, (size_t[]){1 << 19}, (ptrdiff_t[]){1}),
            row("8 of 8 B", far, here, 1, (size_t[]){8}, (ptrdiff_t[]){2}),
            row("row of 1024", far, here, 1, (size_t[]){1024}, (ptrdiff_t[]){1024}),
            row("column of 1024", far, here, 1, (size_t[]){1024}, (ptrdiff_t[]){1}),
            row("a(1:512:2, 1:512:2), 512 KiB", far, here, 2, (size_t[]){256, 256}, (ptrdiff_t[]){2, 1024}),
            row("a(1:256, 1:512:2), columns", far, here, 2, (size_t[]){256, 256}, (ptrdiff_t[]){1, 1024}),
            row("transpose, 512 x 512", far, here, 2, (size_t[]){512, 512}, (ptrdiff_t[]){512, 1}),
            row("face of 64 x 64 x 64, first", far, here, 2, (size_t[]){64, 64}, (ptrdiff_t[]){64, 4096}),
            row("face of 64 x 64 x 64, second", far, here, 2, (size_t[]){64, 64}, (ptrdiff_t[]){1, 4096}),
            row("pairs of 64 x 64", far, here, 3, (size_t[]){2, 64, 64}, (ptrdiff_t[]){1, 4, 256}),
        };
        printf("%-34s %-7s %10s %10s   %6s %6s\n", "", "plan", "put, us", "get, us", "/loop", "/loop");
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            run(&rows[i]);
    }
    shmem_barrier_all();
    caf_finalize();
    return 0;
}

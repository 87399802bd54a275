#include "shmem/groups.h"

/* Checks a symmetric buffer that has n elements for each of `members` members. */
static void check_buffer(const char *arg, const void *buffer, size_t n, size_t size, size_t members,
                         const char *routine)
{
    const size_t bytes = bytes_of(bytes_of(n, size, routine), members, routine);
    if (bytes)
        reach_arg(arg, buffer, bytes, node.me, routine);
}

/* Checks a strided buffer. It ends with the last element of the last block. */
static void check_strided(const char *arg, const char *stride_arg, const void *buffer, ptrdiff_t stride, size_t n,
                          size_t size, size_t members, const char *routine)
{
    if (stride < 1)
        job_fatal(routine, "argument %s is %td, allowed are strides of 1 and more", stride_arg, stride);
    const size_t elements = bytes_of(n, members, routine);
    if (elements)
        check_buffer(arg, buffer, bytes_of(elements - 1, (size_t)stride, routine) + 1, size, 1, routine);
}

/* Checks each element of dest against the two elements of source that are nearest. */
static void check_strided_overlap(const char *dest, ptrdiff_t dst, const char *source, ptrdiff_t sst, size_t elements,
                                  size_t size, const char *routine)
{
    const ptrdiff_t to_step = dst * (ptrdiff_t)size, from_step = sst * (ptrdiff_t)size;
    for (size_t i = 0; i < elements; i++, dest += to_step) {
        const size_t first = dest > source ? (size_t)((dest - source) / from_step) : 0;
        for (size_t j = first; j < elements && j <= first + 1; j++)
            check_overlap(dest, size, source + (ptrdiff_t)j * from_step, size, routine);
    }
}

void group_sync(struct shcoll_group *g, const char *routine)
{
    enter_together(g, JUST_SYNC);
    if (UNLIKELY(node.debug)) {
        debug_agree(g, routine, NULL, 0);
        debug_synchronized();
    }
    shcoll_sync(g);
    leave();
}

void group_broadcast(struct shcoll_group *g, void *dest, const void *source, size_t nelems, size_t size, int root,
                     const char *routine)
{
    if (root < 0 || root >= g->size)
        job_fatal(routine, "argument PE_root is %d, allowed are 0 to %d%s", root, g->size - 1, node_alone());
    check_buffer("dest", dest, nelems, size, 1, routine);
    check_buffer("source", source, nelems, size, 1, routine);
    if (UNLIKELY(node.debug)) {
        debug_agree(g, routine,
                    (struct debug_argument[]){{"dest", debug_offset(dest)}, {"source", debug_offset(source)},
                                              {"nelems", nelems}, {"PE_root", (uint64_t)root}}, 4);
        if (dest != source)
            check_overlap(dest, nelems * size, source, nelems * size, routine);
    }
    shcoll_broadcast(g, dest, source, nelems * size, root);
    leave();
}

void group_gather(enum gather what, struct shcoll_group *g, void *dest, const void *source, size_t nelems, size_t size,
                  const char *routine)
{
    const size_t to_pieces = what == COLLECT ? 1 : (size_t)g->size,
                 from_pieces = what == ALLTOALL ? (size_t)g->size : 1;
    enter_together(g, WITH_DATA);
    check_buffer("dest", dest, nelems, size, to_pieces, routine);
    check_buffer("source", source, nelems, size, from_pieces, routine);
    if (UNLIKELY(node.debug)) {
        debug_agree(g, routine,
                    (struct debug_argument[]){
                        {"dest", debug_offset(dest)}, {"source", debug_offset(source)}, {"nelems", nelems}},
                    what == COLLECT ? 2 : 3);
        const size_t all = what == COLLECT ? debug_sum(g, nelems) : to_pieces * nelems;
        check_buffer("dest", dest, all, size, 1, routine);
        check_overlap(dest, all * size, source, from_pieces * nelems * size, routine);
    }
    switch (what) {
    case COLLECT: shcoll_collect(g, dest, source, nelems * size); break;
    case FCOLLECT: shcoll_fcollect(g, dest, source, nelems * size); break;
    case ALLTOALL: shcoll_alltoall(g, dest, source, nelems * size); break;
    }
    leave();
}

void group_alltoalls(struct shcoll_group *g, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                     size_t nelems, size_t size, const char *routine)
{
    enter_together(g, WITH_DATA);
    check_strided("dest", "dst", dest, dst, nelems, size, (size_t)g->size, routine);
    check_strided("source", "sst", source, sst, nelems, size, (size_t)g->size, routine);
    if (UNLIKELY(node.debug)) {
        debug_agree(g, routine,
                    (struct debug_argument[]){{"dest", debug_offset(dest)}, {"source", debug_offset(source)},
                                              {"dst", (uint64_t)dst}, {"sst", (uint64_t)sst}, {"nelems", nelems}}, 5);
        check_strided_overlap(dest, dst, source, sst, nelems * (size_t)g->size, size, routine);
    }
    shcoll_alltoalls(g, dest, source, dst, sst, nelems, size);
    leave();
}

void group_reduce(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op,
                  enum reduction kind, const char *routine)
{
    if (kind == REDUCE_ALL)
        enter_together(g, WITH_DATA);
    check_buffer("dest", dest, n, op->size, 1, routine);
    check_buffer("source", source, n, op->size, 1, routine);
    if (UNLIKELY(node.debug)) {
        if (dest != source)
            check_overlap(dest, n * op->size, source, n * op->size, routine);
        debug_agree(g, routine,
                    (struct debug_argument[]){{"dest", debug_offset(dest)}, {"source", debug_offset(source)},
                                              {kind == REDUCE_ALL ? "nreduce" : "nelems", n}}, 3);
    }
    switch (kind) {
    case REDUCE_ALL: shcoll_reduce(g, dest, source, n, op); break;
    case INSCAN: shcoll_inscan(g, dest, source, n, op); break;
    case EXSCAN: shcoll_exscan(g, dest, source, n, op); break;
    }
    leave();
}

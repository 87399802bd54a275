/* Remote memory access (9.6).
 *
 * An operation exists for each type (shmem_double_put); most also exist for each size of an element in bits
 * (shmem_put64), and for bytes (shmem_putmem).  Each also exists with a context as its first argument
 * (shmem_ctx_double_put).  To address memory on PE pe, pass the address of the same symmetric object on this PE: of a
 * static variable, or of a block of shmem_malloc.
 *
 * nelems: number of elements, or in the ...mem routines bytes; 0 does nothing
 * value: what is stored
 * dst: distance from one element of dest to the next, in elements: 1 is contiguous
 * sst: the same for source
 * bsize: elements in a block
 * nblocks: number of blocks; 0 does nothing
 *
 * KIND: integer, real, double, complex, logical, int4, int8, real4, real8, real16, comp4 or comp8
 * WIDTH: 4, 8, 16 (bytes of an element), 32, 64, 128 (bits of an element) or nothing (64 bits)
 *
 * Fortran: Data are of any type and rank, sections without gaps; counts and strides are integers of any kind.
 * Routines named after a size, and shmem_...mem, take addresses, type(c_ptr), and counts of integer(c_size_t).  The
 * routines of shmem.fh take variables.  If their names contain character or mem, they count bytes, else elements. */

/* put, putmem: copy data to another PE (9.6.1.1).
 *
 * Copies nelems elements from source here to dest on PE pe.  Puts may arrive in any order: shmem_fence orders them,
 * and shmem_put_signal notifies the other PE.
 *
 * dest: symmetric; the destination on PE pe
 * source: any memory of the calling PE
 *
 * On return: source may be reused.  The data may arrive later: shmem_quiet completes them.
 *
 * Classic: shmem_KIND_put, shmem_putWIDTH, shmem_putmem, shmem_character_put(dest, source, nelems, pe) */
#define COPAL_PUT(T, N) COPAL_DECL_CTX(void, N##_put, T *dest, const T *source, size_t nelems, int pe)
#define COPAL_PUT_SIZE(BITS) COPAL_DECL_CTX(void, put##BITS, void *dest, const void *source, size_t nelems, int pe)
COPAL_TYPES_RMA(COPAL_PUT)
COPAL_SIZES(COPAL_PUT_SIZE)
COPAL_DECL_CTX(void, putmem, void *dest, const void *source, size_t nelems, int pe)
#undef COPAL_PUT
#undef COPAL_PUT_SIZE

/* p: store one value on another PE (9.6.1.2).
 *
 * Stores value to dest on PE pe.
 *
 * dest: symmetric; the destination on PE pe
 *
 * On return: the value may arrive later: shmem_quiet completes it.
 *
 * Fortran: TYPE is any kind of integer, real, complex or logical, or characters. */
#define COPAL_P(T, N) COPAL_DECL_CTX(void, N##_p, T *dest, T value, int pe)
COPAL_TYPES_RMA(COPAL_P)
#undef COPAL_P

/* iput: copy strided elements to another PE (9.6.1.3).
 *
 * Copies nelems elements: every sst-th element of source here to every dst-th element of dest on PE pe.
 *
 * dest: symmetric; the first element that is written on PE pe
 * source: the first element that is copied; any memory of the calling PE
 *
 * On return: source may be reused.  The data may arrive later: shmem_quiet completes them.
 *
 * Classic: shmem_KIND_iput, shmem_iputWIDTH(dest, source, dst, sst, nelems, pe) */
#define COPAL_IPUT(T, N) COPAL_DECL_CTX(void, N##_iput, \
    T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
#define COPAL_IPUT_SIZE(BITS) COPAL_DECL_CTX(void, iput##BITS, \
    void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
COPAL_TYPES_RMA(COPAL_IPUT)
COPAL_SIZES(COPAL_IPUT_SIZE)
#undef COPAL_IPUT
#undef COPAL_IPUT_SIZE

/* ibput: copy strided blocks to another PE (9.6.1.4; since 1.6).
 *
 * Copies nblocks blocks of bsize elements from source here to dest on PE pe.
 *
 * dest: symmetric; the first block that is written on PE pe
 * source: the first block that is copied; any memory of the calling PE
 * dst: distance from the start of one block of dest to the start of the next, in elements
 *
 * On return: source may be reused.  The data may arrive later: shmem_quiet completes them. */
#define COPAL_IBPUT(T, N) COPAL_DECL_CTX(void, N##_ibput, \
    T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
#define COPAL_IBPUT_SIZE(BITS) COPAL_DECL_CTX(void, ibput##BITS, \
    void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
COPAL_TYPES_RMA(COPAL_IBPUT)
COPAL_SIZES(COPAL_IBPUT_SIZE)
#undef COPAL_IBPUT
#undef COPAL_IBPUT_SIZE

/* get, getmem: copy data from another PE (9.6.1.5).
 *
 * Copies nelems elements from source on PE pe to dest here.
 *
 * dest: any memory of the calling PE
 * source: symmetric; the source on PE pe
 *
 * On return: dest has the data.
 *
 * Classic: shmem_KIND_get, shmem_getWIDTH, shmem_getmem, shmem_character_get(dest, source, nelems, pe) */
#define COPAL_GET(T, N) COPAL_DECL_CTX(void, N##_get, T *dest, const T *source, size_t nelems, int pe)
#define COPAL_GET_SIZE(BITS) COPAL_DECL_CTX(void, get##BITS, void *dest, const void *source, size_t nelems, int pe)
COPAL_TYPES_RMA(COPAL_GET)
COPAL_SIZES(COPAL_GET_SIZE)
COPAL_DECL_CTX(void, getmem, void *dest, const void *source, size_t nelems, int pe)
#undef COPAL_GET
#undef COPAL_GET_SIZE

/* g: load one value of another PE (9.6.1.6).
 *
 * source: symmetric; the source on PE pe
 *
 * On return: the operation is complete.
 *
 * Returns: the value at source on PE pe.
 *
 * Fortran: TYPE is any kind of integer, real, complex or logical, or characters. */
#define COPAL_G(T, N) COPAL_DECL_CTX(T, N##_g, const T *source, int pe)
COPAL_TYPES_RMA(COPAL_G)
#undef COPAL_G

/* iget: copy strided elements from another PE (9.6.1.7).
 *
 * Copies nelems elements: every sst-th element of source on PE pe to every dst-th element of dest here.
 *
 * dest: the first element that is written; any memory of the calling PE
 * source: symmetric; the first element that is read on PE pe
 *
 * On return: dest has the data.
 *
 * Classic: shmem_KIND_iget, shmem_igetWIDTH(dest, source, dst, sst, nelems, pe) */
#define COPAL_IGET(T, N) COPAL_DECL_CTX(void, N##_iget, \
    T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
#define COPAL_IGET_SIZE(BITS) COPAL_DECL_CTX(void, iget##BITS, \
    void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
COPAL_TYPES_RMA(COPAL_IGET)
COPAL_SIZES(COPAL_IGET_SIZE)
#undef COPAL_IGET
#undef COPAL_IGET_SIZE

/* ibget: copy strided blocks from another PE (9.6.1.8; since 1.6).
 *
 * Copies nblocks blocks of bsize elements from source on PE pe to dest here.
 *
 * dest: the first block that is written; any memory of the calling PE
 * source: symmetric; the first block that is read on PE pe
 * dst: distance from the start of one block of dest to the start of the next, in elements
 *
 * On return: dest has the data. */
#define COPAL_IBGET(T, N) COPAL_DECL_CTX(void, N##_ibget, \
    T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
#define COPAL_IBGET_SIZE(BITS) COPAL_DECL_CTX(void, ibget##BITS, \
    void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
COPAL_TYPES_RMA(COPAL_IBGET)
COPAL_SIZES(COPAL_IBGET_SIZE)
#undef COPAL_IBGET
#undef COPAL_IBGET_SIZE

/* put_nbi, putmem_nbi: copy data to another PE, nonblocking (9.6.2.1).
 *
 * Begins to copy nelems elements from source here to dest on PE pe.
 *
 * dest: symmetric; the destination on PE pe
 * source: any memory of the calling PE; not to be changed until shmem_quiet
 *
 * On return: the put may still be pending.  shmem_quiet completes it: then source may be reused, and dest has the data.
 *
 * Classic: shmem_KIND_put_nbi, shmem_putWIDTH_nbi, shmem_putmem_nbi, shmem_character_put_nbi(dest, source, nelems,
 * pe) */
#define COPAL_PUT_NBI(T, N) COPAL_DECL_CTX(void, N##_put_nbi, T *dest, const T *source, size_t nelems, int pe)
#define COPAL_PUT_NBI_SIZE(BITS) \
    COPAL_DECL_CTX(void, put##BITS##_nbi, void *dest, const void *source, size_t nelems, int pe)
COPAL_TYPES_RMA(COPAL_PUT_NBI)
COPAL_SIZES(COPAL_PUT_NBI_SIZE)
COPAL_DECL_CTX(void, putmem_nbi, void *dest, const void *source, size_t nelems, int pe)
#undef COPAL_PUT_NBI
#undef COPAL_PUT_NBI_SIZE

/* get_nbi, getmem_nbi: copy data from another PE, nonblocking (9.6.2.2).
 *
 * Begins to copy nelems elements from source on PE pe to dest here.
 *
 * dest: any memory of the calling PE; not to be accessed until shmem_quiet
 * source: symmetric; the source on PE pe
 *
 * On return: the get may still be pending.  dest has the data after shmem_quiet.
 *
 * Classic: shmem_KIND_get_nbi, shmem_getWIDTH_nbi, shmem_getmem_nbi, shmem_character_get_nbi(dest, source, nelems,
 * pe) */
#define COPAL_GET_NBI(T, N) COPAL_DECL_CTX(void, N##_get_nbi, T *dest, const T *source, size_t nelems, int pe)
#define COPAL_GET_NBI_SIZE(BITS) \
    COPAL_DECL_CTX(void, get##BITS##_nbi, void *dest, const void *source, size_t nelems, int pe)
COPAL_TYPES_RMA(COPAL_GET_NBI)
COPAL_SIZES(COPAL_GET_NBI_SIZE)
COPAL_DECL_CTX(void, getmem_nbi, void *dest, const void *source, size_t nelems, int pe)
#undef COPAL_GET_NBI
#undef COPAL_GET_NBI_SIZE

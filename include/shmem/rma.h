/* Remote memory access (9.6).
 *
 * An operation comes per type (shmem_double_put), most also per size of an element in bits (shmem_put64) and some in
 * bytes (shmem_putmem); each of these again with a context as its first argument (shmem_ctx_double_put).  Without one,
 * the context is SHMEM_CTX_DEFAULT.  pe is a number in the context's team.  Memory on PE pe is named by its symmetric
 * address here.  Counts and strides are in elements, in the ...mem routines in bytes. */

/* put: copy nelems elements from source here to dest on PE pe; on return source may be reused (9.6.1.1). */
#define COPAL_PUT(T, N) COPAL_DECL_CTX(void, N##_put, T *dest, const T *source, size_t nelems, int pe)
#define COPAL_PUT_SIZE(BITS) COPAL_DECL_CTX(void, put##BITS, void *dest, const void *source, size_t nelems, int pe)
COPAL_TYPES_RMA(COPAL_PUT)
COPAL_SIZES(COPAL_PUT_SIZE)
COPAL_DECL_CTX(void, putmem, void *dest, const void *source, size_t nelems, int pe)
#undef COPAL_PUT
#undef COPAL_PUT_SIZE

/* p: store one value at dest on PE pe (9.6.1.2). */
#define COPAL_P(T, N) COPAL_DECL_CTX(void, N##_p, T *dest, T value, int pe)
COPAL_TYPES_RMA(COPAL_P)
#undef COPAL_P

/* iput: copy nelems elements, each sst-th of source here to each dst-th of dest on PE pe (9.6.1.3). */
#define COPAL_IPUT(T, N) COPAL_DECL_CTX(void, N##_iput, \
    T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
#define COPAL_IPUT_SIZE(BITS) COPAL_DECL_CTX(void, iput##BITS, \
    void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
COPAL_TYPES_RMA(COPAL_IPUT)
COPAL_SIZES(COPAL_IPUT_SIZE)
#undef COPAL_IPUT
#undef COPAL_IPUT_SIZE

/* ibput: copy nblocks blocks of bsize elements; from the start of one block to the start of the next it is sst
 * elements in source here and dst elements in dest on PE pe (9.6.1.4). */
#define COPAL_IBPUT(T, N) COPAL_DECL_CTX(void, N##_ibput, \
    T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
#define COPAL_IBPUT_SIZE(BITS) COPAL_DECL_CTX(void, ibput##BITS, \
    void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
COPAL_TYPES_RMA(COPAL_IBPUT)
COPAL_SIZES(COPAL_IBPUT_SIZE)
#undef COPAL_IBPUT
#undef COPAL_IBPUT_SIZE

/* get: copy nelems elements from source on PE pe to dest here; on return they are there (9.6.1.5). */
#define COPAL_GET(T, N) COPAL_DECL_CTX(void, N##_get, T *dest, const T *source, size_t nelems, int pe)
#define COPAL_GET_SIZE(BITS) COPAL_DECL_CTX(void, get##BITS, void *dest, const void *source, size_t nelems, int pe)
COPAL_TYPES_RMA(COPAL_GET)
COPAL_SIZES(COPAL_GET_SIZE)
COPAL_DECL_CTX(void, getmem, void *dest, const void *source, size_t nelems, int pe)
#undef COPAL_GET
#undef COPAL_GET_SIZE

/* g: the value at source on PE pe (9.6.1.6). */
#define COPAL_G(T, N) COPAL_DECL_CTX(T, N##_g, const T *source, int pe)
COPAL_TYPES_RMA(COPAL_G)
#undef COPAL_G

/* iget: copy nelems elements, each sst-th of source on PE pe to each dst-th of dest here (9.6.1.7). */
#define COPAL_IGET(T, N) COPAL_DECL_CTX(void, N##_iget, \
    T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
#define COPAL_IGET_SIZE(BITS) COPAL_DECL_CTX(void, iget##BITS, \
    void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe)
COPAL_TYPES_RMA(COPAL_IGET)
COPAL_SIZES(COPAL_IGET_SIZE)
#undef COPAL_IGET
#undef COPAL_IGET_SIZE

/* ibget: copy nblocks blocks of bsize elements, sst elements from one to the next in source on PE pe and dst in dest
 * here (9.6.1.8). */
#define COPAL_IBGET(T, N) COPAL_DECL_CTX(void, N##_ibget, \
    T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
#define COPAL_IBGET_SIZE(BITS) COPAL_DECL_CTX(void, ibget##BITS, \
    void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe)
COPAL_TYPES_RMA(COPAL_IBGET)
COPAL_SIZES(COPAL_IBGET_SIZE)
#undef COPAL_IBGET
#undef COPAL_IBGET_SIZE

/* put_nbi: a put that may return before source may be reused; shmem_quiet completes it (9.6.2.1). */
#define COPAL_PUT_NBI(T, N) COPAL_DECL_CTX(void, N##_put_nbi, T *dest, const T *source, size_t nelems, int pe)
#define COPAL_PUT_NBI_SIZE(BITS) \
    COPAL_DECL_CTX(void, put##BITS##_nbi, void *dest, const void *source, size_t nelems, int pe)
COPAL_TYPES_RMA(COPAL_PUT_NBI)
COPAL_SIZES(COPAL_PUT_NBI_SIZE)
COPAL_DECL_CTX(void, putmem_nbi, void *dest, const void *source, size_t nelems, int pe)
#undef COPAL_PUT_NBI
#undef COPAL_PUT_NBI_SIZE

/* get_nbi: a get that may return before dest has the data; shmem_quiet completes it (9.6.2.2). */
#define COPAL_GET_NBI(T, N) COPAL_DECL_CTX(void, N##_get_nbi, T *dest, const T *source, size_t nelems, int pe)
#define COPAL_GET_NBI_SIZE(BITS) \
    COPAL_DECL_CTX(void, get##BITS##_nbi, void *dest, const void *source, size_t nelems, int pe)
COPAL_TYPES_RMA(COPAL_GET_NBI)
COPAL_SIZES(COPAL_GET_NBI_SIZE)
COPAL_DECL_CTX(void, getmem_nbi, void *dest, const void *source, size_t nelems, int pe)
#undef COPAL_GET_NBI
#undef COPAL_GET_NBI_SIZE

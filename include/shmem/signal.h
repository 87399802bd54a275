/* Signals (9.8): symmetric uint64_t objects that tell their PE that data has arrived. */

/* put_signal: put nelems elements (bytes, in putmem_signal), then update *sig_addr on PE pe: whoever sees the signal
 * there sees the data.  sig_op is SHMEM_SIGNAL_SET (store signal) or SHMEM_SIGNAL_ADD (add it).  On return source may
 * be reused (9.8.1). */
#define COPAL_PUT_SIGNAL(T, N) COPAL_DECL_CTX(void, N##_put_signal, \
    T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
#define COPAL_PUT_SIGNAL_SIZE(BITS) COPAL_DECL_CTX(void, put##BITS##_signal, \
    void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
COPAL_TYPES_RMA(COPAL_PUT_SIGNAL)
COPAL_SIZES(COPAL_PUT_SIGNAL_SIZE)
COPAL_DECL_CTX(void, putmem_signal,
    void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
#undef COPAL_PUT_SIGNAL
#undef COPAL_PUT_SIGNAL_SIZE

/* put_signal_nbi: the same, but source may be reused only after shmem_quiet (9.8.2). */
#define COPAL_PUT_SIGNAL_NBI(T, N) COPAL_DECL_CTX(void, N##_put_signal_nbi, \
    T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
#define COPAL_PUT_SIGNAL_NBI_SIZE(BITS) COPAL_DECL_CTX(void, put##BITS##_signal_nbi, \
    void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
COPAL_TYPES_RMA(COPAL_PUT_SIGNAL_NBI)
COPAL_SIZES(COPAL_PUT_SIGNAL_NBI_SIZE)
COPAL_DECL_CTX(void, putmem_signal_nbi,
    void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe)
#undef COPAL_PUT_SIGNAL_NBI
#undef COPAL_PUT_SIGNAL_NBI_SIZE

/* Add to, and store to, the signal at sig_addr on PE pe, without data (9.8.3, 9.8.5). */
COPAL_DECL_CTX(void, signal_add, uint64_t *sig_addr, uint64_t signal, int pe)
COPAL_DECL_CTX(void, signal_set, uint64_t *sig_addr, uint64_t signal, int pe)

/* The value of a signal of this PE (9.8.4). */
COPAL_DECL(uint64_t, signal_fetch, (const uint64_t *sig_addr))

/* Wait until the signal of this PE compares with cmp_value as cmp says (SHMEM_CMP_...); returns its value (9.11.15). */
COPAL_DECL(uint64_t, signal_wait_until, (uint64_t *sig_addr, int cmp, uint64_t cmp_value))

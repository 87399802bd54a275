/* Signals (9.8).
 *
 * A signal is a symmetric uint64_t that notifies its PE of the arrival of data.  shmem_signal_fetch and
 * shmem_signal_wait_until read it; only routines with signal in their names change it.
 *
 * nelems: number of elements, or in the ...mem routines bytes; with 0 only the signal is sent
 * sig_addr: symmetric; the signal on PE pe, aligned to 8 bytes
 * signal: the value that is stored or added
 * sig_op: SHMEM_SIGNAL_SET, to store the value, or SHMEM_SIGNAL_ADD, to add it to the signal
 * cmp: one of SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE
 *
 * Fortran: Signals are integer(c_int64_t).  SHMEM_SIGNAL_SET and SHMEM_SIGNAL_ADD are names of routines there, so the
 * constants are SHMEM_SIGNAL_OP_SET and SHMEM_SIGNAL_OP_ADD. */

/* put_signal, putmem_signal: copy data to another PE, and notify it (9.8.3; since 1.5).
 *
 * Copies nelems elements from source here to dest on PE pe, and then changes the signal at sig_addr there.  A PE
 * that sees the signal sees the data.
 *
 * dest: symmetric; the destination on PE pe
 * source: any memory of the calling PE
 *
 * On return: source may be reused.  The data and the signal may arrive later: shmem_quiet completes them. */
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

/* put_signal_nbi, putmem_signal_nbi: copy data to another PE and notify it, nonblocking (9.8.4; since 1.5).
 *
 * Begins what shmem_put_signal does.  The other PE has the data when it sees the signal, without this PE's shmem_quiet.
 *
 * dest: symmetric; the destination on PE pe
 * source: any memory of the calling PE; not to be changed until shmem_quiet
 *
 * On return: the operation may still be pending.  source may be reused after shmem_quiet. */
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

/* signal_add, signal_set: send a signal without data (9.8.5, 9.8.7; since 1.6).
 *
 * shmem_signal_add adds a value to the signal at sig_addr on PE pe, shmem_signal_set sets it to the value.
 *
 * On return: the signal may arrive later: shmem_quiet completes it.  After a shmem_fence it arrives after earlier puts
 * to that PE. */
COPAL_DECL_CTX(void, signal_add, uint64_t *sig_addr, uint64_t signal, int pe)
COPAL_DECL_CTX(void, signal_set, uint64_t *sig_addr, uint64_t signal, int pe)

/* signal_fetch: value of a signal of this PE (9.8.6; since 1.5).
 *
 * Reads a signal without waiting for it.
 *
 * sig_addr: symmetric; a signal of the calling PE
 *
 * On return: data that was sent with the signal has arrived.
 *
 * Returns: the value. */
COPAL_DECL(uint64_t, signal_fetch, (const uint64_t *sig_addr))

/* signal_wait_until: wait for a signal (9.11.15; since 1.5).
 *
 * Waits until "signal cmp cmp_value" holds for a signal of the calling PE.
 *
 * sig_addr: symmetric; a signal of the calling PE
 * cmp_value: what the signal is compared with
 *
 * On return: data that was sent with the signal has arrived.
 *
 * Returns: the value of the signal that met the condition. */
COPAL_DECL(uint64_t, signal_wait_until, (uint64_t *sig_addr, int cmp, uint64_t cmp_value))

/* Memory ordering (9.12). */

/* fence: order this PE's operations (9.12.1).
 *
 * Puts, atomics, signals and stores to symmetric memory that this PE has made on the context so far arrive at each PE
 * before those that it makes later.  Operations on different PEs are ordered only by shmem_quiet.  Nonblocking puts are
 * ordered, too; nonblocking gets, and nonblocking atomics that fetch, are not.
 *
 * ctx: the context whose operations are ordered; SHMEM_CTX_INVALID does nothing
 *
 * On return: operations may still be pending.
 *
 * Classic: shmem_fence() */
COPAL_DECL(void, fence, (void))
COPAL_DECL(void, ctx_fence, (shmem_ctx_t ctx))

/* quiet: complete this PE's operations (9.12.2).
 *
 * Waits for this PE's own operations.  Other PEs complete their operations on this PE, and can notify it by
 * shmem_barrier_all or shmem_put_signal.
 *
 * ctx: the context whose operations are completed; SHMEM_CTX_INVALID does nothing
 *
 * On return: all puts, atomics, signals and stores to symmetric memory that this PE has made on the context are
 * complete and visible to all PEs, and the results of nonblocking gets and atomics have arrived.
 *
 * Classic: shmem_quiet() */
COPAL_DECL(void, quiet, (void))
COPAL_DECL(void, ctx_quiet, (shmem_ctx_t ctx))

/* pe_quiet: complete this PE's operations on some PEs (9.12.3; since 1.6).
 *
 * ctx: the context whose operations are completed; SHMEM_CTX_INVALID does nothing
 * target_pes: any memory of the calling PE: the PEs, by their numbers in the context's team
 * npes: number of these PEs; 0 does nothing
 *
 * On return: as after shmem_quiet, for operations on these PEs. */
COPAL_DECL_CTX(void, pe_quiet, const int *target_pes, size_t npes)

/* Memory ordering (9.12).  Forms without ctx act on SHMEM_CTX_DEFAULT. */

/* What this PE has sent to each PE so far arrives there before what it sends later (9.12.1). */
COPAL_DECL(void, fence, (void))
COPAL_DECL(void, ctx_fence, (shmem_ctx_t ctx))

/* All this PE has sent is complete and visible to all PEs on return; nonblocking gets and atomics too (9.12.2). */
COPAL_DECL(void, quiet, (void))
COPAL_DECL(void, ctx_quiet, (shmem_ctx_t ctx))

/* The same, for what was sent to the PEs target_pes[0] to target_pes[npes - 1]; none if npes is 0 (9.12.3). */
COPAL_DECL_CTX(void, pe_quiet, const int *target_pes, size_t npes)

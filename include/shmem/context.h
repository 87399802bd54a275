/* Contexts (9.5), sessions (9.9).
 *
 * A context is a separate stream of communication: shmem_ctx_fence and shmem_ctx_quiet order and complete only its
 * operations.  A thread with its own context does not wait for operations of other threads. */

/* ctx_create: make a context over all PEs (9.5.1; since 1.4).
 *
 * Not collective: each PE makes its own contexts, and ends them by shmem_ctx_destroy.
 *
 * options: 0, or an OR of promises: SHMEM_CTX_SERIALIZED, threads take turns using the context; SHMEM_CTX_PRIVATE,
 * only the thread that makes it uses it; SHMEM_CTX_NOSTORE, fence and quiet on it need not order ordinary stores
 * ctx: any memory of the calling PE; gets the context, or SHMEM_CTX_INVALID
 *
 * On return: the context may be used immediately, independent of other PEs.
 *
 * Returns: 0, or nonzero if the maximum number of contexts exists. */
COPAL_DECL(int, ctx_create, (long options, shmem_ctx_t *ctx))

/* team_create_ctx: make a context over a team (9.5.2; since 1.5).
 *
 * Makes a context like shmem_ctx_create, but in its operations the argument pe is a number in the team.
 * Not collective: each PE makes its own contexts.
 *
 * options: 0, or an OR of SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE and SHMEM_CTX_NOSTORE, as in shmem_ctx_create
 * ctx: any memory of the calling PE; gets the context, or SHMEM_CTX_INVALID
 *
 * On return: the context may be used immediately, independent of other PEs.
 *
 * Returns: 0, or nonzero if the maximum number of contexts exists, or the team is SHMEM_TEAM_INVALID. */
COPAL_DECL(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx))

/* ctx_destroy: end a context (9.5.3; since 1.4).
 *
 * Completes the context's operations and frees its resources.  shmem_team_destroy ends a team's contexts, too.
 *
 * ctx: a context that this PE made, or SHMEM_CTX_INVALID, which does nothing; SHMEM_CTX_DEFAULT cannot be ended
 *
 * On return: the context's operations are complete, as after shmem_ctx_quiet. */
COPAL_DECL(void, ctx_destroy, (shmem_ctx_t ctx))

/* ctx_get_team: the team that a context was made from (9.5.4; since 1.5).
 *
 * ctx: a context
 * team: any memory of the calling PE; gets the team: SHMEM_TEAM_WORLD for SHMEM_CTX_DEFAULT and for
 * contexts from shmem_ctx_create
 *
 * On return: no other PE has taken part, and earlier operations may still be pending.
 *
 * Returns: 0, or nonzero for SHMEM_CTX_INVALID; then the team is SHMEM_TEAM_INVALID. */
COPAL_DECL(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team))

/* ctx_session_start, ctx_session_stop: describe a phase of communication (9.9.2, 9.9.3; since 1.6).
 *
 * Give hints about the context's operations between start and stop.  Hints change no results.  With
 * SHMEM_CTX_SESSION_BATCH, Copal sends many small operations to another node in one message, at the latest in
 * shmem_ctx_quiet.
 *
 * ctx: a context; SHMEM_CTX_INVALID does nothing
 * options: 0, or SHMEM_CTX_SESSION_BATCH: many small operations, none of which is urgent
 * config: any memory of the calling PE: its member total_ops is the expected number of operations, if config_mask
 * names it; NULL if the mask is 0
 * config_mask: 0, or SHMEM_CTX_SESSION_TOTAL_OPS
 *
 * On return: operations may still be pending, also after shmem_ctx_session_stop: shmem_ctx_quiet completes them. */
COPAL_DECL(void, ctx_session_start, (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config,
                                     long config_mask))
COPAL_DECL(void, ctx_session_stop, (shmem_ctx_t ctx))

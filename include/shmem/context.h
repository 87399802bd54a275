/* Contexts (9.5): independent streams of communication, each with its own fence and quiet; sessions (9.9). */

/* A new context over all PEs, with options 0 or an OR of SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE, SHMEM_CTX_NOSTORE.
 * Returns 0, or nonzero and *ctx is SHMEM_CTX_INVALID (9.5.1). */
COPAL_DECL(int, ctx_create, (long options, shmem_ctx_t *ctx))

/* The same over a team: PE arguments on this context are numbers in the team (9.5.2). */
COPAL_DECL(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx))

/* Complete a context's operations (quiet) and end it (9.5.3). */
COPAL_DECL(void, ctx_destroy, (shmem_ctx_t ctx))

/* *team gets the team the context was made from.  Returns 0, or nonzero for SHMEM_CTX_INVALID (9.5.4). */
COPAL_DECL(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team))

/* Begin and end a session: a stretch of communication that hints describe.  options is 0 or SHMEM_CTX_SESSION_BATCH,
 * config_mask 0 or SHMEM_CTX_SESSION_TOTAL_OPS (9.9.2, 9.9.3). */
COPAL_DECL(void, ctx_session_start, (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config,
                                     long config_mask))
COPAL_DECL(void, ctx_session_stop, (shmem_ctx_t ctx))

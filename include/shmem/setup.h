/* Library setup, exit and query (9.1), threads (9.2). */

/* Start the library: collective over all PEs of the job.  May be called again; each call wants its shmem_finalize
 * (9.1.1). */
COPAL_DECL(void, init, (void))

/* The same, asking for a thread level (SHMEM_THREAD_...); *provided gets the level granted.
 * Returns 0; where the library cannot be started, e.g. for a bad SHMEM_SYMMETRIC_SIZE, it ends the job with a sentence
 * (9.2.1). */
COPAL_DECL(int, init_thread, (int requested, int *provided))

/* *provided gets the thread level granted at start (9.2.2). */
COPAL_DECL(void, query_thread, (int *provided))

/* *initialized gets 1 between the first init and the last finalize, else 0.  May be called at any time (9.1.5). */
COPAL_DECL(void, query_initialized, (int *initialized))

/* Undo one init: a barrier over all PEs, and the last one also ends the library (9.1.4). */
COPAL_DECL(void, finalize, (void))

/* End the whole job from any PE, with this exit status (9.1.6). */
COPAL_DECL(COPAL_NORETURN void, global_exit, (int status))

/* This PE's number, 0 to n_pes - 1, and the number of PEs (9.1.2, 9.1.3). */
COPAL_DECL(int, my_pe, (void))
COPAL_DECL(int, n_pes, (void))

/* 1 if PE pe can be reached from here, else 0 (9.1.7). */
COPAL_DECL(int, pe_accessible, (int pe))

/* 1 if addr is a symmetric address through which PE pe can be reached, else 0 (9.1.8). */
COPAL_DECL(int, addr_accessible, (const void *addr, int pe))

/* The address at which this PE can load and store dest of PE pe (of the world, or of a team), or NULL if it cannot
 * (9.1.9, 9.1.10). */
COPAL_DECL(void *, ptr, (const void *dest, int pe))
COPAL_DECL(void *, team_ptr, (shmem_team_t team, const void *dest, int pe))

/* The version of the specification; the vendor string, copied to name[SHMEM_MAX_NAME_LEN] (9.1.11, 9.1.12). */
COPAL_DECL(void, info_get_version, (int *major, int *minor))
COPAL_DECL(void, info_get_name, (char *name))

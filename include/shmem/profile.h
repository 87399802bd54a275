/* Profiling interface (10). */

/* pcontrol: tell a profiling tool what to do (10.1.1; since 1.5).
 *
 * For a profiling tool to define; the library's own does nothing.  A tool defines shmem_ names, which are weak symbols
 * of the library, and calls the library by pshmem_ ones, which pshmem.h declares.
 *
 * level: 0 or below turns it off, 1 on, as it is at the start; 2 also writes out what it has gathered; what larger
 * levels and further arguments mean, the tool says
 *
 * On return: no other PE has taken part; what else is done, the tool says.
 *
 * Errors: None; it may be called at any time. */
COPAL_DECL(void, pcontrol, (int level, ...))

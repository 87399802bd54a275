/* Profiling interface (10). */

/* pcontrol: control a profiling tool (10.1.1; since 1.5).
 *
 * A profiling tool defines it; the library's own does nothing.  A tool defines shmem_ names, which are weak symbols
 * of the library, and calls the library by pshmem_ ones, which pshmem.h declares.
 *
 * level: 0 or below turns it off, 1 on (the initial state); 2 also writes the data so far; the tool defines larger
 * levels and further arguments
 *
 * On return: no other PE has taken part; the tool defines what else is done.
 *
 * Errors: None; it may be called at any time. */
COPAL_DECL(void, pcontrol, (int level, ...))

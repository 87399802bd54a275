/* Profiling interface (10). */

/* pcontrol: control a profiling tool (10.1.1; since 1.5).
 *
 * A profiling tool defines this routine; that of the library does nothing.  The library's shmem_ names are weak
 * symbols.  A tool defines shmem_ names itself, and calls the library by the pshmem_ names, which pshmem.h declares.
 *
 * level: 0 or less disables profiling, 1 enables it (the initial state), 2 enables it and writes the data so far; the
 * tool defines larger levels and further arguments
 *
 * On return: no other PE has taken part; the tool defines what else is done.
 *
 * Errors: None; it may be called at any time. */
COPAL_DECL(void, pcontrol, (int level, ...))

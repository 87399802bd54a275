/* Profiling interface (10). */

/* For a profiling tool to define: level 0 (or below) turns it off, 1 on (as it starts), 2 also flushes its buffers, and
 * above that level and further arguments mean what the tool says.  The library's own does nothing (10.1.1). */
COPAL_DECL(void, pcontrol, (int level, ...))

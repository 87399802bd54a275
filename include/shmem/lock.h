/* Distributed locks (9.13).  A lock is a symmetric long, the same on all PEs, set to 0 before its first use.
 * One PE holds it at a time; it is not recursive. */

/* Wait for the lock and take it. */
COPAL_DECL(void, set_lock, (long *lock))

/* Take the lock if it is free: 0 if taken, 1 if another PE has it. */
COPAL_DECL(int, test_lock, (long *lock))

/* Release the lock, after all this PE's earlier operations are complete. */
COPAL_DECL(void, clear_lock, (long *lock))

/* Distributed locks (9.13). */

/* set_lock, test_lock, clear_lock: locks that one PE holds at a time (9.13.1).
 *
 * shmem_set_lock waits for the lock and takes it.  shmem_test_lock takes it if it is free.  shmem_clear_lock releases
 * it, after all that this PE has sent on SHMEM_CTX_DEFAULT is complete: whoever takes the lock next sees it.  A lock
 * is not recursive, and does not exclude threads of one PE.
 *
 * lock: a symmetric variable, the same one on all PEs, which is 0 before its first use and belongs to the library then
 *
 * On return: after shmem_set_lock, and shmem_test_lock that returns 0, this PE has the lock, and sees what those who
 * had it before had sent on SHMEM_CTX_DEFAULT.  After shmem_clear_lock what this PE had sent there is complete, and the
 * lock is free or another PE's.
 *
 * Returns: shmem_test_lock, 0 if it has taken the lock, and 1 if another PE has it.
 *
 * Errors: To release a lock that nobody holds ends the job with a sentence; with SHMEM_DEBUG, so does to take one that
 * this PE holds, and to release another PE's.
 *
 * Fortran: Locks of the module are integer(c_long), those of shmem.fh default integers, which are locks of their own: a
 * program does not use one lock through both.
 *
 * Classic: shmem_set_lock, shmem_clear_lock(lock); integer function shmem_test_lock(lock) */
COPAL_DECL(void, set_lock, (long *lock))
COPAL_DECL(int, test_lock, (long *lock))
COPAL_DECL(void, clear_lock, (long *lock))
